// The machine: which device is current, guards and launches, waiting, and what unseen functions may have done.
#include "Attribution.h"
#include "Code.h"
#include "Interpreter.h"

namespace samedevice::analysis {

/// Whether something made a device current that matters here: a guard for what is on the host does not.
bool Interpreter::isGuarded(const State &state) const {
  DeviceValue current = state.currentDevice();
  if (current.symbol)
    return state.resolve(DeviceValue::of(current.symbol)).kind != DeviceValue::Cpu;
  return current.kind != DeviceValue::Cuda || current.index >= 0;
}

/// A tensor that a caller brought and that may be on any GPU (or on the device that is asked for): in the nearest
/// function that has one.
std::optional<std::pair<const Frame *, Slot>> Interpreter::callersTensor(M m, SymbolId on) const {
  for (const Frame *frame = &m.frame; frame; frame = frame->caller)
    for (Slot slot = 0; slot < frame->code->paramCount; ++slot) {
      std::vector<Value> given;
      Value argument = follow(m.state, m.state.get(field(frame->id, slot)));
      bool list = argument.kind == Value::Object && frame->code->slots[slot].type == facts::Type::List;
      if (argument.kind == Value::Tensor || list)
        flatten(m.state, argument, given);
      for (const Value &tensor : given) {
        DeviceValue device = tensor.kind == Value::Tensor ? deviceOf(m.state, tensor) : DeviceValue{};
        bool callers = device.kind == DeviceValue::Symbol && symbols_[device.symbol].kind == Symbol::FromCaller;
        DeviceValue known = m.state.resolve(device);
        bool asked = !on || known.symbol == on;
        if (callers && asked && known.kind != DeviceValue::Cpu && (known.kind != DeviceValue::Cuda || known.index < 0))
          return std::pair{frame, slot};
      }
    }
  return std::nullopt;
}

/// A caller's tensor was found to be on the CPU on this path: the others that came with it are there, too.
bool Interpreter::anotherIsOnHost(M m) const {
  for (const Frame *frame = &m.frame; frame; frame = frame->caller)
    for (Slot slot = 0; slot < frame->code->paramCount; ++slot) {
      Value given = follow(m.state, m.state.get(field(frame->id, slot)));
      DeviceValue device = given.kind == Value::Tensor ? deviceOf(m.state, given) : DeviceValue{};
      if (device.kind == DeviceValue::Symbol && symbols_[device.symbol].kind == Symbol::FromCaller &&
          m.state.resolve(device).kind == DeviceValue::Cpu)
        return true;
    }
  return false;
}

/// What uses the current device does so for tensors that a caller brought: they may be on another one.
void Interpreter::requireGuard(M m, const Instruction &i, const std::string &what) {
  if (isGuarded(m.state))
    return;
  if (auto found = callersTensor(m))
    Attribution(*this, m, i).missingGuard(*found->first, found->second, what);
}

/// What a kernel gets is in the memory of a GPU that is known, and another one is current: a program begins with the
/// first, and so does each of its threads. Where some of it is on the current one, the rest is a peer's.
void Interpreter::requireReach(M m, const Instruction &launch) {
  const DeviceValue current = m.state.currentDevice();
  const bool isFirst = outermost(m.frame).code->isMain() && !current.symbol;
  const int here = current.index >= 0 ? current.index : isFirst ? 0 : -1;
  if (current.kind != DeviceValue::Cuda || here < 0)
    return;
  const Operand *far = nullptr;
  Value farMemory;
  for (std::size_t n = 1; n < launch.args.size(); ++n) {
    const Value memory = pointerValue(m, launch, launch.args[n]);
    const DeviceValue device = m.state.resolve(memory.device);
    if (memory.kind != Value::Pointer)
      continue;
    if (memory.has(Value::kManaged) || memory.has(Value::kPinned) || device.kind != DeviceValue::Cuda ||
        device.index < 0 || device.index == here)
      return;
    if (!far) {
      far = &launch.args[n];
      farMemory = memory;
    }
  }
  if (far)
    Attribution(*this, m, launch).onAnotherGpu(*far, farMemory);
}

/// The guard is for one tensor, the kernel gets another, and the code itself says that their devices may differ; or it
/// is for one GPU, always, and the kernel gets what a caller has put on any.
void Interpreter::guardedForAnother(M m, const Instruction &i, DeviceValue used) {
  if (const Event *frozen = m.state.currentIsFrozen(); frozen && used.symbol)
    if (auto found = callersTensor(m, used.symbol))
      Attribution(*this, m, i).frozenCurrent(*found->first, found->second, *frozen);
  SymbolId current = m.state.currentDevice().symbol;
  if (!current || !used.symbol || current == used.symbol)
    return;
  if (auto found = callersTensor(m, used.symbol))
    Attribution(*this, m, i).guardForAnother(*found->first, found->second, current, used.symbol);
}

/// `torch::kCUDA` without an index meant the device that was current before the guard for this kernel.
void Interpreter::madeBeforeGuard(M m, const Instruction &i, const Value &pointer) {
  const Event *made = latest(pointer.trail, Event::CreatedOn);
  bool here = false;
  for (const Frame *frame = &m.frame; frame && made; frame = frame->caller)
    here |= frame->function == made->function;
  if (!here || !isGuarded(m.state))
    return;
  if (auto found = callersTensor(m))
    Attribution(*this, m, i).missingGuard(*found->first, found->second, "allocation", made->at);
}

/// What a function may have done that nobody can see: written to what it was given to write to. `knower`: the class
/// whose method it is.
void Interpreter::callUnseen(M m, const Instruction &i, facts::ClassId knower) {
  for (const Operand &operand : i.args) {
    std::vector<Value> given;
    flatten(m.state, raw(m, operand.slot), given);
    for (const Value &tensor : given)
      memoryTaken_.insert(deviceOf(m.state, tensor).symbol);
  }
  for (const Operand &operand : i.args)
    if (operand.mayWrite) {
      Value at = raw(m, operand.slot);
      const Value self = &operand == &i.args[0] ? follow(m.state, at) : Value{};
      std::optional<Place> target = placeOf(m, operand);
      if (self.kind == Value::Object && knower != facts::kNone)
        havocBy(m.state, self.object, knower);
      else if (at.kind == Value::Object)
        havoc(m.state, at);
      else if (target)
        havoc(m.state, referenceTo(*target));
    }
}

void Interpreter::stepControl(M m, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(m, i.args[n]) : Value{}; };
  const SymbolId atFirst = currentAtFirst();
  auto indexed = [&](const Value &of) {
    if (of.device.symbol == atFirst) // put back what was current before anybody chose
      return DeviceValue::cuda(-1);
    if (of.kind == Value::Int && of.has(Value::kConstant))
      return DeviceValue::cuda(static_cast<int>(of.number));
    if (of.kind == Value::Int && of.symbol)
      return DeviceValue{DeviceValue::Cuda, -1, of.symbol};
    DeviceValue device = m.state.resolve(deviceOf(m.state, of));
    if (device.kind == DeviceValue::Symbol)
      return DeviceValue{DeviceValue::Cuda, -1, device.symbol};
    if (device.kind == DeviceValue::Cuda)
      return device;
    if (device.kind == DeviceValue::Cpu)
      return m.state.currentDevice();                                                     // nothing to guard
    return DeviceValue{DeviceValue::Cuda, -1, symbols_.intern("guarded", Symbol::Plain)}; // for something, at least
  };
  auto frozen = [](const Value &of) {
    return of.has(Value::kLiteral) && of.device.index >= 0 ? latest(of.trail, Event::Chosen) : nullptr;
  };
  switch (i.opcode) {
  case Opcode::Guard: {
    Value guard = Value::of(Value::Guard);
    guard.device = m.state.currentDevice();
    guard.trail = m.state.currentIsFrozen();
    guard.number = m.state.truth(Symbols::kDefaultIsCurrent);
    const Value whose = arg(0);
    if (!i.args.empty() && i.args[0].slot != facts::kNone && whose.kind != Value::Null) { // an optional guard for none
      m.state.setCurrentDevice(indexed(whose), frozen(whose));
      guards_[m.frame.function].insert(i.source);
    }
    define(m, i.dest, guard);
    return;
  }
  case Opcode::SetDevice: // without one: as a thread begins
    choosesDevice_ |= !i.args.empty();
    m.state.setCurrentDevice(i.args.empty() ? DeviceValue::cuda(-1) : indexed(arg(0)), frozen(arg(0)));
    return;
  case Opcode::CurrentStream:
    requireGuard(m, i, "stream");
    define(m, i.dest, {});
    return;
  case Opcode::Launch:
    if (!(i.flags & facts::kCallersStream)) { // whoever chose the stream has chosen the device
      requireGuard(m, i, "launch");
      requireReach(m, i);
    }
    requireStream(m, i);
    return;
  case Opcode::SetStream:
    setStream(m, arg(0));
    return;
  case Opcode::WaitEvent:
    m.state.assume(Symbols::kSettled, true);
    return;
  case Opcode::Synchronize:
    m.state.assume(Symbols::kSettled, true);
    m.state.synchronize(i.args.empty() ? DeviceValue{} : indexed(arg(0)));
    return;
  case Opcode::End: {
    if (i.args.empty() || i.args[0].slot == facts::kNone)
      return;
    Value ended = raw(m, i.args[0].slot);
    if (Value guard = follow(m.state, ended); guard.kind == Value::Guard) {
      m.state.setCurrentDevice(guard.device, guard.trail);
      m.state.forget(Symbols::kDefaultIsCurrent);
      if (guard.number >= 0)
        m.state.assume(Symbols::kDefaultIsCurrent, guard.number != 0);
    }
    if (ended.kind == Value::Reference)
      m.state.erase(placeIn(ended));
    else if (m.code.scratch[i.args[0].slot] < 0)
      m.state.erase(field(m.frame.id, i.args[0].slot));
    return;
  }
  case Opcode::CallUnknown:
    callUnseen(m, i, i.targets.empty() ? facts::kNone : i.targets[0]);
    define(m, i.dest, unknownResult(m, i));
    return;
  default:
    return;
  }
}

} // namespace samedevice::analysis
