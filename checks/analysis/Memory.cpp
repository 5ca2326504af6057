// Memory: pointers, host reads, copies, guards and streams.
#include "Attribution.h"
#include "Code.h"
#include "Interpreter.h"

namespace samedevice::analysis {

/// The program asks the CUDA runtime where this memory is: what it does then is not ours to judge.
bool Interpreter::wasAsked(const State &state, const Value &pointer) const {
  for (const Event *event = pointer.trail; event; event = event->previous)
    if (state.find(place(0, Part::Child, event->order & 0xfffffff)))
      return true;
  return false;
}

void Interpreter::stepMemory(M m, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(m, i.args[n]) : Value{}; };
  switch (i.opcode) {
  case Opcode::Pointer: {
    Value of = arg(0), made;
    made.kind = Value::Pointer;
    if (of.kind == Value::Tensor) {
      Participant p = participant(m, of, i.args[0].source);
      made.device = deviceOf(m.state, of);
      made.pending = of.pending;
      made.set(Value::kPinned, of.has(Value::kPinned));
      made.set(Value::kDangling, (i.flags & facts::kOfTemporary) && of.has(Value::kFresh));
      made.trail = event(m, Event::PointerTaken, i, p.value.trail, made.device, i.args[0].source);
      made.set(Value::kUploading, of.has(Value::kUploading));
      if (i.dest != facts::kNone && !m.frame.code->slots[i.dest].name.empty())
        checkDangling(m, i, made);
    }
    define(m, i.dest, made);
    return;
  }
  case Opcode::PointerOffset:
    define(m, i.dest, arg(0));
    return;
  case Opcode::HostRead:
    if (!i.args.empty())
      hostRead(m, i, i.args[0]);
    return;
  case Opcode::HostView:
    if (!i.args.empty())
      hostRead(m, i, i.args[0]);
    define(m, i.dest, {});
    return;
  case Opcode::DeviceUse:
    if (!i.args.empty())
      checkPointerUse(m, i, i.args[0], true, i.text);
    return;
  case Opcode::Allocate: {
    Value made = Value::of(Value::Pointer);
    made.trail = event(m, Event::Allocated, i, nullptr, {}, i.source);
    if (i.text == "device")
      requireGuard(m, i, "allocation");
    if (i.text == "device" || i.text == "symbol") {
      made.device = m.state.currentDevice();
      if (made.device.kind != DeviceValue::Cuda)
        made.device = DeviceValue::cuda(-1);
    } else {
      made.device = DeviceValue::cpu();
      made.set(Value::kHostMemory);
      made.set(Value::kPinned, i.text == "pinned");
      made.set(Value::kManaged, i.text == "managed");
    }
    define(m, i.dest, made);
    return;
  }
  case Opcode::FromBlob: {
    Value pointer = arg(0), options = arg(1);
    bool hasDevice =
        options.kind == Value::Device || (options.kind == Value::Options && options.has(Value::kHasDevice));
    DeviceValue device = hasDevice ? optionsDevice(m, options) : DeviceValue::cpu();
    if (i.args.size() > 1 && i.args[1].slot != facts::kNone && options.kind == Value::Unknown)
      device = {};
    const Event *story = event(m, Event::Wrapped, i, pointer.trail, device, i.args.empty() ? 0 : i.args[0].source);
    DeviceValue really = m.state.resolve(pointer.device);
    bool accessible = pointer.has(Value::kManaged) || pointer.has(Value::kPinned);
    if (pointer.kind == Value::Pointer && !accessible) {
      DeviceValue said = m.state.resolve(device);
      if (really.kind == DeviceValue::Cuda && said.kind == DeviceValue::Cpu) {
        Attribution(*this, m, i).pointer("from-blob-device", i.args[0], pointer, said);
        device = {};
      } else if (really.kind == DeviceValue::Cpu && said.kind == DeviceValue::Cuda) {
        Attribution(*this, m, i).pointer("from-blob-host", i.args[0], pointer, said);
        device = {};
      }
    }
    define(m, i.dest, tensorOn(device, story, Value::kRankN));
    return;
  }
  case Opcode::Memcpy: {
    if (i.args.size() < 2)
      return;
    bool toDevice = i.text == "host-to-device" || i.text == "device-to-device";
    bool fromDevice = i.text == "device-to-host" || i.text == "device-to-device";
    if (i.text != "default" && i.text != "unknown") {
      checkPointerUse(m, i, i.args[0], toDevice, "the destination of a " + i.text + " copy");
      checkPointerUse(m, i, i.args[1], fromDevice, "the source of a " + i.text + " copy");
    }
    if (i.text == "device-to-host" && i.flags & facts::kNonBlocking) {
      Value target = arg(0);
      if (target.kind == Value::Pointer && target.has(Value::kPinned)) {
        target.pending = i.source ? i.source : 1;
        target.trail = event(m, Event::CopiedAsync, i, target.trail, target.device, i.args[0].source);
        m.state.addPending(target.pending, m.state.currentDevice());
        write(m, i.args[0], target);
      }
    }
    return;
  }
  default:
    return;
  }
}

void Interpreter::hostRead(M m, const Instruction &i, const Operand &operand) {
  std::vector<Value> read;
  flatten(m.state, raw(m, operand.slot), read);
  for (const Value &what : read) {
    if (what.kind != Value::Tensor && what.kind != Value::Pointer)
      continue;
    if (what.has(Value::kManaged) || wasAsked(m.state, what))
      continue;
    consume(m, i, what, operand.source);
    DeviceValue device = m.state.resolve(deviceOf(m.state, what));
    bool chosen = device.kind == DeviceValue::Symbol && symbols_.mayBeCuda(device.symbol);
    if (device.kind == DeviceValue::Cuda || chosen) {
      Attribution(*this, m, i).hostAccess(operand, what, device);
      // Once told, the rest of this path is not worth another word.
      if (chosen)
        m.state.assumeCuda(device.symbol, false);
      else if (std::optional<Place> kept = placeOf(m, operand)) {
        Value quiet = what;
        quiet.device = {};
        quiet.object = 0;
        m.state.set(*kept, quiet);
      }
    } else if (device.kind == DeviceValue::Symbol && symbols_[device.symbol].kind == Symbol::FromCaller) {
      // Whoever reads it on the host means it to be there.
      hostOnly_.insert(device.symbol);
      m.state.assumeCuda(device.symbol, false);
    }
  }
}

void Interpreter::consume(M m, const Instruction &i, const Value &value, SourceId source) {
  if (value.has(Value::kUploading) && !(i.flags & facts::kWrite))
    return;
  if (m.state.isPending(value.pending)) {
    Attribution(*this, m, i).asyncRead(value, source);
    m.state.synchronize({});
  }
}

void Interpreter::checkDangling(M m, const Instruction &i, Value &value) {
  if (value.kind != Value::Pointer || !value.has(Value::kDangling))
    return;
  Attribution(*this, m, i).dangling(value);
  value.set(Value::kDangling, false);
}

void Interpreter::checkPointerUse(M m, const Instruction &i, const Operand &operand, bool wantsDevice,
                                  const std::string &what) {
  Value pointer = value(m, operand);
  if (pointer.kind != Value::Pointer || pointer.has(Value::kManaged) || wasAsked(m.state, pointer))
    return;
  DeviceValue device = m.state.resolve(pointer.device);
  bool hostKnown = device.kind == DeviceValue::Cpu;
  if (wantsDevice ? (hostKnown && !pointer.has(Value::kPinned)) : device.kind == DeviceValue::Cuda)
    Attribution(*this, m, i).pointer(wantsDevice ? "host-pointer" : "device-pointer", operand, pointer, device, what);
}

/// What uses the current device does so for tensors that a caller brought: they may be on another one.
void Interpreter::requireGuard(M m, const Instruction &i, const std::string &what) {
  DeviceValue current = m.state.currentDevice();
  if (current.kind != DeviceValue::Cuda || current.index >= 0 || current.symbol)
    return; // somebody has chosen it
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
        if (callers && known.kind != DeviceValue::Cpu && (known.kind != DeviceValue::Cuda || known.index < 0)) {
          Attribution(*this, m, i).missingGuard(*frame, slot, what);
          return;
        }
      }
    }
}

void Interpreter::stepControl(M m, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(m, i.args[n]) : Value{}; };
  auto indexed = [&](const Value &of) {
    DeviceValue device;
    if (of.kind == Value::Int && of.has(Value::kConstant))
      return DeviceValue::cuda(static_cast<int>(of.number));
    if (of.kind == Value::Int && of.symbol)
      return DeviceValue{DeviceValue::Cuda, -1, of.symbol};
    device = m.state.resolve(deviceOf(m.state, of));
    if (device.kind == DeviceValue::Symbol)
      return DeviceValue{DeviceValue::Cuda, -1, device.symbol};
    if (device.kind == DeviceValue::Cuda)
      return device;
    return DeviceValue{DeviceValue::Cuda, -1, symbols_.intern("guarded", Symbol::Plain)}; // for something, at least
  };
  switch (i.opcode) {
  case Opcode::Guard: {
    Value guard = Value::of(Value::Guard);
    guard.device = m.state.currentDevice();
    if (!i.args.empty() && i.args[0].slot != facts::kNone)
      m.state.setCurrentDevice(indexed(arg(0)));
    define(m, i.dest, guard);
    return;
  }
  case Opcode::SetDevice:
    m.state.setCurrentDevice(indexed(arg(0)));
    return;
  case Opcode::CurrentStream:
    requireGuard(m, i, "stream");
    define(m, i.dest, {});
    return;
  case Opcode::Launch:
    requireGuard(m, i, "launch");
    return;
  case Opcode::Synchronize:
    m.state.synchronize(i.args.empty() ? DeviceValue{} : indexed(arg(0)));
    return;
  case Opcode::End: {
    if (i.args.empty() || i.args[0].slot == facts::kNone)
      return;
    Value ended = raw(m, i.args[0].slot);
    if (ended.kind == Value::Guard)
      m.state.setCurrentDevice(ended.device);
    if (m.code.scratch[i.args[0].slot] < 0)
      m.state.erase(field(m.frame.id, i.args[0].slot));
    return;
  }
  case Opcode::CallUnknown:
    if (i.text.find("cudaPointerGetAttributes") != std::string::npos)
      for (const Operand &operand : i.args)
        if (Value pointer = value(m, operand); pointer.kind == Value::Pointer && pointer.trail)
          m.state.set(place(0, Part::Child, pointer.trail->order & 0xfffffff), Value{});
    for (const Operand &operand : i.args)
      if (operand.mayWrite) {
        Value at = raw(m, operand.slot);
        std::optional<Place> target = placeOf(m, operand);
        if (at.kind == Value::Object)
          havoc(m.state, at);
        else if (target)
          havoc(m.state, referenceTo(*target));
      }
    define(m, i.dest, unknownResult(m, i));
    return;
  default:
    return;
  }
}

} // namespace samedevice::analysis
