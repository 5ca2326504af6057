// A tensor that cannot meet another one: who should have made it elsewhere, brought it, or left a number out.
#include "Attribution.h"
#include "Blocks.h"
#include "Control.h"
#include "Devices.h"
#include "Homes.h"
#include "Locals.h"
#include "Modules.h"
#include "Upkeep.h"
#include "Values.h"

namespace samedevice::analysis {

/// The two, and where: what each of the questions below is about.
struct Attribution::Clash {
  const Participant &culprit, &other;
  const Relation &relation;
  const Event *how, *otherHow; ///< what put each of them where it is
  const Frame *home;           ///< the function they meet in: a lambda is part of the one that calls it
  FunctionId here;
  bool inModule;
  bool callersTensor; ///< it depends on a tensor of the caller's
  SourceId subject;
};

/// Who made the tensor by default, and whether that was the mistake.
struct Attribution::Factory {
  bool isAtFault = false, isHelpers = false;
  const Event *options = nullptr; ///< that a helper was given: whoever made them should have said where
};

void Attribution::unregistered(const Clash &c, ObjectId owner, Finding finding) {
  finding.check = Check::UnregisteredMember;
  finding.variant = "tensor";
  finding.detail.clear();
  const Event *stored = latest(c.culprit.value.trail, Event::Stored);
  // The member it was kept in, whatever it went through after that.
  context_.state.forPart(owner, Part::Field, [&](std::uint32_t name, const Value &member) {
    for (const Event *event = c.culprit.value.trail; event; event = event->previous)
      if (member.kind == Value::Tensor && member.trail == event) {
        finding.detail = context_.universe().names.text(name);
        stored = event->kind == Event::Stored ? event : stored;
      }
  });
  finding.at = stored ? stored->at : c.how ? c.how->at : i_.source;
  if (stored && stored->subject)
    finding.subject = stored->subject;
  tell(finding, {context_.state.get(meta(owner, Meta::Moved)).trail});
  usedHere(finding, c.subject, finding.other);
  // A name is registered once: what was made in its place is another tensor's story.
  const bool isKnown = context_.state.find(place(owner, Part::Tensor, context_.universe().names.id(finding.detail)));
  finding.fix.kind = isKnown ? Fix::SetData : Fix::Register;
  finding.fix.at = finding.at;
  finding.fix.subject = finding.subject;
  if (const SourceId kept = stored ? structureKept(owner, *stored) : 0) {
    finding.at = kept;
    finding.variant = "structure";
    finding.subject = c.subject;
    finding.fix = {};
  }
  report(finding, c.how ? c.how->at : finding.at, 0);
}

/// What the module has made for itself since it was moved, no `to()` has left behind.
bool Attribution::isMadeAfterMove(ObjectId owner, const Event *how) const {
  const Event *moved = context_.state.get(meta(owner, Meta::Moved)).trail;
  return how && how->kind == Event::CreatedByDefault && moved && how->order > moved->order;
}

/// `clock(x, t)` was given a tensor that is where the one it hands out should be, and leaves it there.
static bool leavesWhereGiven(const Function &maker, const std::vector<Home> &homes) {
  const bool moves = hasInstruction(maker, [](const Instruction &i) { return i.opcode == Opcode::Move; });
  return maker.result.type == facts::Type::Tensor && !moves &&
         std::any_of(maker.slots.begin(), maker.slots.begin() + maker.paramCount, [&](const facts::SlotInfo &given) {
           return given.type == facts::Type::Tensor && given.source &&
                  std::any_of(homes.begin(), homes.end(),
                              [&](const Home &home) { return home.source == given.source; });
         });
}

Attribution::Factory Attribution::factoryOf(const Clash &c) const {
  bool madeHere = false;
  const facts::ClassId cls = c.home->code->cls;
  if (c.how) {
    const Function &maker = context_.program().functions[c.how->function];
    madeHere = c.how->function == c.here || c.how->function == context_.frame.function ||
               (cls != facts::kNone && maker.cls != facts::kNone &&
                (context_.program().derivesFrom(cls, maker.cls) || context_.program().derivesFrom(maker.cls, cls)));
  }
  // Where the other one began: given by the caller, or made elsewhere.
  const Event *begun = beginning(c.other.value.trail);
  bool fromOutside = c.callersTensor || (begun && (begun->kind == Event::Parameter || begun->function != c.here));
  // Options that a helper was given: whoever made them should have said where.
  const Event *options = c.how && c.how->kind == Event::CreatedByDefault ? c.how->previous : nullptr;
  if (options && (options->kind != Event::OptionsMade || !options->at || options->function == c.how->function ||
                  context_.program().isLambda(context_.program().functions[c.how->function])))
    options = nullptr;
  // Of several that were made here and put together, none is the one to change: the whole is, where it is used.
  bool isJoint = false;
  for (const Event *event = c.culprit.value.trail; event && !c.callersTensor; event = event->previous)
    isJoint |= context_.evidence.joint.has(event);
  // Who made it elsewhere is not to blame where it was put beside others that were moved.
  const Event *left = leftBehind(c.culprit.value.trail, c.other.value.trail);
  left = left ? left : leftAmongMembers(c.culprit, c.other.device);
  // A helper that was handed something from where the caller's tensor is could have made it there; so could one that
  // makes others where the other one is.
  const bool isEndedHelpers = c.how && !madeHere && !onStack(c.how->function);
  const std::vector<Home> known =
      isEndedHelpers ? homes(context_.evidence, context_.state, &context_.frame, c.how->function, c.other.device)
                     : std::vector<Home>{};
  const bool isHelpers =
      !known.empty() && (c.callersTensor || ((makesOthersAt(*c.how, c.other.device) ||
                                              leavesWhereGiven(context_.program().functions[c.how->function], known)) &&
                                             !left));
  // What a helper has put it in the place of was where it should be.
  const std::optional<DeviceValue> displaced = madeHere ? std::nullopt : context_.evidence.displaced(c.how);
  const bool isWorse = displaced && context_.state.resolve(*displaced) == c.other.device;
  // Who gave others of its tensors a device has forgotten this one, whatever it was then used in.
  const bool isForgotten = c.how && !madeHere && onStack(c.how->function) && makesOthersAt(*c.how, c.other.device);
  // A helper of several of them, none of which is moved, has made them all in the wrong place.
  const bool isForAll = left && c.how && !madeHere && context_.program().isNeverMoved(c.how->function);
  const bool isLeft = left && c.how && left->function != c.how->function && !options && !isForAll;
  const bool isAtFault =
      c.how && c.how->kind == Event::CreatedByDefault && c.culprit.device.kind == DeviceValue::Cpu && !isLeft &&
      ((madeHere && fromOutside) || options || isHelpers || isWorse || isForgotten || isForAll) && !isJoint;
  return {isAtFault, isHelpers, options};
}

void Attribution::madeByDefault(const Clash &c, const Factory &made, const Finding &finding) {
  Finding factory = finding;
  factory.check = Check::DefaultFactory;
  factory.variant = made.options ? "options" : "";
  factory.at = made.options ? made.options->at : c.how->at;
  factory.subject = made.options ? made.options->subject : c.how->subject;
  if (made.options)
    tell(factory, {c.culprit.value.trail, c.other.value.trail});
  else
    tell(factory, {c.other.value.trail});
  usedHere(factory, c.subject, finding.other);
  factory.fix.kind = Fix::AddDevice;
  factory.fix.at = factory.at;
  factory.fix.device = c.other.module || made.options || made.isHelpers ? 0 : elementOf(c.other);
  factory.fix.deviceOf = true;
  factory.fix.homes = homes(context_.evidence, context_.state, &context_.frame,
                            made.options ? made.options->function : c.how->function, c.other.device);
  goesWith(factory.fix, c.other);
  Finding atUse = finding;
  bringTogether(atUse, c.culprit, c.other);
  factory.alternatives.push_back({i_.source, std::move(atUse.fix)});
  proviso_.made = c.how;
  report(factory, c.how->at, 0, c.callersTensor ? c.relation.when : 0);
  proviso_.made = nullptr;
}

/// What was made for one device, and kept under a key that says none, is found by who works on another one.
void Attribution::foundAgain(const Participant &kept, const Participant &asker, SourceId lookup, Finding finding) {
  const Event *how = origin(kept.value.trail);
  finding.check = Check::PinnedIndex;
  finding.variant = "found";
  finding.at = lookup ? lookup : how->at;
  finding.subject = how->subject;
  finding.other = elementOf(asker) ? elementOf(asker) : asker.source;
  finding.device = device(kept);
  finding.otherDevice = device(asker);
  bringTogether(finding, kept, asker);
  if (isPartFound(lookup))
    finding.fix = {};
  tell(finding, {kept.value.trail});
  usedHere(finding, elementOf(kept) ? elementOf(kept) : kept.source, finding.other);
  report(finding, finding.at, 0);
}

/// `options.device(x.device().type())`, `t.to(device.type())`: where it is left out which of the GPUs it was; else 0.
static SourceId numberLost(const ProgramIndex &program, const Event *step) {
  if (!step)
    return 0;
  const SourceId said = step->kind == Event::Chosen ? step->at : step->target;
  auto isOfKind = [&](const Instruction &i) {
    return i.source == said && i.opcode == Opcode::DeviceMake && i.args.size() == 1;
  };
  return said && hasInstruction(program.functions[step->function], isOfKind) ? said : 0;
}

/// Whether a device is the one for an argument that a call leaves out: who makes that call may give another one.
static bool isLeftOut(const ProgramIndex &program, const Event &chosen) {
  return chosen.kind == Event::Chosen && chosen.at &&
         hasInstruction(program.functions[chosen.function],
                        [&](const Instruction &i) { return i.source == chosen.at && i.flags & facts::kOmitted; });
}

const Event *Attribution::leftOut(const Event *story) const {
  while (story && !isLeftOut(context_.program(), *story))
    story = story->previous;
  return story;
}

/// A number that somebody wrote, where the other one's was chosen, or the caller's is any.
bool Attribution::pinned(const Clash &c, Finding finding) {
  // Two literals in one function are its own affair; else the other one was told where to be.
  bool elsewhere =
      c.callersTensor || !(c.other.value.has(Value::kLiteral) && c.otherHow && c.otherHow->function == c.how->function);
  // Of functions that others call, those who made a helper that pins may call with what it pinned; Python does not.
  // What an earlier call has left is there for any of them.
  const Event *kept = latest(c.culprit.value.trail, Event::Kept);
  if (c.callersTensor && !kept && c.how->function != c.here && !outermost(*c.home).code->isEntry)
    return false;
  if (c.callersTensor && !kept && c.how->kind == Event::Moved && isBypassed(*c.how)) {
    // `if (gpus > 0) x = x.cuda();`: a flag says where the program works, and the caller's tensor is there, too.
    if (const Event *made = beginning(c.how))
      context_.evidence.chosenByFlag.note(made->at);
    return false;
  }
  if (c.callersTensor && !kept && c.culprit.device.index < 0 && context_.program().isWrittenForCuda)
    return false;
  const bool isMemory = kept && c.how->kind == Event::Allocated;
  for (const Frame *frame = &context_.frame; frame && isMemory; frame = frame->caller)
    if (isSkippedUnseen(context_.program(), frame->function, c.how->function, c.how->at))
      return false;
  bool isOthersNumber = false, isCallersNumber = false;
  finding.check = elsewhere || c.other.module ? Check::PinnedIndex : Check::MixedOperands;
  proviso_.onHost = c.relation.when && !c.relation.whenCuda && c.relation.index < 0 ? c.relation.when : 0;
  if (finding.check == Check::PinnedIndex) {
    finding.at = c.how->at;
    finding.fix.kind = Fix::ReplaceDevice;
    finding.fix.device = c.other.module ? 0 : elementOf(c.other);
    finding.fix.deviceOf = true;
    finding.fix.homes = homes(context_.evidence, context_.state, &context_.frame, c.how->function, c.other.device);
    // The literal itself, where it stands in the same function as what it was used for.
    const FunctionId root = outermost(context_.frame).function;
    auto isLiteral = [&](const Event *event) {
      return event->kind == Event::Chosen && event->at &&
             (event->function == c.how->function || numberLost(context_.program(), event) ||
              isLeftOut(context_.program(), *event) || (event->function == root && c.callersTensor) ||
              (event->device.index >= 0 && handsOutDevices(context_.program().functions[event->function])));
    };
    const Event *literal = c.how;
    while (literal && !isLiteral(literal))
      literal = literal->previous;
    if (literal)
      finding.at = literal->at;
    isCallersNumber = literal && literal->function == root && root != c.how->function;
    finding.fix.at = c.how->target ? c.how->target : finding.at;
    if (literal && isLeftOut(context_.program(), *literal)) {
      finding.variant = "omitted";
      finding.fix = {};
    } else if (const SourceId lost = numberLost(context_.program(), literal ? literal : c.how)) {
      finding.variant = "kind";
      finding.at = lost;
      finding.fix.kind = Fix::KeepNumber;
      finding.fix.at = lost;
    }
    // What is sent to where another tensor is follows that one, whose number is written elsewhere.
    const Event *others = literal ? nullptr : choiceFor(c.how);
    if (others && others->subject && others->function != c.how->function &&
        context_.program().functions[others->function].result.type == facts::Type::Options) {
      finding.at = others->at;
      finding.fix = {};
      isOthersNumber = true;
    }
  }
  if (kept) { // what was kept is brought to each caller, where it is used
    finding.variant = isMemory ? "kept-memory" : "kept";
    finding.when = When::IfAnotherGpu;
    // What is found again under a key is kept under one that does not say a device.
    // `static const auto table = [&] { ... }();` is one line of the function around it.
    const SourceId madeAt = kept->at ? kept->at : context_.program().callOfLambda(c.how->function);
    finding.at = madeAt ? madeAt : c.how->at;
    bringTogether(finding, c.culprit, c.other);
  }
  if (isMemory)
    finding.fix = {};
  if (finding.check == Check::PinnedIndex) {
    if (isOthersNumber)
      finding.subject = 0;
    else if (finding.variant == "omitted")
      finding.subject = c.subject;
    else if (c.how->subject && !isMemory && !isCallersNumber)
      finding.subject = c.how->subject;
    if (!isMemory)
      tell(finding, {c.other.value.trail}); // the literal says the rest
  } else {
    bringTogether(finding, c.culprit, c.other);
    tell(finding, {c.culprit.value.trail, c.other.value.trail});
  }
  if (finding.at != i_.source)
    usedHere(finding, c.subject, finding.other);
  // What is made with options that somebody pinned elsewhere has that one root, however much of it there is.
  const Event *pinned = c.how;
  while (pinned && !(pinned->kind == Event::Chosen && pinned->at))
    pinned = pinned->previous;
  const bool isShared = pinned && pinned->function != c.how->function && finding.check == Check::PinnedIndex;
  const bool isUnderKey = isMemory && kept->at; // of several handles there, too
  report(finding,
         isShared     ? pinned->at
         : isUnderKey ? kept->at
                      : c.how->at,
         finding.check == Check::PinnedIndex ? 0 : within(c.here), c.callersTensor ? c.relation.when : 0);
  return true;
}

bool Attribution::forgotten(const Participant &x, const Participant &y, const std::string &what) {
  for (const auto &[culprit, other] : {std::pair{&x, &y}, std::pair{&y, &x}}) {
    const DeviceValue device = deviceOf(context_.state, culprit->value);
    const Event *moved = latest(other->value.trail, Event::Moved);
    const bool mayBeNumber = culprit->scalarAllowed && !culprit->value.dims;
    if (!isCallers(context_.universe(), device) || mayBeNumber || !moved || !moved->at ||
        latest(culprit->value.trail, Event::Moved))
      continue;
    const Left missed = leftAlone(*culprit, *moved);
    if (!missed.move)
      continue;
    const Relation onHost{Relation::Different, device.symbol, false, -1}; // where it was made, for all that is told
    scene_ = [&](Reenactment &play) { play.clash(context_, i_, *culprit, *other, onHost); };
    Finding finding;
    finding.check = Check::MixedOperands;
    finding.variant = "sister";
    finding.at = context_.program().listMoved(missed.move->function, missed.move->at);
    finding.subject = missed.member;
    finding.device = describe(context_.state, device);
    finding.otherDevice = describe(context_.state, deviceOf(context_.state, other->value));
    finding.when = deviceOf(context_.state, other->value).kind == DeviceValue::Symbol ? When::IfCuda : When::Always;
    finding.detail = what;
    usedHere(finding, culprit->source, other->source);
    report(finding, missed.member, 0);
    return true;
  }
  return false;
}

/// Neither was made where it should not be: one of them was not brought to the other.
void Attribution::apart(const Clash &c, Finding finding) {
  finding.check = Check::MixedOperands;
  bringTogether(finding, c.culprit, c.other);
  // Of several tensors that a function puts into one structure, the one that it has not moved.
  const Event *left = leftBehind(c.culprit.value.trail, c.other.value.trail);
  if (!left)
    left = leftAmongMembers(c.culprit, c.other.device);
  const Left missed = left ? Left{} : leftByMover(c.culprit, c.other.device);
  // Copies of a module's parameters that were taken before it was moved.
  if (const Event *copied = copiedBefore(c.culprit, c.other)) {
    SourceId call = context_.program().onlyCall(c.otherHow->function, copied->function);
    // Where neither the mover nor the copier calls the other, it is whoever calls both that has them in this order.
    for (const Frame *frame = &context_.frame; frame && !call && !onStack(copied->function); frame = frame->caller)
      call = context_.program().onlyCall(frame->function, copied->function);
    finding.variant = "before";
    finding.at = call ? call : copied->at;
    finding.subject = c.otherHow->subject;
    finding.fix.kind = Fix::None;
  } else if (const SourceId call = sharedAt(c.other, c.culprit)) {
    finding.variant = "again";
    finding.at = call;
    finding.subject = 0;
    finding.fix.kind = Fix::None;
  } else if (missed.move) {
    finding.variant = "sister";
    finding.at = context_.program().listMoved(missed.move->function, missed.move->at);
    finding.subject = missed.member;
    finding.fix.kind = Fix::None;
  } else if (left) {
    finding.variant = "left";
    finding.at = left->at;
    finding.subject = left->subject;
    finding.fix.at = left->at;
    finding.fix.device = c.otherHow ? c.otherHow->target : 0;
    finding.fix.deviceOf = false;
    finding.fix.kind = Fix::AppendTo;
    finding.fix.homes = homes(context_.evidence, context_.state, &context_.frame, left->function, c.other.device);
  } else {
    proviso_.climbs = climbs(c.culprit.value.trail, c.other);
    if (!c.culprit.module && c.culprit.device.kind == DeviceValue::Cpu) // what is on a GPU is right for another turn
      proviso_.madeFor = madeFor(*context_.frame.code, i_, c.culprit.source);
  }
  // Where somebody has put it on the CPU, and the other one may be frozen to a GPU whatever anybody says, that is told.
  const bool isPut =
      c.how && c.culprit.device.kind == DeviceValue::Cpu &&
      (c.how->kind == Event::Moved || c.how->kind == Event::ModuleMoved || c.how->kind == Event::CreatedOn);
  proviso_.other = isPut ? c.other.value.trail : nullptr;
  tell(finding, {c.culprit.value.trail, c.other.value.trail});
  if (finding.at != i_.source)
    usedHere(finding, c.subject, finding.other);
  if (c.culprit.module) {
    const OuterUse outer = useFromOutside(c.culprit);
    if (outer.called && finding.at == i_.source) {
      finding.at = outer.at;
      finding.subject = outer.subject;
      finding.other = argumentOf(*outer.called, c.other);
    }
    finding.fix.kind = Fix::MoveWithSister;
    finding.fix.subject = finding.subject;
    finding.fix.sisters = movesTo(context_.state, c.other.device, c.how);
    finding.fix.at = 0;
    takenAway(c, finding);
  }
  // What was made where another tensor is fails for that one's reasons.
  const Event *followed = c.how && c.how->kind == Event::CreatedOn ? origin(c.how->previous) : nullptr;
  const SourceId root = followed ? followed->at : c.how ? c.how->at : i_.source;
  report(finding, root, within(c.here), c.callersTensor ? c.relation.when : 0);
}

/// It was where it should be, until a function that has ended took it elsewhere.
void Attribution::takenAway(const Clash &c, Finding &finding) const {
  if (!c.how || c.how->kind != Event::ModuleMoved || onStack(c.how->function) || finding.at == c.how->at)
    return;
  const Event *before = latest(c.how->previous, Event::ModuleMoved);
  if (!before || before->function == c.how->function || context_.state.resolve(before->device) != c.other.device)
    return;
  std::erase_if(finding.notes, [&](const Note &note) { return note.at == c.how->at; });
  finding.notes.push_back({Event::Computed, finding.at, finding.subject, {}, finding.other});
  finding.variant = "away";
  finding.at = c.how->at;
  finding.subject = c.how->subject;
  finding.fix.kind = Fix::None;
}

bool Attribution::tensorConflict(const Participant &culprit, const Participant &other, const Relation &relation,
                                 Finding finding) {
  const Event *how = origin(culprit.value.trail);
  const Event *otherHow = origin(other.value.trail);
  const bool callersTensor = relation.when && context_.universe().symbols[relation.when].kind == Symbol::FromCaller;
  const SourceId subject = elementOf(culprit) ? elementOf(culprit) : culprit.source;
  finding.subject = subject;
  finding.other = elementOf(other) ? elementOf(other) : other.source;
  finding.device = device(culprit);
  finding.otherDevice = device(other);
  // A lambda is part of the function that calls it; so is the method of an object that a class has filled for itself.
  const facts::ClassId maker = how ? context_.program().functions[how->function].cls : facts::kNone;
  auto isMakers = [&](const Frame &frame) {
    return maker != facts::kNone && frame.caller->code->cls == maker &&
           (isGivenToKeep(frame, culprit.value.trail) || isGivenIn(frame, culprit.value.trail));
  };
  // And so is what a class hands to one of its parts, having made it for that.
  auto isMadeForPart = [&](const Frame &frame) {
    return maker != facts::kNone && frame.caller->code->cls == maker && frame.code->cls != maker &&
           how->kind == Event::CreatedByDefault && culprit.device.kind == DeviceValue::Cpu;
  };
  const Frame *home = &context_.frame;
  while (home->caller && (context_.program().isLambda(*home->code) || isMakers(*home) || isMadeForPart(*home)))
    home = home->caller;
  const facts::ClassId cls = home->code->cls;
  const bool inModule = cls < context_.program().classes.size() && context_.program().classes[cls].isModule;
  const Clash clash{culprit, other, relation, how, otherHow, home, home->function, inModule, callersTensor, subject};

  if (movedInVain(culprit, other, finding))
    return true;
  for (const auto &[kept, asker] : {std::pair{&culprit, &other}, std::pair{&other, &culprit}})
    if (const std::optional<SourceId> lookup = callersTensor ? std::nullopt : keptForAnother(*kept)) {
      foundAgain(*kept, *asker, *lookup, finding);
      return true;
    }
  // Who named a device to the loader meant it.
  if (how && how->kind == Event::Loaded && !how->target && !culprit.module) {
    finding.check = Check::StaleLoad;
    finding.at = how->at;
    finding.subject = how->subject;
    tell(finding, {other.value.trail});
    usedHere(finding, subject, finding.other);
    loadOnto(finding, *how, other.device);
    report(finding, how->at, 0);
    return true;
  }
  // A parameter or a buffer is where its module is, and so is what was computed from one.
  if (how && how->kind == Event::CreatedByDefault && culprit.device.kind == DeviceValue::Cpu) {
    Participant module = culprit;
    context_.state.forMeta(Meta::Device, [&](ObjectId object, const Value &leaf) {
      if (!module.module && isTensorCell(context_.state, object) && leaf.device == culprit.device &&
          origin(leaf.trail) == how)
        module.module = object;
    });
    if (module.module)
      return moduleConflict(module, other, relation, finding);
  }
  // What a module gave, which nothing moves, is that module's story.
  if (how && how->kind == Event::ModuleCreated && !culprit.module) {
    Participant missed;
    context_.state.forMeta(Meta::Device, [&](ObjectId object, const Value &leaf) {
      Participant module = culprit;
      module.module = object;
      if (!missed.module && origin(leaf.trail) == how && isModule(context_.state, object) &&
          ownerThatMissed(context_, module))
        missed = module;
    });
    if (missed.module)
      return moduleConflict(missed, other, relation, finding);
  }
  if (!culprit.module && culprit.device.kind == DeviceValue::Cpu)
    if (auto missed = ownerThatMissed(context_, culprit);
        missed && (callersTensor || !isMadeAfterMove(missed->owner, how))) {
      unregistered(clash, missed->owner, finding);
      return true;
    }

  if (leftUnderDevice(clash, finding) || notMovedAsElsewhere(clash, finding))
    return true;
  const Factory factory = factoryOf(clash);
  if (how && factory.isAtFault) {
    if (callersTensor && ((!inModule && !context_.program().mentionsDevices) || anotherIsOnHost(context_)))
      return false;
    madeByDefault(clash, factory, finding);
    if (callersTensor)
      return true;
    // Where the host turns out to fill it, it was right as it was made: then it is this use that is wrong.
  }
  // Beside a GPU that somebody chooses, a number is one that somebody wrote, in whatever function.
  const bool isChosenBeside =
      relation.when && relation.index >= 0 && !callersTensor && !other.value.has(Value::kLiteral);
  const bool literal = culprit.device.kind == DeviceValue::Cuda &&
                       (culprit.value.has(Value::kLiteral) || (isChosenBeside && culprit.device.index >= 0) ||
                        isNumberBesideChoice(culprit, other) || isCurrentBesideNumber(culprit, other));
  if (literal && how && (relation.when || culprit.device.index != other.device.index))
    return pinned(clash, finding);
  if (callersTensor) { // only the caller knows, and who brings others to it
    const bool isOwn = how && how->kind == Event::CreatedByDefault && culprit.device.kind == DeviceValue::Cpu;
    if (!isOwn || anotherIsOnHost(context_))
      return false;
    proviso_.apart = broughtToCaller(clash);
    apart(clash, finding);
    return true;
  }
  if (relation.when && context_.universe().symbols[relation.when].kind == Symbol::Recorded)
    return factory.isAtFault;
  if (!omitted(clash, finding))
    apart(clash, finding);
  return true;
}

/// What is noted where something else of the program's own is brought to the tensor of a caller that this one meets.
std::pair<SymbolId, SymbolId> Attribution::broughtToCaller(const Clash &c) const {
  const facts::ClassId keeper = keeperOf(context_, c.culprit.value);
  const SymbolId caller = c.relation.when;
  return {0, keeper == facts::kNone ? caller : inputsOf(context_.universe(), keeper, caller)};
}

/// What a call left on the CPU because it names no device.
bool Attribution::omitted(const Clash &c, Finding finding) {
  const Event *choice = c.culprit.device.kind == DeviceValue::Cpu ? leftOut(c.how) : nullptr;
  if (!choice)
    return false;
  finding.check = Check::MixedOperands;
  finding.variant = "omitted";
  finding.at = choice->at;
  tell(finding, {c.culprit.value.trail, c.other.value.trail});
  usedHere(finding, c.subject, finding.other);
  report(finding, choice->at, 0);
  return true;
}

/// What a list has under a device was put there as it was made, on the CPU.
bool Attribution::leftUnderDevice(const Clash &c, Finding finding) {
  const bool isOnHost = !c.culprit.module && c.culprit.device.kind == DeviceValue::Cpu;
  const Event *kept = isOnHost ? keptUnderDevice(c.culprit.value) : nullptr;
  if (!kept)
    return false;
  finding.check = Check::MixedOperands;
  finding.variant = "kept";
  finding.at = kept->at;
  tell(finding, {c.culprit.value.trail, c.other.value.trail});
  usedHere(finding, c.subject, finding.other);
  report(finding, kept->at, 0, c.callersTensor ? c.relation.when : 0);
  return true;
}

/// What a helper gives is moved to where it is used, but for this once.
bool Attribution::notMovedAsElsewhere(const Clash &c, Finding finding) {
  if (!c.how || c.how->kind != Event::CreatedByDefault || c.culprit.device.kind != DeviceValue::Cpu ||
      onStack(c.how->function) ||
      (c.callersTensor && (!context_.program().mentionsDevices || anotherIsOnHost(context_))))
    return false;
  SourceId call = 0;
  for (const Frame *frame = &context_.frame; frame && !call; frame = frame->caller)
    call = context_.program().callLeftUnmoved(frame->function, c.how->function);
  if (!call)
    return false;
  finding.check = Check::MixedOperands;
  finding.variant = "left";
  finding.at = call;
  tell(finding, {c.culprit.value.trail, c.other.value.trail});
  usedHere(finding, c.subject, finding.other);
  finding.fix.kind = Fix::AppendTo;
  finding.fix.at = call;
  finding.fix.device = elementOf(c.other);
  finding.fix.deviceOf = true;
  finding.fix.homes =
      homes(context_.evidence, context_.state, &context_.frame, context_.frame.function, c.other.device);
  context_.evidence.silenced.note(c.how->at); // and whatever else it meets
  if (c.callersTensor)
    proviso_.apart = broughtToCaller(c);
  report(finding, call, 0, c.callersTensor ? c.relation.when : 0);
  return true;
}

/// Whether the function that made one tensor has made another one there, with options or a device that say so.
bool Attribution::makesOthersAt(const Event &made, DeviceValue there) const {
  bool found = false;
  context_.state.forAll([&](Place, const Value &value) {
    const Event *how = !found && value.kind == Value::Tensor ? origin(value.trail) : nullptr;
    found |= how && how->kind == Event::CreatedOn && how->function == made.function && value.device == there;
  });
  return found;
}

} // namespace samedevice::analysis
