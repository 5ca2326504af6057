// Mistakes with memory: read by the host where it is a GPU's, too early, or after it is gone; pointers of the wrong
// side.
#include "Attribution.h"
#include "Blocks.h"
#include "Devices.h"
#include "Homes.h"
#include "Locals.h"
#include "Modules.h"
#include "Reenactment.h"
#include "Tensors.h"
#include "Values.h"

#include <algorithm>
#include <utility>

namespace samedevice::analysis {

/// Which parameter the tensor is whose memory a function takes there, or that it is a view of.
static Slot parameterBehind(const Function &code, SourceId taken) {
  Slot slot = facts::kNone;
  for (std::size_t b = code.blocks.size(); b-- > 0;)
    for (std::size_t n = code.blocks[b].instructions.size(); n-- > 0;) {
      const Instruction &i = code.blocks[b].instructions[n];
      const bool isTaking = i.opcode == Opcode::Pointer && i.source == taken;
      const bool isView =
          slot != facts::kNone && i.dest == slot && (i.opcode == Opcode::Op || i.opcode == Opcode::View);
      if ((isTaking || isView) && !i.args.empty())
        slot = i.args[0].slot;
    }
  const bool isObject = !code.isStatic && code.cls != facts::kNone && slot == 0;
  return slot < code.paramCount && !isObject ? slot : facts::kNone;
}

/// A function that hands out a pointer into what it was given cannot hand out one into a copy: what it was given at the
/// call, and in `call` that.
const Operand *Attribution::argumentBehind(const Event &taken, SourceId &call) const {
  if (onStack(taken.function))
    return nullptr;
  const Slot given = parameterBehind(context_.program().functions[taken.function], taken.at);
  if (given == facts::kNone)
    return nullptr;
  for (const Frame *frame = &context_.frame; frame; frame = frame->caller)
    if (const SourceId site = context_.program().onlyCall(frame->function, taken.function))
      for (const facts::Block &block : frame->code->blocks)
        for (const Instruction &i : block.instructions)
          if (i.source == site && i.opcode == Opcode::Call && given < i.args.size()) {
            call = site;
            return &i.args[given];
          }
  return nullptr;
}

void Attribution::hostAccess(const Operand &operand, const Value &what, DeviceValue device, const Event *brought) {
  scene_ = [&](Reenactment &play) { play.hostAccess(i_, what, device); };
  Finding finding;
  finding.check = Check::HostAccess;
  const bool isArgument = i_.opcode == facts::Opcode::Op; // an operator wants it there
  finding.variant = what.kind == Value::Pointer ? "pointer" : isArgument ? "argument" : "tensor";
  finding.at = isArgument ? operand.source : i_.source;
  finding.subject = operand.source;
  finding.device = describe(context_.state, device);
  finding.detail = wordOf(i_);
  if (device.kind == DeviceValue::Symbol)
    finding.when = When::IfCuda;
  Participant p = participant(context_, what, operand.source);
  tell(finding, {p.value.trail, brought});
  const Event *oldest = beginning(p.value.trail), *moved = latest(p.value.trail, Event::Moved);
  if (what.kind == Value::Pointer && oldest && oldest->kind == Event::Allocated && !moved) { // no tensor's memory
    finding.check = Check::RawPointer;
    finding.variant = "host-read";
  }
  const Event *root = origin(p.value.trail);
  if (root && root->function != context_.frame.function && onStack(root->function))
    finding.notes.push_back({Event::Called, siteIn(root->function), 0, {}});
  const Event *taken = latest(p.value.trail, Event::PointerTaken);
  if (taken && taken->at == operand.source && finding.variant == "pointer") { // `x.data_ptr<float>()[0]`
    finding.variant = "tensor";
    finding.subject = taken->subject;
  }
  if (!(i_.flags & facts::kWrite)) // a write would be lost in a copy
    finding.fix.kind = Fix::HostCopy;
  finding.fix.at = taken ? taken->subject : operand.source;
  finding.fix.subject = isArgument ? operand.source : taken ? taken->at : i_.source;
  // Where it is, only the dispatcher knows: for what the function is registered, or what it does, is to be changed.
  if (!brought && isCallers(context_.universe(), device)) {
    finding.variant = "registered";
    finding.other = outermost(context_.frame).code->source;
    finding.fix = {};
    report(finding, taken ? taken->at : operand.source, within(context_.frame.function));
    return;
  }
  // Of several that a function puts into one structure, the one that it has not brought to the host.
  if (const Event *left = leftAmongMembers(p, DeviceValue::cpu()); left && left->at) {
    finding.variant = "left";
    finding.at = finding.fix.at = finding.fix.subject = left->at;
    finding.subject = left->subject;
    std::erase_if(finding.notes, [&](const Note &note) { return note.at == finding.at; });
    finding.notes.push_back({Event::Computed, i_.source, operand.source, {}});
    report(finding, finding.at, 0);
    return;
  }
  proviso_.climbs = climbs(p.value.trail, {});
  // Who brings others of the caller's to the host has handed this one on as it came.
  const SourceId handedOn = brought ? siteIn(brought->function) : 0;
  for (const Climb &call : brought ? std::exchange(proviso_.climbs, {}) : std::vector<Climb>{})
    if (call.site == handedOn && call.subject) {
      finding.variant = "tensor";
      finding.at = call.site;
      finding.subject = finding.fix.at = finding.fix.subject = call.subject;
      finding.notes.push_back({Event::Computed, i_.source, operand.source, {}});
      report(finding, finding.at, 0);
      return;
    }
  // Where the pointer was taken, the tensor has a name and can be brought to the host, unless the device gets it, too.
  // Who looks through one that others have taken, a comparison or a view's `at()`, knows of no tensor.
  const bool isTakenHere = taken && taken->function == context_.frame.function;
  const bool isToldThere =
      isTakenHere ? !context_.program().isForDevice(taken->function, taken->at) : taken && proviso_.climbs.empty();
  if (isToldThere && finding.variant == "pointer") {
    finding.variant = "tensor";
    finding.at = taken->at;
    finding.subject = taken->subject;
    if (const Operand *given = isTakenHere ? nullptr : argumentBehind(*taken, finding.at)) {
      finding.subject = given->source;
      finding.fix = {};
    }
    std::erase_if(finding.notes, [&](const Note &note) { return note.at == finding.at; });
    finding.notes.push_back({Event::Computed, i_.source, operand.source, {}});
  }
  for (Climb &call : proviso_.climbs) {
    call.isForHost = true;
    call.fix = {};
    call.fix.kind = Fix::HostCopy;
    call.fix.at = call.fix.subject = call.subject;
    if (taken && call.isOfPointer) // `put(c.data_ptr())`
      call.fix = finding.fix;
  }
  if (finding.variant == "tensor" && (!taken || isTakenHere))
    proviso_.madeFor = madeFor(*context_.frame.code, finding.at, finding.subject);
  report(finding, taken ? taken->at : operand.source, within(context_.frame.function));
}

void Attribution::readBeforeKernel(const Event &read, const Value &pointer, const std::string &kernel) {
  scene_ = [&](Reenactment &play) { play.readBeforeKernel(read); };
  Finding finding;
  finding.check = Check::HostAccess;
  finding.variant = "kernels";
  finding.at = read.at;
  finding.subject = read.subject;
  finding.detail = kernel;
  const Event *taken = latest(pointer.trail, Event::PointerTaken);
  finding.notes.push_back({Event::Computed, i_.source, taken ? taken->subject : 0, {}});
  finding.fix.kind = Fix::HostCopy;
  finding.fix.at = read.subject;
  finding.fix.subject = read.at;
  report(finding, read.at, 0);
}

void Attribution::dangling(const Value &pointer) {
  scene_ = [&](Reenactment &play) { play.dangling(i_, pointer); };
  Finding finding;
  finding.check = Check::HostAccess;
  finding.variant = "dangling";
  finding.at = pointer.trail ? pointer.trail->at : i_.source;
  finding.subject = pointer.trail ? pointer.trail->subject : 0;
  finding.fix.kind = Fix::HostCopy;
  finding.fix.at = finding.subject;
  finding.fix.subject = finding.at;
  report(finding, finding.at, 0);
}

/// Whether it is filled by that copy, or holds something that is.
static bool isFilledBy(const State &state, const Value &value, ObjectId pending) {
  std::vector<Value> tensors;
  if (value.kind == Value::Object && !isModule(state, value.object))
    flatten(state, value, tensors);
  return value.pending == pending ||
         std::any_of(tensors.begin(), tensors.end(), [&](const Value &tensor) { return tensor.pending == pending; });
}

/// What was given at a call, as it is written there, and looks into the memory that the same copy fills; else 0.
SourceId Attribution::argumentAt(SourceId call, const Value &value) const {
  for (const Frame *frame = &context_.frame; frame->caller && frame->site && frame->arguments; frame = frame->caller) {
    if (frame->site->source != call || frame->site->args.size() != frame->arguments->size())
      continue;
    for (std::size_t n = 0; n < frame->arguments->size(); ++n)
      if (isFilledBy(context_.state, follow(context_.state, (*frame->arguments)[n]), value.pending)) {
        const Event *taken = latest(value.trail, Event::PointerTaken);
        return taken && taken->at == frame->site->args[n].source ? taken->subject : frame->site->args[n].source;
      }
  }
  return 0;
}

/// Where who started a copy hands out what it fills: in the innermost of the functions that run and are of that class,
/// or in that one itself. Else where it is read.
SourceId Attribution::handedOutAt(FunctionId starter) const {
  const Function &code = context_.program().functions[starter];
  SourceId site = i_.source;
  for (const Frame *frame = &context_.frame; frame; frame = frame->caller) {
    const bool isOfClass =
        code.cls != facts::kNone && frame->code->cls == code.cls && !context_.program().isLambda(*frame->code);
    if (isOfClass)
      return site;
    if (frame->function == starter)
      return siteIn(starter);
    if (frame->site && frame->site->source) // what a class calls back is in somebody else's lines
      site = frame->site->source;
  }
  return i_.source;
}

/// Who reads what it was given knows of no copy: the call that gave it, in the function that has it from elsewhere, be
/// it from an object of the class that has started the copy.
SourceId Attribution::givenAt(FunctionId starter, ObjectId pending) const {
  const facts::ClassId cls = context_.program().functions[starter].cls;
  auto isGiven = [&](const Frame &frame) {
    const bool isMethod = frame.code->cls != facts::kNone && !frame.code->isStatic;
    return std::any_of(frame.arguments->begin() + (isMethod && !frame.arguments->empty() ? 1 : 0),
                       frame.arguments->end(), [&](const Value &argument) {
                         const Value given = follow(context_.state, argument);
                         const bool isStarters = cls != facts::kNone && given.kind == Value::Object &&
                                                 classOf(context_.state, given.object) == cls;
                         return !isStarters && isFilledBy(context_.state, given, pending);
                       });
  };
  SourceId site = i_.source;
  for (const Frame *frame = &context_.frame; frame->caller && frame->site && frame->site->source && frame->arguments &&
                                             !context_.program().isLambda(*frame->code) && isGiven(*frame);
       frame = frame->caller)
    site = frame->site->source;
  return site;
}

/// An object that comes into being with a copy under way, and cannot be asked to wait for it, is never good to use.
static bool isNeverWaitedFor(const ProgramIndex &program, FunctionId starter) {
  const facts::ClassId cls = program.functions[starter].cls;
  auto waits = [&](const Function &code) {
    return code.cls == cls && hasInstruction(code, [](const Instruction &i) {
             return i.opcode == Opcode::Synchronize || i.opcode == Opcode::RecordEvent;
           });
  };
  return program.functions[starter].isConstructor &&
         std::none_of(program.functions.begin(), program.functions.end(), waits);
}

/// `enqueue`, `start_download`: whoever calls it knows that it is not done when it returns.
static bool isNamedAsBeginning(const Function &code) {
  std::string name = code.name.substr(code.name.rfind(':') + 1);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::string_view words[] = {"async", "queue", "start", "begin", "prefetch"};
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

/// Not because a flag says so that somebody hands in.
static bool isAskedForThere(const ProgramIndex &program, const Event &copy) {
  return hasInstruction(program.functions[copy.function],
                        [&](const Instruction &i) { return i.source == copy.at && i.flags & facts::kNonBlocking; });
}

/// A function that hands out what it has begun to copy, not as its caller wants it, in a program that never waits.
static bool isUnfinishedForAll(const ProgramIndex &program, const Event &copy) {
  const Function &starter = program.functions[copy.function];
  const facts::Type given = starter.result.type;
  const bool isGiven = given == facts::Type::Tensor || given == facts::Type::Record || given == facts::Type::List;
  auto waits = [](const Function &code) {
    return hasInstruction(code, [](const Instruction &i) {
      return i.opcode == Opcode::Synchronize || i.opcode == Opcode::RecordEvent || i.opcode == Opcode::WaitEvent;
    });
  };
  return isGiven && isAskedForThere(program, copy) && !isNamedAsBeginning(starter) &&
         std::none_of(program.functions.begin(), program.functions.end(), waits);
}

/// What the host may want to do while a copy is on its way.
static bool isWork(const Instruction &i) {
  switch (i.opcode) {
  case Opcode::Call:
  case Opcode::CallValue:
  case Opcode::CallUnknown:
  case Opcode::Forward:
  case Opcode::MoveModule:
  case Opcode::OptimizerStep:
  case Opcode::Move:
  case Opcode::Op:
  case Opcode::Like:
  case Opcode::Memcpy:
  case Opcode::DeviceUse:
  case Opcode::Launch:
  case Opcode::OnStream:
  case Opcode::RecordEvent:
  case Opcode::Synchronize:
  case Opcode::WaitEvent:
    return true;
  default:
    return false;
  }
}

/// Whether nothing is done between two steps of a function: it might as well have waited for the first one.
static bool isNextTo(const Function &code, SourceId first, SourceId then) {
  auto isAt = [](SourceId source) { return [source](const Instruction &i) { return i.source == source; }; };
  for (const facts::Block &block : code.blocks) {
    const auto begin = block.instructions.begin(), end = block.instructions.end();
    const auto started = std::find_if(begin, end, isAt(first));
    if (started == end)
      continue;
    auto isBusy = [&](auto from, auto to) { return std::any_of(from, to, isWork); };
    const auto reached = std::find_if(started + 1, end, isAt(then));
    if (reached != end || isBusy(started + 1, end))
      return reached != end && !isBusy(started + 1, reached);
    bool isReached = false;
    const bool isWorking = leads(
        code, block.end.successors,
        [&](const facts::Block &later) {
          const bool ends = hasInstruction(later, isAt(then));
          isReached |= ends;
          return ends && !isBusy(later.instructions.begin(),
                                 std::find_if(later.instructions.begin(), later.instructions.end(), isAt(then)));
        },
        [&](const facts::Block &later) { return isBusy(later.instructions.begin(), later.instructions.end()); });
    return isReached && !isWorking;
  }
  return false;
}

void Attribution::asyncRead(const Value &value, SourceId source) {
  const Event *copy = latest(value.trail, Event::CopiedAsync);
  const SourceId copied = copy ? copy->at : i_.source;
  scene_ = [&](Reenactment &play) { play.asyncRead(i_, value, copied); };
  Finding finding;
  finding.check = Check::AsyncCopy;
  finding.variant = value.has(Value::kUploading) ? "overwritten" : "read";
  finding.at = i_.source;
  finding.subject = source;
  finding.detail = wordOf(i_);
  // Whoever started the copy and hands out what it fills has to wait before that; of a class, its last method to do so.
  finding.at = copy ? handedOutAt(copy->function) : i_.source;
  // Who started it has not waited before it calls what reads it, as nobody else does.
  const bool isCallers = copy && finding.variant == "read" && finding.at == i_.source && onStack(copy->function) &&
                         context_.frame.function != copy->function &&
                         context_.program().isCalledOnlyBy(context_.frame.function, copy->function);
  const bool isConstructors =
      copy && !onStack(copy->function) && finding.variant == "read" &&
      (isNeverWaitedFor(context_.program(), copy->function) || isUnfinishedForAll(context_.program(), *copy));
  const bool isReaders = copy && !isConstructors && finding.at == i_.source && !onStack(copy->function);
  if (isReaders)
    finding.at = givenAt(copy->function, value.pending);
  const Event *taken = latest(value.trail, Event::PointerTaken);
  const bool isTakenHere = copy && taken && taken->function == context_.frame.function && taken->order > copy->order;
  const Event *waited = context_.state.get(place(0, Part::Element, value.pending)).trail;
  const SourceId firstLook = isTakenHere ? taken->at : i_.source;
  // It did not have to be asynchronous.
  const bool isInVain = copy && finding.variant == "read" && context_.frame.function == copy->function &&
                        !(waited && waited->at) && isAskedForThere(context_.program(), *copy) &&
                        isNextTo(*context_.frame.code, copied, firstLook);
  if (isConstructors || isCallers || isInVain) {
    finding.variant = "copy";
    finding.at = copied;
    if (isInVain && isTakenHere)
      finding.subject = taken->subject;
  } else if (finding.at == i_.source && isTakenHere && taken->at != source) { // the tensor has a name there
    finding.at = taken->at;
    finding.subject = taken->subject;
  } else if (finding.at != i_.source) {
    finding.subject = argumentAt(finding.at, value);
  }
  tell(finding, {value.trail});
  if (finding.at != i_.source)
    finding.notes.push_back({Event::Computed, i_.source, source, {}});
  if (waited && waited->at)
    finding.notes.push_back({Event::Kept, waited->at, 0, {}});
  finding.fix.kind = isInVain || isConstructors ? Fix::CopyBlocking : Fix::SynchronizeBefore;
  // The copy may be started in the very call.
  finding.fix.at = isInVain         ? firstLook
                   : isCallers      ? siteIn(copy->function)
                   : isConstructors ? handedOutAt(copy->function)
                   : isReaders      ? i_.source
                                    : finding.at;
  finding.fix.subject = copied;
  if (isReaders && finding.at != i_.source)
    finding.alternatives.push_back({i_.source, std::exchange(finding.fix, {})});
  report(finding, copied, 0);
}

void Attribution::pointer(const std::string &variant, const Operand &operand, const Value &pointer, DeviceValue device,
                          const std::string &what) {
  Finding finding;
  finding.check = Check::RawPointer;
  scene_ = [&](Reenactment &play) { play.pointer(i_, pointer, variant); };
  finding.variant = variant;
  finding.at = i_.source;
  finding.subject = operand.source;
  finding.device = describe(context_.state, context_.state.resolve(pointer.device));
  finding.otherDevice = describe(context_.state, device);
  if (device.kind == DeviceValue::Symbol)
    finding.when = When::IfCuda;
  finding.detail = what;
  proviso_.story = pointer.trail;
  const Event *how = origin(pointer.trail);
  if (const Event *kept = variant == "host-pointer" ? keptUnderDevice(pointer) : nullptr) {
    finding.variant = "kept";
    finding.at = kept->at;
    tell(finding, {pointer.trail});
    usedHere(finding, operand.source);
    report(finding, kept->at, 0);
    return;
  }
  if (variant == "host-pointer" && how && how->kind == Event::CreatedByDefault) {
    // The tensor was meant to be where the others are.
    finding.variant = "default-tensor";
    finding.at = how->at;
    usedHere(finding, operand.source);
    // A pointer that was kept may have been written through on the host.
    const Event *taken = latest(pointer.trail, Event::PointerTaken);
    if (taken && taken->at == operand.source)
      finding.fix.kind = Fix::AddDevice;
    finding.fix.at = how->at;
    finding.fix.device = companion();
    finding.fix.deviceOf = true;
    // One that a helper handed out is the caller's to move, who moves others that it hands out, or whom the helper left
    // no other choice: the host fills it.
    const bool isHostFilled = context_.evidence.filledOnHost.has(latest(pointer.trail, Event::CreatedByDefault));
    SourceId call =
        onStack(how->function) ? 0 : context_.program().onlyUnmovedCall(context_.frame.function, how->function);
    for (const Frame *frame = &context_.frame; frame && isHostFilled && !call && !onStack(how->function);
         frame = frame->caller)
      call = context_.program().onlyCall(frame->function, how->function);
    if (isHostFilled && !call && taken && onStack(taken->function) && !context_.evidence.goneThrough.has(taken)) {
      // The host fills it by other ways: it is this pointer that must not go to the device.
      finding.variant = "host-pointer";
      finding.at = taken->at == operand.source ? i_.source : taken->at;
      finding.subject = taken->subject;
      finding.notes.clear();
      tell(finding, {pointer.trail});
      if (finding.at != i_.source)
        usedHere(finding, operand.source);
      finding.fix = {};
    }
    if (call) {
      finding.variant = "default-result";
      finding.notes.insert(finding.notes.begin(), {Event::CreatedByDefault, how->at, how->subject, {}});
      finding.at = call;
      finding.fix.kind = Fix::AppendTo;
      finding.fix.at = call;
    }
    report(finding, how->at, 0);
    return;
  }
  // A launcher hands on the addresses that it is given: it is for its caller to give another one.
  Slot given = operand.slot;
  for (const Frame *frame = &context_.frame;
       i_.opcode == Opcode::DeviceUse && frame->caller && frame->site && frame->site->opcode == Opcode::Call &&
       given < frame->code->paramCount && given < frame->site->args.size() && frame->site->args[given].source;
       frame = frame->caller) {
    const Operand &argument = frame->site->args[given];
    finding.at = frame->site->source;
    finding.subject = argument.source;
    given = argument.slot;
  }
  // What a kernel gets in a block of parameters was put there by who filled it in.
  const bool isInBlock = i_.opcode == Opcode::DeviceUse && value(context_, operand).kind == Value::Object;
  if (isInBlock && how && how->kind == Event::Allocated && how->at && !onStack(how->function)) {
    finding.at = how->at;
    finding.subject = how->subject;
  } else if (const Event *taken = isInBlock ? latest(pointer.trail, Event::PointerTaken) : nullptr) {
    finding.at = taken->at;
    finding.subject = taken->subject;
  }
  if (!how || how->at != operand.source)
    tell(finding, {pointer.trail});
  if (finding.at != i_.source)
    usedHere(finding, operand.source);
  const bool isOwnCopy = i_.opcode == Opcode::Memcpy && i_.args.size() == 2; // as against one that a helper makes
  if (i_.opcode == Opcode::FromBlob || isOwnCopy) {
    finding.fix.kind = i_.opcode == Opcode::Memcpy ? Fix::MemcpyKind : Fix::BlobOptions;
    finding.fix.at = i_.source;
    if (i_.opcode == Opcode::Memcpy)
      finding.fix.text = directionOf();
    else
      finding.fix.homes = homes(context_.evidence, context_.state, &context_.frame, context_.frame.function,
                                variant == "from-blob-host" ? device : pointer.device);
  }
  report(finding, i_.source, within(context_.frame.function));
}

/// The kind that a copy should have, where its pointers tell; nothing where both of them say the opposite of what is
/// written: then the pointers may as well be in the wrong order.
std::string Attribution::directionOf() const {
  std::string sides[2];
  for (std::size_t n = 0; n < 2 && n < i_.args.size(); ++n) {
    const Value pointer = value(context_, i_.args[n]);
    const DeviceValue device = context_.state.resolve(pointer.device);
    if (pointer.kind == Value::Pointer && device.kind == DeviceValue::Cpu)
      sides[n] = "Host";
    else if (pointer.kind == Value::Pointer && device.kind == DeviceValue::Cuda)
      sides[n] = "Device";
  }
  const auto &[target, source] = sides;
  const bool opposite = (i_.mode == Mode::HostToDevice && source == "Device" && target == "Host") ||
                        (i_.mode == Mode::DeviceToHost && source == "Host" && target == "Device");
  if (source.empty() || target.empty()) // turned round, a copy within one side is no other one
    return i_.mode == Mode::DeviceToDevice || i_.mode == Mode::HostToHost ? "cudaMemcpyDefault" : "";
  return opposite ? std::string() : "cudaMemcpy" + source + "To" + target;
}

/// Another tensor whose memory the same kernel gets, and that is where it has to be.
SourceId Attribution::companion() const {
  for (const facts::Block &block : context_.frame.code->blocks) {
    const Instruction *first = block.instructions.data();
    if (&i_ < first || &i_ >= first + block.instructions.size())
      continue;
    for (const Instruction &use : block.instructions) {
      if (use.opcode != Opcode::DeviceUse || use.source != i_.source || use.args.empty())
        continue;
      Value pointer = value(context_, use.args[0]);
      bool onDevice = pointer.kind == Value::Pointer && context_.state.resolve(pointer.device).kind != DeviceValue::Cpu;
      if (const Event *taken = onDevice ? latest(pointer.trail, Event::PointerTaken) : nullptr)
        return taken->subject;
    }
  }
  return 0;
}

} // namespace samedevice::analysis
