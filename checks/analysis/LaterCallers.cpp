// What a function keeps from its first call on (a static variable, a table of the program) is where that call's tensors
// were. Later callers may come with tensors of another GPU: the function is run again for them.
#include "Kept.h"
#include "Roots.h"

namespace samedevice::analysis {

/// The state that a call has left, where the first caller's GPU is said to have been the first one; nothing, if what is
/// kept does not follow a caller. What is kept under a device's name follows the next caller, too.
std::optional<State> Roots::afterFirstCall(const State &exit) {
  State kept = exit;
  std::set<SymbolId> callers;
  forKept(exit, evidence_, [&](Place p, Value value, SourceId lookup) {
    const SymbolId symbol = value.device.symbol;
    const bool isCallers = symbol && universe_.symbols[symbol].kind == Symbol::FromCaller;
    const bool isMemory = (value.kind == Value::Tensor && !value.object) || value.kind == Value::Pointer;
    if (!isCallers || exit.resolve(value.device).kind == DeviceValue::Cpu) // on this path there is no GPU
      return;
    if (isMemory && value.trail) {
      callers.insert(symbol);
      value.device = DeviceValue::cuda(0);
      value.set(Value::kLiteral);
      value.trail = universe_.events.intern(
          {Event::Kept, lookup, value.trail->subject, 0, value.device, value.trail, value.trail->function, 0});
      kept.set(p, value);
    } else if (value.kind == Value::Device) { // noted beside it, for the later ones to compare
      value.device = DeviceValue::cuda(0);
      kept.set(p, value);
    }
  });
  if (callers.empty())
    return std::nullopt;
  for (SymbolId symbol : callers)
    kept.forget(symbol);
  return kept;
}

void Roots::runForLaterCallers(FunctionId function, const std::vector<State> &exits) {
  if (!program_.knowsSeveralGpus())
    return;
  for (const State &exit : exits)
    if (std::optional<State> kept = afterFirstCall(exit)) {
      runWithSymbolicArguments(function, *kept, 0);
      return;
    }
}

} // namespace samedevice::analysis
