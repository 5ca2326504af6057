// Memory: pointers, host reads, copies.
#include "Memory.h"
#include "Attribution.h"
#include "Control.h"
#include "Devices.h"
#include "Tensors.h"
#include "Unseen.h"
#include "Values.h"

namespace samedevice::analysis {

static void hostRead(Context &context, const Instruction &instruction, const Operand &operand);
static Value hostMemory(Context &context, const Instruction &instruction);
static void checkPointerUse(Context &context, const Instruction &instruction, const Operand &operand,
                            const Value &pointer, bool wantsDevice, const std::string &what);
static void useOnDevice(Context &context, const Instruction &instruction);

namespace {

/// Where it is noted that somebody asked after the memory of a pointer with this story.
Place asked(const Event &story) { return place(0, Part::Child, story.order & kLastIndex); }

} // namespace

/// The program asks the CUDA runtime where this memory is: what it does then is not ours to judge.
static bool wasAsked(const State &state, const Value &pointer) {
  for (const Event *event = pointer.trail; event; event = event->previous)
    if (state.find(asked(*event)))
      return true;
  return false;
}

/// A copy whose direction the caller has chosen: as what it is then, and as that call, with what is written there.
static std::optional<Instruction> directedByCaller(Context &context, const Instruction &copy) {
  static constexpr Mode kinds[] = {Mode::HostToHost, Mode::HostToDevice, Mode::DeviceToHost, Mode::DeviceToDevice,
                                   Mode::ByPointers}; // as CUDA numbers them
  const Value kind = copy.args.size() > 2 ? value(context, copy.args[2]) : Value{};
  if (kind.kind != Value::Int || !kind.has(Value::kConstant) || kind.number < 0 || kind.number >= 5)
    return std::nullopt;
  Instruction chosen = copy;
  chosen.mode = kinds[kind.number];
  std::vector<Slot> slots;
  slots.reserve(copy.args.size());
  for (const Operand &operand : copy.args)
    slots.push_back(operand.slot);
  for (const Frame *frame = &context.frame;
       frame->caller && frame->site && frame->site->opcode == Opcode::Call && slots[2] < frame->code->paramCount;
       frame = frame->caller) {
    chosen.source = frame->site->source;
    for (std::size_t n = 0; n < slots.size(); ++n)
      if (slots[n] < frame->code->paramCount && slots[n] < frame->site->args.size()) {
        chosen.args[n].source = frame->site->args[slots[n]].source;
        slots[n] = frame->site->args[slots[n]].slot;
      } else {
        slots[n] = facts::kNone;
      }
  }
  return chosen;
}

void noteBroughtToHost(Context &context, SymbolId device, const Event *move) {
  Value known = Value::constant(Value::Bool, true);
  known.trail = move;
  context.state.set(field(0, context.universe().symbols.broughtToHost(device)), known);
}

/// Who runs now, or has called who runs, has brought such a tensor to the host on this path: there.
static const Event *broughtToHost(Context &context, DeviceValue device) {
  if (!isCallers(context.universe(), device))
    return nullptr;
  const Event *move = context.state.get(field(0, context.universe().symbols.broughtToHost(device.symbol))).trail;
  for (const Frame *frame = &context.frame; frame && move; frame = frame->caller)
    if (frame->function == move->function)
      return move;
  return nullptr;
}

void stepMemory(Context &context, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(context, i.args[n]) : Value{}; };
  switch (i.opcode) {
  case Opcode::Pointer: {
    Value of = arg(0), made;
    made.kind = Value::Pointer;
    if (of.kind == Value::Tensor) {
      Participant p = participant(context, of, i.args[0].source);
      made.device = deviceOf(context.state, of);
      made.lookInto(of);
      made.set(Value::kLiteral, of.has(Value::kLiteral));
      made.set(Value::kManaged, of.has(Value::kEmpty)); // there is nothing behind it to be read
      context.evidence.memoryTaken.note(made.device.symbol);
      made.set(Value::kDangling, (i.flags & facts::kOfTemporary) && of.has(Value::kFresh));
      made.trail = event(context, Event::PointerTaken, i, p.value.trail, made.device, i.args[0].source);
      if (i.dest != facts::kNone && !context.frame.code->slots[i.dest].name.empty())
        checkDangling(context, i, made);
    } else if (context.frame.code->slots[i.args[0].slot].type == facts::Type::List) { // a container's: the host's own
      made = hostMemory(context, i);
      made.object = of.kind == Value::Object ? of.object : 0;
      made.set(Value::kPinned, made.object && context.state.find(meta(made.object, Meta::PageLocked)));
    }
    define(context, i.dest, made);
    return;
  }
  case Opcode::AskedWhere:
    if (const Value pointer = arg(0); pointer.kind == Value::Pointer && pointer.trail)
      context.state.set(asked(*pointer.trail), Value{});
    return;
  case Opcode::PageLock: {
    Value memory = arg(0);
    if (memory.object)
      context.state.set(meta(memory.object, Meta::PageLocked), Value::of(Value::Null));
    if (memory.kind != Value::Pointer)
      return;
    memory.set(Value::kPinned);
    write(context, i.args[0], memory);
    return;
  }
  case Opcode::PointerOffset:
    define(context, i.dest, arg(0));
    return;
  case Opcode::HostRead:
    if (!i.args.empty())
      hostRead(context, i, i.args[0]);
    return;
  case Opcode::HostView:
    if (!i.args.empty())
      hostRead(context, i, i.args[0]);
    define(context, i.dest, {});
    return;
  case Opcode::DeviceUse:
    if (!i.args.empty())
      useOnDevice(context, i);
    return;
  case Opcode::Allocate: {
    Value made = hostMemory(context, i);
    if (i.mode == Mode::Device) // managed memory goes to whichever GPU uses it
      requireGuard(context, i, "allocation");
    if (i.mode == Mode::Device || i.mode == Mode::Symbol) {
      made.device = context.state.currentDevice();
      if (made.device.kind != DeviceValue::Cuda)
        made.device = DeviceValue::cuda(-1);
      made.set(Value::kHostMemory, false);
      made.trail = event(context, Event::Allocated, i, nullptr, made.device, i.source);
    }
    made.set(Value::kPinned, i.mode == Mode::Pinned);
    made.memory = made.has(Value::kPinned) ? nameAnew(context, i) : 0;
    made.set(Value::kManaged, i.mode == Mode::Managed);
    define(context, i.dest, made);
    return;
  }
  case Opcode::FromBlob: {
    Value pointer = i.args.empty() ? Value{} : pointerValue(context, i, i.args[0]), options = arg(1);
    bool hasDevice =
        options.kind == Value::Device || (options.kind == Value::Options && options.has(Value::kHasDevice));
    DeviceValue device = hasDevice ? optionsDevice(context, options) : DeviceValue::cpu();
    if (i.args.size() > 1 && i.args[1].slot != facts::kNone && options.kind == Value::Unknown)
      device = {};
    const Event *story =
        event(context, Event::Wrapped, i, pointer.trail, device, i.args.empty() ? 0 : i.args[0].source);
    DeviceValue really = context.state.resolve(pointer.device);
    bool accessible = pointer.has(Value::kManaged) || pointer.has(Value::kPinned);
    if (pointer.kind == Value::Pointer && !accessible) {
      DeviceValue said = context.state.resolve(device);
      if (really.kind == DeviceValue::Cuda && said.kind == DeviceValue::Cpu) {
        Attribution(context, i).pointer("from-blob-device", i.args[0], pointer, said);
        device = {};
      } else if (really.kind == DeviceValue::Cpu &&
                 (said.kind == DeviceValue::Cuda || broughtToHost(context, said) ||
                  (said.kind == DeviceValue::Symbol && context.universe().symbols.mayBeCuda(said.symbol) &&
                   !options.has(Value::kHandedIn)))) {
        Attribution(context, i).pointer("from-blob-host", i.args[0], pointer, said);
        device = {};
      }
    }
    Value made = tensorOn(device, story, 0, 1);
    if (pointer.kind == Value::Pointer)
      made.lookInto(pointer);
    define(context, i.dest, made);
    return;
  }
  case Opcode::Memcpy: {
    if (i.args.size() < 2)
      return;
    if (std::optional<Instruction> chosen = i.mode == Mode::SomeDirection ? directedByCaller(context, i) : std::nullopt)
      return stepMemory(context, *chosen);
    const bool isAmongDevices = i.mode == Mode::DeviceToDevice || i.mode == Mode::Peer;
    const bool toDevice = isAmongDevices || i.mode == Mode::HostToDevice;
    const bool fromDevice = isAmongDevices || i.mode == Mode::DeviceToHost;
    if (i.mode == Mode::Peer)
      noteApart(context, pointerValue(context, i, i.args[1]).device, pointerValue(context, i, i.args[0]).device);
    if (i.mode != Mode::ByPointers && i.mode != Mode::SomeDirection) {
      checkPointerUse(context, i, i.args[0], pointerValue(context, i, i.args[0]), toDevice,
                      "the destination of a " + wordOf(i) + " copy");
      checkPointerUse(context, i, i.args[1], pointerValue(context, i, i.args[1]), fromDevice,
                      "the source of a " + wordOf(i) + " copy");
    }
    const bool isUpload = i.mode == Mode::HostToDevice;
    if ((isUpload || i.mode == Mode::DeviceToHost) && i.flags & facts::kNonBlocking) {
      const Operand &host = i.args[isUpload ? 1 : 0];
      Value memory = value(context, host);
      if (memory.kind == Value::Pointer && memory.has(Value::kPinned)) {
        startCopy(context, i, memory, context.state.currentDevice(), host.source, isUpload);
        write(context, host, memory);
      }
    }
    return;
  }
  default:
    return;
  }
}

/// Memory of the host's own: an allocation, an array, a container's.
static Value hostMemory(Context &context, const Instruction &i) {
  Value made = Value::of(Value::Pointer);
  made.device = DeviceValue::cpu();
  made.set(Value::kHostMemory);
  made.trail = event(context, Event::Allocated, i, nullptr, made.device, i.source);
  return made;
}

static void hostRead(Context &context, const Instruction &i, const Operand &operand) {
  std::vector<Value> read;
  flatten(context.state, raw(context, operand.slot), read);
  for (const Value &what : read)
    needOnHost(context, i, operand, what);
}

/// Nothing that the dispatcher goes by.
static bool isPlain(const facts::SlotInfo &parameter) {
  const facts::Type type = parameter.type == facts::Type::List ? parameter.element : parameter.type;
  return type == facts::Type::Int || type == facts::Type::Bool || type == facts::Type::String ||
         type == facts::Type::Other;
}

/// The dispatcher has called this function because of a tensor on CUDA, and of all that it has called it with, those
/// that the host has not read without a question are where this one is.
static bool isCudaByDispatch(Context &context, SymbolId read) {
  const Frame &root = outermost(context.frame);
  bool isGiven = false;
  for (Slot slot = 0; root.code->isForCuda && slot < root.code->paramCount; ++slot) {
    const facts::SlotInfo &parameter = root.code->slots[slot];
    if (parameter.isSelf() || isPlain(parameter))
      continue;
    const SymbolId symbol =
        context.universe().symbols.intern(keyOfParameter(*root.code, root.function, slot), Symbol::FromCaller);
    const DeviceValue device = context.state.resolve(DeviceValue::of(symbol));
    const bool wasRead = device.kind == DeviceValue::Cpu && context.evidence.readOnHost(symbol);
    if (parameter.type != facts::Type::Tensor || (!wasRead && device.symbol != read))
      return false;
    isGiven |= device.symbol == read;
  }
  return isGiven;
}

/// The making of the very tensor that the host reads: what was computed of it, or brought here first, says nothing of
/// it.
static const Event *madeAsRead(const Value &what) {
  const Event *event = what.trail;
  while (event && event->kind != Event::CreatedByDefault)
    event = event->kind == Event::Computed || event->kind == Event::Moved ? nullptr : event->previous;
  return event;
}

/// The host reads it, itself or in an operator that wants it there. False where it was told to be elsewhere.
bool needOnHost(Context &context, const Instruction &i, const Operand &operand, const Value &what) {
  if (what.kind != Value::Tensor && what.kind != Value::Pointer)
    return true;
  if (what.has(Value::kManaged) || wasAsked(context.state, what))
    return true;
  consume(context, i, what, operand.source);
  DeviceValue device = context.state.resolve(deviceOf(context.state, what));
  bool chosen = device.kind == DeviceValue::Symbol && context.universe().symbols.mayBeCuda(device.symbol);
  if (device.kind == DeviceValue::Cuda || chosen) {
    Attribution(context, i).hostAccess(operand, what, device);
    // Once told, the rest of this path is not worth another word.
    if (chosen)
      context.state.assumeCuda(device.symbol, false);
    else if (std::optional<Place> kept = placeOf(context, operand)) {
      Value quiet = what;
      quiet.device = {};
      quiet.object = 0;
      context.state.set(*kept, quiet);
    }
    return false;
  }
  if (isCallers(context.universe(), device)) {
    const Event *brought = broughtToHost(context, device);
    if (brought || isCudaByDispatch(context, device.symbol)) {
      Attribution(context, i).hostAccess(operand, what, device, brought);
      context.state.assumeCuda(device.symbol, false);
      return false;
    }
    // Whoever reads it on the host means it to be there.
    context.evidence.hostOnly.note(device.symbol);
    context.evidence.noteRead(device.symbol, event(context, Event::PointerTaken, i, nullptr, {}, operand.source));
    context.state.assumeCuda(device.symbol, false);
  } else if (latest(what.trail, Event::CreatedByDefault)) {
    if (const Event *made = madeAsRead(what))
      context.evidence.filledOnHost.note(made);
    if (const Event *taken = latest(what.trail, Event::PointerTaken))
      context.evidence.goneThrough.note(taken);
  }
  return true;
}

void consume(Context &context, const Instruction &i, const Value &value, SourceId source) {
  if (value.has(Value::kUploading) && !(i.flags & facts::kWrite))
    return;
  if (context.state.isPending(value.pending) && !context.state.lacksGpu()) {
    Attribution(context, i).asyncRead(value, source);
    context.state.synchronize({});
  }
}

void checkDangling(Context &context, const Instruction &i, Value &value) {
  if (value.kind != Value::Pointer || !value.has(Value::kDangling))
    return;
  Attribution(context, i).dangling(value);
  value.set(Value::kDangling, false);
}

/// What is known of an address, also where the facts see through it to the record or list behind it.
Value pointerValue(Context &context, const Instruction &i, const Operand &operand) {
  Value found = value(context, operand);
  if (found.kind != Value::Object)
    return found;
  // Lists are containers of the host. A record is, too, where its making was in sight.
  bool isList = context.frame.code->slots[operand.slot].type == facts::Type::List;
  bool isKnown =
      isList || (!context.state.find(meta(found.object, Meta::Symbolic)) && !isModule(context.state, found.object));
  if (!isKnown || context.state.find(meta(found.object, Meta::PageLocked)))
    return {};
  Value made = hostMemory(context, i);
  made.trail = nullptr;
  return made;
}

static void checkPointerUse(Context &context, const Instruction &i, const Operand &operand, const Value &pointer,
                            bool wantsDevice, const std::string &what) {
  if (pointer.kind != Value::Pointer || pointer.has(Value::kManaged) || wasAsked(context.state, pointer))
    return;
  DeviceValue device = context.state.resolve(pointer.device);
  if (!wantsDevice && isCallers(context.universe(), device)) {
    context.evidence.hostOnly.note(device.symbol);
    context.state.assumeCuda(device.symbol, false);
    return;
  }
  // Memory of the caller's that is demanded on the host may be pinned, which kernels can read.
  const bool wasCallers = isCallers(context.universe(), pointer.device);
  if (wantsDevice && wasCallers && device.kind == DeviceValue::Cpu && !pointer.has(Value::kPinned)) {
    if (const Event *read = context.evidence.readOnHost(pointer.device.symbol))
      Attribution(context, i).readBeforeKernel(*read, pointer, what);
    return;
  }
  bool hostKnown = device.kind == DeviceValue::Cpu;
  if (wantsDevice ? (hostKnown && !pointer.has(Value::kPinned)) : device.kind == DeviceValue::Cuda)
    Attribution(context, i).pointer(wantsDevice ? "host-pointer" : "device-pointer", operand, pointer, device, what);
}

/// What a kernel gets in an argument, by itself or in a block of parameters, and where it was taken from its tensor.
struct Address {
  Value pointer;
  SourceId source = 0;
};

static std::vector<Address> addressesIn(Context &context, const Instruction &i, const Operand &operand) {
  const facts::SlotInfo &slot = context.frame.code->slots[operand.slot];
  const Value block = value(context, operand);
  std::vector<Value> pointers;
  if (block.kind == Value::Object && slot.type == facts::Type::Record && !slot.reference)
    flatten(context.state, block, pointers);
  else
    pointers.push_back(pointerValue(context, i, operand));
  std::vector<Address> addresses;
  for (const Value &pointer : pointers) {
    const Event *taken = latest(pointer.trail, Event::PointerTaken);
    addresses.push_back({pointer, taken ? taken->subject : operand.source});
  }
  return addresses;
}

/// One kernel, two GPUs: a tensor that was put on one by its number, and one that came from elsewhere; or one that was
/// moved, and one that was forgotten. Which of them the kernel runs on does not matter. True where that was told.
static bool meetInKernel(Context &context, const Instruction &i, const Address &address, const Address &met) {
  auto takesPart = [&](const Address &x) {
    return Participant{x.pointer, x.source, context.state.resolve(x.pointer.device)};
  };
  auto isNumbered = [](const Participant &p) {
    return p.value.has(Value::kLiteral) && p.device.kind == DeviceValue::Cuda && p.device.index >= 0;
  };
  const Participant here = takesPart(address), other = takesPart(met);
  if (met.pointer.kind != Value::Pointer || other.device.kind == DeviceValue::Cpu ||
      here.device.kind == DeviceValue::Cpu)
    return false;
  const Relation relation = relate(context.state, here.device, other.device);
  if (relation.kind == Relation::Unknown)
    return Attribution(context, i).forgotten(here, other, i.text);
  if (relation.kind != Relation::Different || isNumbered(here) == isNumbered(other))
    return false;
  Attribution(context, i).conflict(here, other, relation, i.text);
  return true;
}

/// What the same kernel gets before this argument.
static std::vector<Address> addressesBefore(Context &context, const Instruction &i) {
  std::vector<Address> met;
  for (const facts::Block &block : context.frame.code->blocks) {
    const Instruction *first = block.instructions.data();
    if (&i < first || &i >= first + block.instructions.size())
      continue;
    for (const Instruction *before = first; before != &i; ++before)
      if (before->opcode == Opcode::DeviceUse && before->source == i.source && !before->args.empty())
        for (const Address &address : addressesIn(context, *before, before->args[0]))
          met.push_back(address);
  }
  return met;
}

/// A kernel, or a library's, gets a pointer, by itself or in a block of parameters: it must lead to memory of the
/// device that is current.
static void useOnDevice(Context &context, const Instruction &i) {
  const Operand &operand = i.args[0];
  std::vector<Address> met = addressesBefore(context, i);
  for (const Address &address : addressesIn(context, i, operand)) {
    const Value &pointer = address.pointer;
    checkPointerUse(context, i, operand, pointer, true, i.text);
    if (pointer.kind != Value::Pointer || pointer.has(Value::kManaged) || pointer.has(Value::kPinned))
      continue;
    DeviceValue device = context.state.resolve(pointer.device);
    if (isCallers(context.universe(), device)) {
      context.state.assumeCuda(device.symbol, true); // whoever passes it to a kernel means it to be there
      context.evidence.neverOnHost.note(device.symbol);
    }
    for (const Address &other : met)
      if (meetInKernel(context, i, address, other))
        break;
    met.push_back(address);
    if (i.flags & facts::kGuarded)
      continue;
    guardedForAnother(context, i, device);
    bool madeOnCurrent = device.kind == DeviceValue::Cuda && device.index < 0 && !device.symbol;
    if (madeOnCurrent && context.state.currentDevice().symbol)
      madeBeforeGuard(context, i, pointer);
  }
}

} // namespace samedevice::analysis
