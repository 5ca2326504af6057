// Streams: a kernel on the default stream, over memory that PyTorch works on in its current one. The two are one stream
// until somebody makes another one current; then nothing keeps the kernel from running first.
#include "Attribution.h"
#include "Control.h"
#include "Devices.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

void setStream(Context &context, const Value &stream) {
  context.state.forget(Symbols::kDefaultIsCurrent);
  if (stream.kind == Value::Null)
    context.state.assume(Symbols::kDefaultIsCurrent, true);
  // What a program keeps for later, and makes current then, is of the pool if it takes any from there.
  const bool isKept = stream.kind == Value::Unknown && context.program().takesOfPool;
  if (isKept || (stream.kind == Value::Device && stream.has(Value::kOfPool)))
    context.state.assume(Symbols::kDefaultIsCurrent, false);
}

/// PyTorch gets something to do, on its current stream; or the host waits for a result, and with it for all before.
void noteWork(Context &context, const Instruction &i) {
  const bool isDone = context.state.truth(Symbols::kSettled) >= 0;
  const bool makesRoomOnly =
      (i.opcode == Opcode::New || i.opcode == Opcode::Like) && i.text.find("empty") != std::string::npos;
  if (isDone && i.opcode != Opcode::View && !makesRoomOnly)
    context.state.forget(Symbols::kSettled);
  const bool bringsHome =
      i.opcode == Opcode::Move && !(i.flags & facts::kNonBlocking) && i.args.size() > 1 &&
      context.state.resolve(deviceOf(context.state, value(context, i.args[1]))).kind == DeviceValue::Cpu;
  if (bringsHome || (i.opcode == Opcode::Op && i.text == "item"))
    context.state.assume(Symbols::kSettled, true);
}

/// A kernel is launched: on the stream that PyTorch computes its tensors on? Copies and what libraries run count where
/// this program itself has made another stream current.
void requireStream(Context &context, const Instruction &i) {
  if (i.args.empty() || i.args[0].slot == facts::kNone || value(context, i.args[0]).kind != Value::Null)
    return;
  const int isCurrent = context.state.truth(Symbols::kDefaultIsCurrent);
  if (isCurrent == 1 || (isCurrent < 0 && i.opcode == Opcode::OnStream) || context.state.truth(Symbols::kSettled) == 1)
    return;
  for (std::size_t n = 1; n < i.args.size(); ++n) {
    std::vector<Value> pointers{value(context, i.args[n])};
    if (pointers[0].kind == Value::Object) { // a block of parameters
      const Value block = pointers[0];
      pointers.clear();
      flatten(context.state, block, pointers);
    }
    for (const Value &pointer : pointers) {
      const Event *taken = latest(pointer.trail, Event::PointerTaken);
      const bool isTorchs = pointer.kind == Value::Pointer && taken && !latest(pointer.trail, Event::Wrapped);
      if (isTorchs && context.state.resolve(pointer.device).kind != DeviceValue::Cpu) {
        Attribution(context, i).defaultStream(*taken, isCurrent == 0);
        return;
      }
    }
  }
}

} // namespace samedevice::analysis
