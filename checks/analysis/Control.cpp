// The machine: which device is current, guards and launches, waiting, and what unseen functions may have done.
#include "Control.h"
#include "Attribution.h"
#include "Calls.h"
#include "Devices.h"
#include "GuardPlaces.h"
#include "Memory.h"
#include "Unseen.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

static std::optional<std::pair<const Frame *, Slot>> callersTensor(Context &context, const Frame &from,
                                                                   SymbolId on = 0);

/// What is kept of an event that was recorded while no copy was under way.
constexpr std::int64_t kRecordedIdle = 1;

/// Whether something made a device current that matters here: a guard for what is on the host does not.
bool isGuarded(const State &state) {
  DeviceValue current = state.currentDevice();
  if (current.symbol)
    return state.resolve(DeviceValue::of(current.symbol)).kind != DeviceValue::Cpu;
  return current.kind != DeviceValue::Cuda || current.index >= 0;
}

/// A tensor that a caller brought and that may be on any GPU (or on the device that is asked for): in the nearest
/// function that has one, from that one on.
static std::optional<std::pair<const Frame *, Slot>> callersTensor(Context &context, const Frame &from, SymbolId on) {
  for (const Frame *frame = &from; frame; frame = frame->caller)
    for (Slot slot = 0; slot < frame->code->paramCount; ++slot) {
      std::vector<Value> given;
      Value argument = follow(context.state, context.state.get(field(frame->id, slot)));
      bool list = argument.kind == Value::Object && frame->code->slots[slot].type == facts::Type::List;
      if (argument.kind == Value::Tensor || list)
        flatten(context.state, argument, given);
      for (const Value &tensor : given) {
        DeviceValue device = tensor.kind == Value::Tensor ? deviceOf(context.state, tensor) : DeviceValue{};
        bool callers = isCallers(context.universe(), device);
        DeviceValue known = context.state.resolve(device);
        bool asked = !on || known.symbol == on;
        if (callers && asked && known.kind != DeviceValue::Cpu && (known.kind != DeviceValue::Cuda || known.index < 0))
          return std::pair{frame, slot};
      }
    }
  return std::nullopt;
}

/// A caller's tensor was found to be on the CPU on this path: the others that came with it are there, too.
bool anotherIsOnHost(Context &context) {
  for (const Frame *frame = &context.frame; frame; frame = frame->caller)
    for (Slot slot = 0; slot < frame->code->paramCount; ++slot) {
      Value given = follow(context.state, context.state.get(field(frame->id, slot)));
      DeviceValue device = given.kind == Value::Tensor ? deviceOf(context.state, given) : DeviceValue{};
      if (isCallers(context.universe(), device) && context.state.resolve(device).kind == DeviceValue::Cpu)
        return true;
    }
  return false;
}

/// Below a backward, which autograd's engine calls: what is current then is nobody's guard.
bool isRunByEngine(const Frame &frame) {
  for (const Frame *inner = &frame; inner->caller && inner->site; inner = inner->caller) {
    const std::vector<Operand> &given = inner->site->args;
    const bool isWritten = inner->site->source || std::any_of(given.begin(), given.end(), [](const Operand &operand) {
                             return operand.source != 0;
                           });
    if (!isWritten)
      return true;
  }
  return outermost(frame).code->isGuarded;
}

/// What uses the current device does so for tensors that a caller brought: they may be on another one.
void requireGuard(Context &context, const Instruction &i, const std::string &what) {
  if (isGuarded(context.state)) {
    if (context.frame.caller && !isRunByEngine(context.frame))
      context.evidence.noteGuardedLaunch(hasGuard(*context.frame.code));
    return;
  }
  if (auto found = callersTensor(context, context.frame))
    Attribution(context, i).missingGuard(*found->first, found->second, what);
}

/// A GPU that somebody has picked, by its number or as a device that was handed in.
static bool isPicked(const Context &context, DeviceValue device) {
  if (!device.symbol || (device.kind != DeviceValue::Cuda && device.kind != DeviceValue::Symbol) ||
      context.evidence.announced.has(device.symbol))
    return false;
  const Symbol &symbol = context.universe().symbols[device.symbol];
  return symbol.kind == Symbol::Index || (symbol.kind == Symbol::Chosen && outermost(context.frame).code->isBound());
}

/// What a kernel gets is in the memory of a GPU that is known, or that somebody has picked, and another one is current:
/// a program begins with the first, and so does each of its threads. Where some of it is on the current one, the rest
/// is a peer's.
static void requireReach(Context &context, const Instruction &launch) {
  const DeviceValue current = context.state.currentDevice();
  const bool isFirst = outermost(context.frame).code->isMain() && !current.symbol;
  const int here = current.index >= 0 ? current.index : isFirst ? 0 : -1;
  if (current.kind != DeviceValue::Cuda || current.symbol)
    return;
  const bool isNobodys = current.index < 0 || (isFirst && current.index == 0 && !context.state.currentIsFrozen());
  const bool isOpen = isNobodys && !callersTensor(context, context.frame); // else it was told of that one
  const Operand *far = nullptr;
  Value farMemory;
  for (std::size_t n = 1; n < launch.args.size(); ++n) {
    const Value memory = pointerValue(context, launch, launch.args[n]);
    const DeviceValue device = context.state.resolve(memory.device);
    if (memory.kind != Value::Pointer)
      continue;
    const bool isElsewhere = device.kind == DeviceValue::Cuda && here >= 0 && device.index >= 0 && device.index != here;
    if (memory.has(Value::kManaged) || memory.has(Value::kPinned) ||
        !(isElsewhere || (isOpen && isPicked(context, device))))
      return;
    if (!far) {
      far = &launch.args[n];
      farMemory = memory;
    }
  }
  if (far)
    Attribution(context, launch).onAnotherGpu(*far, farMemory);
}

/// A kernel on a stream of one GPU, always, that gets what a caller has put on any.
static void onFrozenStream(Context &context, const Instruction &launch) {
  const Value stream = launch.args.empty() ? Value{} : value(context, launch.args[0]);
  const Event *frozen = stream.has(Value::kLiteral) ? latest(stream.trail, Event::Chosen) : nullptr;
  for (std::size_t n = 1; frozen && n < launch.args.size(); ++n) {
    const Value memory = pointerValue(context, launch, launch.args[n]);
    const SymbolId whose = memory.kind == Value::Pointer ? context.state.resolve(memory.device).symbol : 0;
    if (auto found = whose ? callersTensor(context, context.frame, whose) : std::nullopt) {
      Attribution(context, launch).frozenCurrent(*found->first, found->second, *frozen);
      return;
    }
  }
}

/// A kernel under a guard, on a stream that was taken before there was one: it is of whatever GPU was current then.
static void onEarlierStream(Context &context, const Instruction &launch) {
  const Value stream = launch.args.empty() ? Value{} : value(context, launch.args[0]);
  const Event *taken = stream.kind == Value::Device ? latest(stream.trail, Event::Chosen) : nullptr;
  const bool isNobodys = stream.device.kind == DeviceValue::Cuda && !stream.device.symbol && stream.device.index < 0;
  if (!taken || !isNobodys || !isGuarded(context.state) || !context.state.currentDevice().symbol)
    return;
  for (const Frame *frame = &context.frame; frame; frame = frame->caller)
    if (auto found = frame->function == taken->function ? callersTensor(context, *frame) : std::nullopt) {
      std::vector<Value> given; // whatever way they came to the kernel
      flatten(context.state, context.state.get(field(found->first->id, found->second)), given);
      for (const Value &tensor : given)
        context.evidence.memoryTaken.note(deviceOf(context.state, tensor).symbol);
      return Attribution(context, launch).missingGuard(*found->first, found->second, "stream", taken->at);
    }
}

/// The guard is for one tensor, the kernel gets another, and the code itself says that their devices may differ; or it
/// is for one GPU, always, and the kernel gets what a caller has put on any.
void guardedForAnother(Context &context, const Instruction &i, DeviceValue used) {
  if (const Event *frozen = context.state.currentIsFrozen(); frozen && used.symbol)
    if (auto found = callersTensor(context, context.frame, used.symbol))
      Attribution(context, i).frozenCurrent(*found->first, found->second, *frozen);
  SymbolId current = context.state.currentDevice().symbol;
  if (!current || !used.symbol || current == used.symbol)
    return;
  if (auto found = callersTensor(context, context.frame, used.symbol))
    Attribution(context, i).guardForAnother(*found->first, found->second, current, used.symbol);
}

/// Where a tensor was made in what still runs, before the guard that is in force: by itself, or by a helper that is
/// called there. What runs below that guard has made nothing before it.
static std::pair<const Frame *, SourceId> makingBeforeGuard(const Context &context, const Event &made) {
  const Frame *holder = &context.frame;
  while (holder && !mayHaveGuard(*holder->code))
    holder = holder->caller;
  SourceId running = 0; // the call of what runs in the frame below
  bool isBelow = holder != nullptr;
  for (const Frame *frame = &context.frame; frame; frame = frame->caller) {
    isBelow = isBelow && frame != holder;
    if (frame->function == made.function)
      return {frame, made.at};
    const SourceId call = isBelow ? 0 : context.program().onlyCallTowards(frame->function, made.function, running);
    if (call && isBeforeGuards(*frame->code, call))
      return {frame, call};
    running = frame->site ? frame->site->source : 0;
  }
  return {};
}

/// `torch::kCUDA` without an index meant the device that was current before the guard for this kernel.
void madeBeforeGuard(Context &context, const Instruction &i, const Value &pointer) {
  const Event *made = latest(pointer.trail, Event::CreatedOn);
  if (!made || !isGuarded(context.state))
    return;
  const auto [frame, at] = makingBeforeGuard(context, *made);
  auto found = frame ? callersTensor(context, *frame) : std::nullopt;
  if (frame && !found) // what was brought further in
    found = callersTensor(context, context.frame);
  if (found)
    Attribution(context, i).missingGuard(*found->first, found->second, "allocation", at);
}

/// What a function may have done that nobody can see: written to what it was given to write to. `knower`: the class
/// whose method it is.
void callUnseen(Context &context, const Instruction &i, facts::ClassId knower) {
  for (const Operand &operand : i.args) {
    std::vector<Value> given;
    flatten(context.state, raw(context, operand.slot), given);
    for (const Value &tensor : given)
      context.evidence.memoryTaken.note(deviceOf(context.state, tensor).symbol);
  }
  for (const Operand &operand : i.args)
    if (operand.mayWrite) {
      Value at = raw(context, operand.slot);
      const Value self = &operand == &i.args[0] ? follow(context.state, at) : Value{};
      std::optional<Place> target = placeOf(context, operand);
      if (self.kind == Value::Object && knower != facts::kNone)
        havocBy(context.state, self.object, knower);
      else if (at.kind == Value::Object)
        havoc(context.state, at);
      else if (target)
        havoc(context.state, referenceTo(*target));
    }
  noteMaybeWaited(context, i);
}

/// Somebody waits while copies are under way, but not for them: part of their story.
static void noteWaitedInVain(Context &context, const Instruction &wait) {
  std::vector<std::pair<Place, Value>> copies;
  context.state.forPart(0, Part::Element, [&](std::uint32_t copy, const Value &started) {
    copies.push_back({place(0, Part::Element, copy), started});
  });
  for (auto &[at, started] : copies) {
    started.trail = event(context, Event::Kept, wait, nullptr);
    context.state.set(at, started);
  }
}

void stepControl(Context &context, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(context, i.args[n]) : Value{}; };
  const SymbolId atFirst = currentAtFirst(context.state);
  auto indexed = [&](const Value &of) {
    if (of.device.symbol == atFirst) // put back what was current before anybody chose
      return DeviceValue::cuda(-1);
    if (of.kind == Value::Int && of.has(Value::kConstant))
      return DeviceValue::cuda(static_cast<int>(of.number));
    if (of.kind == Value::Int && of.symbol)
      return DeviceValue{DeviceValue::Cuda, -1, of.symbol};
    DeviceValue device = context.state.resolve(deviceOf(context.state, of));
    if (device.kind == DeviceValue::Symbol)
      return DeviceValue{DeviceValue::Cuda, -1, device.symbol};
    if (device.kind == DeviceValue::Cuda)
      return device;
    if (device.kind == DeviceValue::Cpu)
      return context.state.currentDevice(); // nothing to guard
    return DeviceValue{DeviceValue::Cuda, -1,
                       context.universe().symbols.intern("guarded", Symbol::Plain)}; // for something, at least
  };
  auto frozen = [](const Value &of) {
    return of.has(Value::kLiteral) && of.device.index >= 0 ? latest(of.trail, Event::Chosen) : nullptr;
  };
  switch (i.opcode) {
  case Opcode::Guard: {
    Value guard = Value::of(Value::Guard);
    guard.device = context.state.currentDevice();
    guard.trail = context.state.currentIsFrozen();
    guard.number = context.state.truth(Symbols::kDefaultIsCurrent);
    const Value whose = arg(0);
    if (!i.args.empty() && i.args[0].slot != facts::kNone && whose.kind != Value::Null) { // an optional guard for none
      context.state.setCurrentDevice(indexed(whose), frozen(whose));
      if (i.source) // somebody has written it
        context.evidence.noteGuard(context.frame.function, i.source);
    }
    define(context, i.dest, guard);
    return;
  }
  case Opcode::SetDevice: {
    const DeviceValue begun = DeviceValue::cuda(outermost(context.frame).code->isMain() ? 0 : -1);
    if (!i.args.empty())
      context.evidence.noteChoice();
    // Without one: as a thread begins, with the first GPU, which a library does not take for a choice.
    context.state.setCurrentDevice(i.args.empty() ? begun : indexed(arg(0)), frozen(arg(0)));
    return;
  }
  case Opcode::CurrentStream: {
    Value stream = Value::of(Value::Device);
    stream.set(Value::kHasDevice);
    if (i.args.empty()) {
      if (!(i.flags & facts::kDiscarded))
        requireGuard(context, i, "stream");
      stream.device = context.state.currentDevice();
      stream.trail = context.state.currentIsFrozen();
      stream.set(Value::kLiteral, stream.trail != nullptr);
      if (!stream.trail)
        stream.trail = event(context, Event::Chosen, i, nullptr, stream.device);
    } else {
      stream.device = indexed(arg(0));
      stream.trail = frozen(arg(0));
      stream.set(Value::kLiteral, stream.trail != nullptr);
    }
    const bool isPools = i.text == "getStreamFromPool", isCurrent = i.text == "getCurrentCUDAStream";
    const bool isPoolCurrent = context.state.truth(Symbols::kDefaultIsCurrent) == 0;
    stream.set(Value::kOfPool, isPools || (isCurrent && isPoolCurrent));
    stream.set(Value::kWasCurrent, isCurrent && !isPoolCurrent);
    if (!stream.trail)
      stream.trail = event(context, Event::Kept, i, nullptr);
    define(context, i.dest, stream);
    return;
  }
  case Opcode::Launch:
    if (!(i.flags & facts::kCallersStream)) { // whoever chose the stream has chosen the device
      requireGuard(context, i, "launch");
      requireReach(context, i);
    }
    requireStream(context, i);
    onFrozenStream(context, i);
    onEarlierStream(context, i);
    return;
  case Opcode::OnStream:
    requireStream(context, i);
    return;
  case Opcode::SetStream:
    setStream(context, arg(0));
    return;
  case Opcode::WaitEvent:
    noteWaited(context.state);
    return;
  case Opcode::RecordEvent:
    if (!i.args.empty())
      write(context, i.args[0], context.state.isIdle() ? Value::constant(Value::Bool, kRecordedIdle) : Value{});
    return;
  case Opcode::Synchronize: {
    const Value of = arg(0);
    noteWaited(context.state);
    if (of.kind == Value::Bool && of.has(Value::kConstant) && of.number == kRecordedIdle) {
      noteWaitedInVain(context, i); // all copies that are under way were started after the event
      return;
    }
    context.state.synchronize(i.args.empty() ? DeviceValue{} : indexed(of));
    return;
  }
  case Opcode::End: {
    if (i.args.empty() || i.args[0].slot == facts::kNone)
      return;
    Value ended = raw(context, i.args[0].slot);
    if (Value guard = follow(context.state, ended); guard.kind == Value::Guard) {
      context.state.setCurrentDevice(guard.device, guard.trail);
      context.state.forget(Symbols::kDefaultIsCurrent);
      if (guard.number >= 0)
        context.state.assume(Symbols::kDefaultIsCurrent, guard.number != 0);
    }
    if (ended.kind == Value::Reference)
      context.state.erase(placeIn(ended));
    else if (context.code.scratch[i.args[0].slot] < 0)
      context.state.erase(field(context.frame.id, i.args[0].slot));
    return;
  }
  case Opcode::CallUnknown:
    callUnseen(context, i, i.targets.empty() ? facts::kNone : i.targets[0]);
    define(context, i.dest, unknownResult(context, i));
    return;
  default:
    return;
  }
}

/// `TORCH_CHECK(x.is_cuda())`: who is on the CPU does not get past it.
void noteDemand(Context &context, const Function &code, const facts::Terminator &end, const Value &condition) {
  if (!condition.symbol || !(condition.has(Value::kIsCudaTest) || condition.has(Value::kIsCpuTest)))
    return;
  for (std::size_t side = 0; side < 2 && end.successors.size() == 2; ++side) {
    const facts::BlockId refused = end.successors[side];
    if (refused >= code.blocks.size() || code.blocks[refused].end.kind != facts::Terminator::Unreachable)
      continue;
    const bool isTrue = (side == 1) != condition.has(Value::kNegated);
    if (isTrue == condition.has(Value::kIsCudaTest))
      context.evidence.neverOnHost.note(condition.symbol);
  }
}

} // namespace samedevice::analysis
