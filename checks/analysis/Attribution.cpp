#include "Attribution.h"
#include "Devices.h"
#include "GuardPlaces.h"
#include "Homes.h"
#include "Locals.h"
#include "Modules.h"
#include "Reenactment.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

/// Who moves something away and back to where a file had put it has changed nothing: that load.
const Event *Attribution::loadRestored(const Event &move) const {
  const DeviceValue there = move.device;
  if (there.kind != DeviceValue::Symbol || context_.universe().symbols[there.symbol].kind != Symbol::Recorded)
    return nullptr;
  for (const Event *before = move.previous; before; before = before->previous)
    if (before->kind == Event::Loaded && before->device == there)
      return before;
  return nullptr;
}

/// The step that put the value where it is.
const Event *Attribution::origin(const Event *event) const {
  for (; event; event = event->previous)
    switch (event->kind) {
    case Event::Computed:
    case Event::Stored:
    case Event::CreatedLike:
    case Event::PointerTaken:
    case Event::CopiedAsync:
    case Event::Chosen:
    case Event::Returned:
    case Event::Kept:
      continue;
    case Event::Moved:
    case Event::ModuleMoved:
      if (const Event *load = loadRestored(*event))
        return load;
      return event;
    default:
      return event;
    }
  return nullptr;
}

void Attribution::report(const Finding &finding, SourceId root, FunctionId function, SymbolId callersTensor) {
  if (finding.check == Check::UnmovedModule)
    context_.evidence.unmovedUsed.note(i_.source);
  proviso_.callersTensor = callersTensor;
  proviso_.use = i_.source;
  proviso_.withoutGpu = context_.state.lacksGpu();
  context_.report.add(finding, root, function, context_.state, scene_, proviso_);
}

bool Attribution::onStack(FunctionId function) const {
  for (const Frame *frame = &context_.frame; frame; frame = frame->caller)
    if (frame->function == function)
      return true;
  return false;
}

SourceId Attribution::siteIn(FunctionId function) const {
  SourceId site = i_.source;
  for (const Frame *frame = &context_.frame; frame; frame = frame->caller) {
    if (frame->function == function)
      return site;
    if (frame->site && !context_.program().isLambda(*frame->code)) // a lambda's lines are its function's own
      site = frame->site->source;
  }
  return i_.source;
}

const Event *Attribution::leftBehind(const Event *story, const Event *other) const {
  const Event *moved = origin(other);
  if (!moved || moved->kind != Event::Moved || onStack(moved->function))
    return nullptr;
  for (const Event *put = origin(story); story && story != put; story = story->previous)
    if (story->kind == Event::Stored && story->function == moved->function)
      return story;
  return nullptr;
}

/// Whether it is a structure that says itself where the other one is.
static bool saysWhere(const State &state, const Value &given, DeviceValue other) {
  bool says = false;
  auto isThere = [&](DeviceValue said) {
    const bool isAnyGpu = said.kind == DeviceValue::Cuda && said.index < 0;
    return said == other || (isAnyGpu && other.kind == DeviceValue::Cuda);
  };
  if (given.kind == Value::Object && other.kind != DeviceValue::Unknown)
    state.forPart(given.object, Part::Field, [&](std::uint32_t, const Value &member) {
      says |= member.kind == Value::Device && isThere(state.resolve(member.device));
    });
  return says;
}

/// Whether a member of the object is the tensor of this story, as it is or was.
static bool keeps(const State &state, ObjectId object, const Event *story) {
  bool found = false;
  state.forPart(object, Part::Field, [&](std::uint32_t, const Value &member) {
    found |= member.kind == Value::Tensor && hasStep(story, member.trail);
  });
  return found;
}

bool Attribution::isGivenToKeep(const Frame &method, const Event *story) const {
  const Event *put = origin(story);
  if (!put || method.code->cls == facts::kNone || method.code->isStatic || !method.arguments)
    return false;
  const Value object = follow(context_.state, method.arguments->front());
  if (object.kind != Value::Object || isModule(context_.state, object.object))
    return false;
  const facts::ClassId cls = classOf(context_.state, object.object);
  const facts::ClassId putter = context_.program().functions[put->function].cls;
  if (cls == facts::kNone || (putter != facts::kNone && context_.program().derivesFrom(cls, putter)))
    return false;
  return keeps(context_.state, object.object, story);
}

bool Attribution::isGivenIn(const Frame &called, const Event *story) const {
  const bool isMethod = called.code->cls != facts::kNone && !called.code->isStatic;
  return called.arguments && std::any_of(called.arguments->begin() + (isMethod && !called.arguments->empty() ? 1 : 0),
                                         called.arguments->end(), [&](const Value &argument) {
                                           const Value given = follow(context_.state, argument);
                                           return given.kind == Value::Object &&
                                                  !isModule(context_.state, given.object) &&
                                                  keeps(context_.state, given.object, story);
                                         });
}

std::vector<Climb> Attribution::climbs(const Event *story, const Participant &other) const {
  // What put it where it is; for what a module gave, the use of the module.
  const Event *put = origin(story);
  const bool byModule = put && (put->kind == Event::ModuleMoved || put->kind == Event::ModuleCreated);
  const Event *placed = put;
  for (const Event *event = story; byModule && event && event != put; event = event->previous)
    if (event->kind == Event::Computed)
      placed = event;
  std::vector<Climb> calls;
  auto isWritten = [](const Instruction &call) { // as against what autograd's engine calls
    return call.source ||
           std::any_of(call.args.begin(), call.args.end(), [](const Operand &o) { return o.source != 0; });
  };
  for (const Frame *frame = &context_.frame;
       frame->caller && frame->arguments && frame->site && isWritten(*frame->site); frame = frame->caller) {
    // A constructor or a call by value has its operands in other places than its parameters.
    const std::vector<Operand> &written = frame->site->args;
    const bool isAsWritten = written.size() == frame->arguments->size();
    const bool feedsModule =
        frame->code->cls < context_.program().classes.size() && context_.program().classes[frame->code->cls].isModule;
    Climb call{frame->function, frame->site->source, 0, 0, frame->code->name, false, feedsModule, {}};
    bool given = false, together = false, isMethod = frame->code->cls != facts::kNone && !frame->code->isStatic;
    // An object that was given what it keeps, as a scaler that was fitted: who gave it calls with the other one now.
    if (isAsWritten && isGivenToKeep(*frame, story)) {
      given = call.isKeeper = true;
      call.subject = written.front().source;
    }
    call.bringsBoth |= !call.isKeeper && isGivenToKeep(*frame, other.value.trail);
    for (std::size_t n = isMethod; n < frame->arguments->size(); ++n) {
      std::vector<Value> tensors;
      Value argument = follow(context_.state, (*frame->arguments)[n]);
      const bool isModule = argument.kind == Value::Object && analysis::isModule(context_.state, argument.object);
      const facts::ClassId source =
          argument.kind == Value::Object ? classOf(context_.state, argument.object) : facts::kNone;
      if (argument.kind == Value::Pointer) // who gets an address cannot bring its tensor anywhere
        tensors.push_back(argument);
      if (argument.kind == Value::Tensor || (argument.kind == Value::Object && !isModule))
        flatten(context_.state, argument, tensors);
      bool here = false, otherHere = false, isGenerator = false;
      auto isOthers = [&](const Event *trail) { otherHere |= hasStep(other.value.trail, trail); };
      if (isModule)
        forLeaves(context_.state, argument.object, [&](ObjectId, const Value &leaf) { isOthers(leaf.trail); });
      for (const Value &tensor : tensors) {
        // What the callee draws from an object, by methods of that, is not what it was given.
        bool isDrawn = false;
        for (const Event *event = story; event && !here && !isDrawn;
             event = event == placed ? nullptr : event->previous) {
          here = event == tensor.trail;
          isDrawn = context_.program().isMethodOf(event->function, source);
          isGenerator |= here && tensor.kind == Value::Device;
        }
        isOthers(tensor.trail);
      }
      given |= here;
      // Who is given both in one, or a generator among settings that say where the other one is, has all that it takes.
      together |= here && (otherHere || (isGenerator && saysWhere(context_.state, argument, other.device)));
      if (here && !call.subject && isAsWritten)
        call.subject = written[n].source;
      if (otherHere && !here && !call.other && isAsWritten)
        call.other = written[n].source;
      call.isContract |= here && context_.program().saysWhereItExpects(*frame->code, static_cast<Slot>(n));
      const Event *taken = latest(argument.trail, Event::PointerTaken);
      call.isOfPointer |= here && argument.kind == Value::Pointer && taken && onStack(taken->function);
      call.bringsBoth |= otherHere;
    }
    if (!given || together || context_.program().sisterMovesInputs(frame->function) ||
        context_.evidence.bringsInputs(frame->function, other.device))
      break;
    if (call.isKeeper && !call.bringsBoth)
      break;
    if (call.subject && !call.isKeeper) { // the argument that was forgotten goes where its neighbours are
      const Event *there = origin(other.value.trail);
      call.fix.kind = Fix::AppendTo;
      call.fix.at = call.subject;
      if (put && context_.state.resolve(put->device).kind == DeviceValue::Cpu)
        call.made = madeFor(*frame->caller->code, *frame->site, call.subject);
      call.fix.device = there ? there->target : 0;
      call.fix.homes = homes(context_.evidence, context_.state, &context_.frame, frame->caller->function, other.device);
      const Value self = isMethod ? follow(context_.state, frame->arguments->front()) : Value{};
      if (isAsWritten && self.kind == Value::Object && isWhollyAt(context_.state, self.object, other.device))
        call.fix.module = written.front().source;
    }
    calls.push_back(std::move(call));
  }
  return calls;
}

Where Attribution::device(const Participant &p) const { return describe(context_.state, p.device); }

When Attribution::when(const Relation &relation) const {
  if (!relation.when)
    return When::Always;
  if (relation.index >= 0)
    return When::IfAnotherGpu;
  return relation.whenCuda ? When::IfCuda : When::IfCpu;
}

void Attribution::tell(Finding &finding, std::initializer_list<const Event *> stories) const {
  std::vector<const Event *> told;
  auto helps = [&](Event::Kind kind) {
    switch (kind) {
    case Event::Computed:
    case Event::Stored:
    case Event::Chosen:
    case Event::CreatedLike:
    case Event::Parameter:
    case Event::OptionsMade:
    case Event::Kept:
      return false;
    case Event::CopiedAsync:
    case Event::PointerTaken:
    case Event::Returned:
      return true;
    default:
      return finding.check != Check::AsyncCopy; // wherever it was before
    }
  };
  for (const Event *story : stories) {
    // What was before it came to where it is explains nothing.
    const Event *first = origin(story);
    for (; story; story = story == first ? nullptr : story->previous)
      if (helps(story->kind) && story->at && story->at != finding.at)
        told.push_back(story);
  }
  std::stable_sort(told.begin(), told.end(), [](const Event *a, const Event *b) { return a->order < b->order; });
  for (const Event *event : told) {
    bool repeated =
        std::any_of(finding.notes.begin(), finding.notes.end(), [&](const Note &note) { return note.at == event->at; });
    if (!repeated && finding.notes.size() < Limits::notes)
      finding.notes.push_back(
          {event->kind, event->at, event->subject, describe(context_.state, context_.state.resolve(event->device))});
  }
}

void Attribution::usedHere(Finding &finding, SourceId subject, SourceId other) const {
  finding.notes.push_back({Event::Computed, i_.source, subject, {}, other});
}

void Attribution::frozen(const Event &frozen) {
  scene_ = [&](Reenactment &play) { play.frozen(i_, frozen); };
  Finding finding;
  finding.check = Check::DiscardedTo;
  finding.variant = "frozen";
  finding.at = i_.source;
  finding.subject = i_.args[0].source;
  finding.notes.push_back({Event::ModuleCreated, frozen.at, frozen.subject, {}});
  report(finding, i_.source, 0);
}

void Attribution::placed(Evidence &evidence, Report &report, const State &state, ObjectId child, const Finding *use,
                         const Frame *top) {
  Value mark = state.get(meta(child, Meta::Placed));
  if (mark.kind != Value::Reference || !mark.trail || !differsFrom(state, child, mark.device))
    return;
  if (report.isJudged(mark.trail->function))
    return;
  Finding finding;
  finding.check = Check::ModuleAfterTo;
  const bool tensor = isTensorCell(state, child);
  finding.variant = mark.trail->kind == Event::Stored ? "unregistered" : tensor ? "tensor" : "registered";
  finding.at = mark.trail->at;
  finding.subject = mark.trail->subject;
  finding.device = describe(state, DeviceValue::cpu());
  if (mark.symbol)
    finding.detail = state.universe().names.text(mark.symbol - 1);
  finding.otherDevice = describe(state, mark.device);
  if (mark.device.kind == DeviceValue::Symbol)
    finding.when = When::IfCuda;
  const Event *moved = mark.trail->previous;
  if (moved && moved->at)
    finding.notes.push_back({Event::ModuleMoved, moved->at, moved->subject, describe(state, moved->device)});
  // Who moved it and then called what puts in another may have meant the other order.
  Proviso proviso;
  FunctionId callee = mark.trail->function;
  const Route *route = evidence.routeOf(child);
  for (const CallSite &step : route ? *route : Route{}) {
    Climb call;
    call.callee = std::exchange(callee, step.caller);
    call.site = step.site;
    if (moved && moved->at && moved->function == step.caller) {
      call.fix.kind = Fix::MoveModuleAfter;
      call.fix.at = step.site;
      call.fix.subject = moved->subject;
      call.fix.device = moved->target;
      if (state.program().onlyCall(step.caller, mark.trail->function) == step.site) {
        finding.notes.push_back({Event::Called, step.site, 0, {}});
        finding.alternatives.push_back({step.site, call.fix});
      }
    }
    // A class that moves itself is to look after what it puts in later.
    if (moved && !state.program().isModules(moved->function))
      proviso.puttingIn.push_back(std::move(call));
  }
  if (use && use->at != finding.at)
    finding.notes.push_back({Event::Computed, use->at, 0, {}});
  finding.fix.kind = Fix::MoveModuleAfter;
  finding.fix.at = mark.trail->at;
  finding.fix.subject = mark.trail->subject;
  finding.fix.device = mark.trail->target;
  finding.fix.homes = homes(evidence, state, top, mark.trail->function, mark.device, child);
  const SourceId usedAt = use ? use->at : 0;
  noteTold(evidence, state, child);
  report.add(
      std::move(finding), mark.trail->at, 0, state, [&](Reenactment &play) { play.placed(child, mark, usedAt); },
      proviso);
}

void Attribution::discarded(const Participant &source, DeviceValue target, SourceId targetSource) {
  scene_ = [&](Reenactment &play) { play.discarded(i_, source, target); };
  Finding finding;
  finding.check = Check::DiscardedTo;
  finding.at = i_.source;
  finding.subject = source.source;
  finding.device = device(source);
  finding.otherDevice = describe(context_.state, context_.state.resolve(target));
  finding.detail = i_.text;
  finding.fix.kind = Fix::AssignResult;
  finding.fix.at = i_.source;
  finding.fix.subject = source.source;
  finding.fix.device = targetSource;
  if (const Event *root = origin(source.value.trail))
    context_.evidence.silenced.note(root->at);
  report(finding, i_.source, 0);
}

void Attribution::deadMove(const Participant &copy) {
  scene_ = [&](Reenactment &play) { play.discarded(i_, copy, deviceOf(context_.state, value(context_, i_.args[1]))); };
  Finding finding;
  finding.check = Check::DiscardedTo;
  finding.variant = "copy";
  finding.at = i_.source;
  finding.subject = copy.source;
  finding.fix.kind = Fix::ByReference;
  finding.fix.at = i_.source;
  finding.fix.subject = copy.source;
  for (const Event *event = copy.value.trail; event; event = event->previous)
    context_.evidence.silenced.note(event->at);
  // Of a loop's variable it is said where that is declared: there the `&` is missing, for all that is moved in it.
  const facts::SlotInfo *variable = nullptr;
  if (const Slot each = copyOfTurn(*context_.frame.code, i_); each != facts::kNone)
    variable = &context_.frame.code->slots[each];
  if (variable && variable->source) {
    finding.variant = "turn";
    finding.detail = variable->name;
    finding.at = variable->source;
    finding.notes.push_back({Event::Moved, i_.source, copy.source,
                             describe(context_.state, deviceOf(context_.state, value(context_, i_.args[1])))});
  }
  report(finding, finding.at, 0);
}

/// The first parameter that may be a tensor of a caller's, wherever that is.
static Slot tensorAmong(const Frame &frame) {
  Slot slot = frame.code->cls != facts::kNone && !frame.code->isStatic;
  while (slot < frame.code->paramCount && frame.code->slots[slot].type != facts::Type::Tensor)
    ++slot;
  return slot;
}

void Attribution::missingGuard(const Frame &nearest, Slot given, const std::string &what, SourceId at) {
  // Who has a guard meant it for what is launched further in, too.
  const Frame *told = &nearest;
  Slot tensor = given;
  for (const Frame *frame = nearest.caller; frame && !at; frame = frame->caller)
    if (const Slot own = tensorAmong(*frame); own < frame->code->paramCount && hasGuard(*frame->code)) {
      told = frame;
      tensor = own;
    }
  const Frame &entry = *told;
  scene_ = [&](Reenactment &play) { play.missingGuard(i_, entry.code->slots[tensor].source, what); };
  Finding finding;
  finding.check = Check::MissingGuard;
  finding.variant = what;
  finding.at = at ? at : siteIn(entry.function);
  finding.detail = at || finding.at == i_.source ? what : "launch"; // a call shows neither streams nor memory
  finding.subject = entry.code->slots[tensor].source;
  finding.fix.kind = Fix::GuardBefore;
  finding.fix.at = finding.at;
  finding.fix.subject = finding.subject;
  const Frame &root = outermost(context_.frame);
  for (const Frame *frame = &entry; frame->caller && frame->site; frame = frame->caller)
    finding.notes.push_back({Event::Called, frame->site->source, frame->caller->code->source, {}});
  // One guard at the entry mends all that it calls.
  const std::size_t found = context_.report.count();
  // Whose tensor is read on the host, or merely stands near, has nothing to do with the current device.
  std::vector<Value> tensors;
  flatten(context_.state, context_.state.get(field(nearest.id, given)), tensors);
  SymbolId whose = 0;
  for (const Value &value : tensors)
    if (SymbolId symbol = deviceOf(context_.state, value).symbol; symbol && !whose)
      whose = symbol;
  report(finding, root.code->source ? root.code->source : i_.source, kOfGuards, whose);
  if (context_.report.count() == found)
    return;
  std::vector<Climb> calls;
  Slot handed = tensor;
  for (const Frame *frame = &entry; frame->caller && frame->site && frame->site->source && !at; frame = frame->caller) {
    const std::vector<Operand> &written = frame->site->args;
    Slot own = handed < written.size() ? written[handed].slot : facts::kNone;
    if (own >= frame->caller->code->paramCount || frame->caller->code->slots[own].type != facts::Type::Tensor)
      own = tensorAmong(*frame->caller);
    if (own >= frame->caller->code->paramCount)
      break; // a fix has no name for its tensor
    handed = own;
    Climb call;
    call.callee = frame->function;
    call.site = frame->site->source;
    call.subject = frame->caller->code->slots[own].source;
    call.fix.kind = Fix::GuardBefore;
    call.fix.at = call.site;
    call.fix.subject = call.subject;
    calls.push_back(std::move(call));
  }
  context_.report.noteUnguarded({root.function, entry.function, found, std::move(calls)});
}

void Attribution::onAnotherGpu(const Operand &operand, const Value &memory) {
  const Event *taken = latest(memory.trail, Event::PointerTaken);
  Finding finding;
  finding.check = Check::MissingGuard;
  finding.variant = "launch";
  finding.at = i_.source;
  finding.subject = taken && taken->function == context_.frame.function ? taken->subject : operand.source;
  finding.fix.kind = Fix::GuardBefore;
  finding.fix.at = finding.at;
  finding.fix.subject = finding.subject;
  tell(finding, {memory.trail});
  scene_ = [this, given = finding.subject](Reenactment &play) { play.missingGuard(i_, given, "launch"); };
  const std::size_t found = context_.report.count();
  report(finding, i_.source, kOfGuards);
  if (context_.state.resolve(memory.device).index < 0 && context_.report.count() > found)
    context_.report.noteUnguarded({outermost(context_.frame).function, context_.frame.function, found, {}, true});
}

void Attribution::guardForAnother(const Frame &entry, Slot tensor, SymbolId guarded, SymbolId used) {
  proviso_.apart = std::minmax(guarded, used);
  missingGuard(entry, tensor, "launch");
}

void Attribution::frozenCurrent(const Frame &entry, Slot tensor, const Event &frozen) {
  const SourceId given = entry.code->slots[tensor].source;
  scene_ = [&](Reenactment &play) { play.missingGuard(i_, given, "launch"); };
  Finding finding;
  finding.check = Check::PinnedIndex;
  finding.variant = "current";
  finding.at = frozen.at;
  finding.subject = given;
  finding.device = describe(context_.state, frozen.device);
  usedHere(finding, 0);
  if (frozen.function == entry.function) {
    finding.fix.kind = Fix::IndexOf;
    finding.fix.at = frozen.at;
    finding.fix.subject = given;
  }
  report(finding, frozen.at, 0);
}

/// A launcher that is given its stream: whoever gives it decides, and there it is told; also where a lambda in it has
/// captured the stream. The stream as it is written there.
SourceId Attribution::streamGiven(Finding &finding) const {
  const Frame *frame = &context_.frame;
  Slot slot = i_.args[0].slot;
  SourceId written = i_.args[0].source;
  auto comeFrom = [&](const Frame &called, Slot given) {
    for (const Operand &operand : called.site->args)
      if (operand.slot == given) {
        finding.at = called.site->source;
        written = operand.source;
      }
    frame = called.caller;
    slot = given;
  };
  while (frame->caller && frame->site) {
    Value held = frame == &context_.frame ? raw(context_, slot) : context_.state.get(field(frame->id, slot));
    Place variable = 0;
    for (int hops = 0; held.kind == Value::Reference && hops < Limits::hops; ++hops) {
      variable = placeIn(held);
      held = context_.state.get(variable);
    }
    const bool isParameter = slot < frame->code->paramCount && slot < frame->site->args.size();
    if (variable) {
      const Frame *called = frame;
      while (called->caller && called->caller->id != objectOf(variable))
        called = called->caller;
      if (!called->caller || !called->site || partOf(variable) != Part::Field)
        break;
      comeFrom(*called, indexOf(variable));
    } else if (isParameter && frame->site->opcode == facts::Opcode::Call) {
      comeFrom(*frame, frame->site->args[slot].slot);
    } else {
      break;
    }
  }
  return written;
}

void Attribution::defaultStream(const Event &taken, Against other) {
  scene_ = [&](Reenactment &play) { play.defaultStream(i_, taken); };
  Finding finding;
  finding.check = Check::DefaultStream;
  if (other != Against::Any)
    finding.variant = i_.opcode == facts::Opcode::OnStream ? "call" : "another";
  if (other == Against::Pool)
    finding.variant += "-pool";
  finding.at = i_.source;
  finding.subject = taken.subject;
  finding.detail = i_.text;
  const SourceId stream = streamGiven(finding);
  if (other != Against::Pool) { // which of the streams is meant then, nobody knows
    finding.fix.kind = Fix::CurrentStream;
    finding.fix.at = finding.at;
    finding.fix.subject = stream;
  }
  if (finding.at != i_.source)
    finding.notes.push_back({Event::Kept, i_.source, 0, {}});
  else if (taken.function != context_.frame.function)
    finding.notes.push_back({Event::PointerTaken, taken.at, taken.subject, {}});
  report(finding, finding.at, kOfStreams);
}

void Attribution::keptStream(const Event &taken, const Event &asked) {
  scene_ = [&](Reenactment &play) { play.defaultStream(i_, taken); };
  Finding finding;
  finding.check = Check::DefaultStream;
  finding.variant = "kept";
  finding.at = asked.at;
  finding.subject = taken.subject;
  finding.notes.push_back({Event::Kept, i_.source, 0, {}});
  report(finding, finding.at, kOfStreams);
}

bool Attribution::assignedOver(const Participant &member, const Participant &input, const Relation &relation,
                               const std::string &name) {
  const Event *stored = latest(member.value.trail, Event::Stored);
  if (!stored || mayHaveMoved(member) || mayHaveMoved(input))
    return false;
  scene_ = [&](Reenactment &play) { play.clash(context_, i_, member, input, relation); };
  Finding finding;
  finding.check = Check::UnregisteredMember;
  finding.variant = "assigned-over";
  finding.at = stored->at;
  finding.subject = stored->subject;
  finding.detail = name;
  finding.device = device(member);
  finding.otherDevice = device(input);
  finding.when = when(relation);
  finding.fix.kind = Fix::SetData;
  finding.fix.at = stored->at;
  finding.fix.subject = stored->subject;
  tell(finding, {input.value.trail});
  usedHere(finding, member.source, input.source);
  report(finding, stored->at, 0);
  return true;
}

void reportLeftBehind(Evidence &evidence, Report &report, const State &state) {
  std::vector<ObjectId> late;
  state.forMeta(Meta::Placed, [&](ObjectId child, const Value &mark) {
    if (mark.kind == Value::Reference)
      late.push_back(child);
  });
  for (ObjectId child : late)
    Attribution::placed(evidence, report, state, child, nullptr, nullptr);
}

} // namespace samedevice::analysis
