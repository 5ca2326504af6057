// Two that cannot meet: which of the two is the culprit, and which of its steps was the mistake.
#include "Attribution.h"
#include "Control.h"
#include "Devices.h"
#include "Homes.h"
#include "Modules.h"
#include "Reenactment.h"
#include "Upkeep.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

bool Attribution::conflict(const Participant &x, const Participant &y, const Relation &relation,
                           const std::string &what) {
  if (mayHaveMoved(x) || mayHaveMoved(y))
    return false;
  // Where two paths met, one with the GPU and one without: that the other one is on the GPU is of the first.
  auto isOfOnePath = [&](const Participant &one, const Participant &other) {
    return one.device.kind == DeviceValue::Cuda && !one.value.has(Value::kLiteral) &&
           other.device.kind == DeviceValue::Symbol && context_.universe().symbols[other.device.symbol].isJoined;
  };
  if (isOfOnePath(x, y) || isOfOnePath(y, x))
    return false;
  Finding finding;
  finding.at = i_.source;
  finding.detail = what;
  finding.variant = i_.opcode == Opcode::DeviceUse ? "kernel" : i_.flags & facts::kDraws ? "generator" : "";
  scene_ = [&](Reenactment &play) { play.clash(context_, i_, x, y, relation); };
  finding.when = when(relation);
  // A script that was put where a constant says, and a tensor that was put on a GPU by its number: the constant holds.
  auto isSettled = [&](const Participant &script, const Participant &tensor) {
    const Event *how = script.module ? origin(script.value.trail) : nullptr;
    return how && how->kind == Event::Loaded && how->target && !script.value.has(Value::kLiteral) &&
           script.device.index >= 0 && tensor.value.has(Value::kLiteral) && tensor.device.index >= 0;
  };
  if (isSettled(x, y))
    return tensorConflict(y, x, relation, finding);
  if (isSettled(y, x))
    return tensorConflict(x, y, relation, finding);
  if (x.module && moduleConflict(x, y, relation, finding))
    return true;
  if (y.module && moduleConflict(y, x, relation, finding))
    return true;
  // The odd one is the one on the CPU; between two GPUs, the one whose index somebody wrote down. (A module's, where
  // the other index was picked: of a tensor's other devices only its owner knows.)
  bool xOdd = x.device.kind == DeviceValue::Cpu;
  if (x.device.kind == y.device.kind || (x.device.kind != DeviceValue::Cpu && y.device.kind != DeviceValue::Cpu))
    xOdd = (!x.module || relation.index >= 0) && x.value.has(Value::kLiteral) && !y.value.has(Value::kLiteral);
  // Where there is no GPU, whoever insists on one.
  if (x.device.kind != y.device.kind && context_.state.truth(Symbols::kAvailable) == 0 &&
      (x.device.kind == DeviceValue::Cuda ? x : y).value.has(Value::kLiteral))
    xOdd = x.device.kind == DeviceValue::Cuda;
  // Of two GPUs that are both written down, the one that stands alone.
  const int timesX = context_.program().timesWritten(x.device), timesY = context_.program().timesWritten(y.device);
  if (x.device.kind == y.device.kind && x.value.has(Value::kLiteral) && y.value.has(Value::kLiteral) && timesX &&
      timesY && timesX != timesY)
    xOdd = timesX < timesY;
  // Where a file says that something lives is nowhere that anybody chose.
  auto restored = [&](const Participant &p) {
    const Event *how = origin(p.value.trail);
    return !p.module && how && how->kind == Event::Loaded;
  };
  if (restored(x) != restored(y) && x.device.kind != DeviceValue::Cpu && y.device.kind != DeviceValue::Cpu)
    xOdd = restored(x);
  proviso_.story = (xOdd ? x : y).value.trail;
  return xOdd ? tensorConflict(x, y, relation, finding) : tensorConflict(y, x, relation, finding);
}

bool Attribution::moduleConflict(const Participant &module, const Participant &other, const Relation &relation,
                                 Finding finding) {
  const Event *how = origin(module.value.trail);
  // Put in after its parent's move, itself or with what holds it.
  ObjectId late = 0;
  context_.state.forMeta(Meta::Placed, [&](ObjectId child, const Value &mark) {
    if (mark.kind == Value::Reference && !late && inTree(context_.state, child, module.module))
      late = child;
  });
  if (late) {
    placed(context_.evidence, context_.report, context_.state, late, &finding, &context_.frame);
    return true;
  }
  const bool isScript = analysis::isScript(context_.state, module.module);
  // A tensor of its that was loaded for the CPU, and so written, has no part in that: the module was not moved.
  const bool isForHost = how && how->target && !how->previous;
  if (how && how->kind == Event::Loaded && !isScript && !isForHost) {
    finding.check = Check::StaleLoad;
    finding.at = how->at;
    finding.subject = how->subject;
    finding.device = device(module);
    finding.otherDevice = device(other);
    finding.other = other.source;
    tell(finding, {module.value.trail});
    usedHere(finding, module.source, other.source);
    for (const Event *before = how->previous; before && !finding.fix.device; before = before->previous)
      if (before->kind == Event::ModuleMoved)
        finding.fix.device = before->target;
    loadOnto(finding, *how, other.device);
    report(finding, how->at, 0);
    return true;
  }
  if (auto missed = ownerThatMissed(context_, module)) {
    Value stored = context_.state.get(meta(missed->held, Meta::Stored));
    if (!stored.trail)
      stored = context_.state.get(meta(module.module, Meta::Stored));
    finding.check = Check::UnregisteredMember;
    finding.variant = "module";
    if (stored.trail)
      finding.at = stored.trail->at;
    else if (how)
      finding.at = how->at;
    finding.subject = stored.trail ? stored.trail->subject : 0;
    finding.device = device(module);
    finding.otherDevice = device(other);
    finding.other = other.source;
    tell(finding, {context_.state.get(meta(missed->owner, Meta::Moved)).trail});
    usedHere(finding, module.source, other.source);
    finding.fix.kind = Fix::Register;
    finding.fix.at = finding.at;
    forLeaves(context_.state, missed->held, [&](ObjectId, const Value &leaf) { // and so where all it computes is
      if (const Event *made = beginning(leaf.trail))
        context_.evidence.told.note(made->at);
    });
    report(finding, finding.at, 0);
    return true;
  }
  bool callersHome = relation.when && context_.universe().symbols[relation.when].kind == Symbol::FromCaller;
  const bool script = isScript && how && how->kind == Event::Loaded;
  if (callersHome && script && module.device.kind == DeviceValue::Cuda) {
    Participant prepared = other;
    prepared.value = homeOfInputs(context_);
    prepared.device = context_.state.resolve(prepared.value.device);
    const Relation apart = relate(context_.state, module.device, prepared.device);
    if (apart.kind != Relation::Different || context_.universe().symbols[apart.when].kind != Symbol::Chosen)
      return false;
    finding.when = when(apart);
    scene_ = [=, this](Reenactment &play) { play.clash(context_, i_, module, prepared, apart); };
    return moduleConflict(module, prepared, apart, finding);
  }
  if (callersHome)
    return false;
  if (script) {
    // Inputs that stay on the CPU are a program without a GPU: it has no device to hand to the loader; and who named
    // the CPU to the loader meant it.
    if (other.device.kind == DeviceValue::Cpu || module.device.kind == DeviceValue::Cpu)
      return false;
    // The loader's device, or its default, is what was frozen.
    finding.check = Check::PinnedIndex;
    finding.variant = module.device.kind == DeviceValue::Symbol ? "script" : "";
    finding.at = how->at;
    finding.subject = how->at;
    finding.device = device(module);
    finding.other = other.source;
    finding.otherDevice = device(other);
    tell(finding, {other.value.trail});
    usedHere(finding, module.source, other.source);
    if (const Event *moved = origin(other.value.trail))
      finding.fix.device = moved->target;
    loadOnto(finding, *how, other.device);
    report(finding, how->at, 0);
    return true;
  }
  if (!how || how->kind == Event::Moved || how->kind == Event::ModuleMoved || how->kind == Event::CreatedOn ||
      how->kind == Event::Parameter || module.device.kind != DeviceValue::Cpu)
    return false;
  finding.check = Check::UnmovedModule;
  // The whole module, if none of it was moved; it is used from outside, not in its own code.
  const Frame *frame = &context_.frame;
  SourceId used = i_.source, asWritten = module.source;
  ObjectId left = module.module;
  const Event *made = module.value.trail;
  if (const Event *whole = context_.state.get(meta(module.module, Meta::Class)).trail; whole && whole->at)
    made = whole; // its forward is in another file
  while (frame->caller && frame->site) {
    Value self =
        frame->code->cls == facts::kNone ? Value{} : follow(context_.state, context_.state.get(field(frame->id, 0)));
    bool inside = self.kind == Value::Object && isModule(context_.state, self.object) &&
                  inTree(context_.state, self.object, module.module);
    bool moved = false;
    if (inside)
      forLeaves(context_.state, self.object,
                [&](ObjectId, const Value &leaf) { moved |= leaf.device != module.device; });
    if (!inside || moved)
      break;
    used = frame->site->source;
    asWritten = frame->site->args.empty() ? 0 : frame->site->args[0].source;
    if (const Event *whole = context_.state.get(meta(self.object, Meta::Class)).trail; whole && whole->at)
      made = whole;
    left = self.object;
    frame = frame->caller;
  }
  finding.device = device(module);
  finding.other = used == i_.source ? other.source : 0;
  finding.otherDevice = device(other);
  SourceId root = made && made->at ? made->at : how->at;
  // It is moved where it is made; one that a function handed out, whoever asked for it.
  const Event *maker = made && made->at ? made : how;
  const Function &in = context_.program().functions[maker->function];
  const bool returnsModules = !in.result.reference && // `return *this` gives what was there before
                              (in.result.type == facts::Type::Module || in.result.type == facts::Type::Record ||
                               in.result.type == facts::Type::List);
  const bool isHandedOut = !onStack(maker->function) && !in.isConstructor && returnsModules;
  finding.variant = isHandedOut ? "used" : "made";
  finding.at = isHandedOut ? used : root;
  // Given to a class that moves what it has, but for this constructor or method.
  if (const Event *kept = context_.state.get(meta(left, Meta::Stored)).trail;
      kept && kept->function != maker->function && isMovedBySister(*kept)) {
    finding.variant = "made";
    finding.at = kept->at;
  }
  finding.subject = asWritten;
  tell(finding, {made, other.value.trail});
  if (finding.variant == "made")
    finding.notes.push_back({Event::Computed, used, asWritten, {}, finding.other});
  finding.fix.kind = Fix::MoveWithSister;
  finding.fix.at = root;
  finding.fix.subject = finding.subject;
  finding.fix.sisters = movesTo(context_.state, other.device, made ? made : how);
  if (const Event *moved = origin(other.value.trail))
    finding.fix.device = moved->target;
  finding.fix.homes =
      homes(context_.evidence, context_.state, &context_.frame, made ? made->function : how->function, other.device);
  report(finding, root, 0);
  return true;
}

void Attribution::loadOnto(Finding &finding, const Event &load, DeviceValue wanted) const {
  finding.fix.kind = Fix::LoadOnto;
  finding.fix.at = load.at;
  finding.fix.subject = load.subject;
  finding.fix.homes = homes(context_.evidence, context_.state, &context_.frame, load.function, wanted);
}

/// `add_`, `+=`; but not `==`.
static bool isInPlace(const std::string &operation) {
  static constexpr std::string_view comparisons[] = {"operator==", "operator!=", "operator<=", "operator>="};
  return !operation.empty() && (operation.back() == '_' || operation.back() == '=') &&
         std::find(std::begin(comparisons), std::end(comparisons), operation) == std::end(comparisons);
}

bool Attribution::movedInVain(const Participant &culprit, const Participant &other, Finding finding) {
  const DroppedCopy *dropped = nullptr;
  for (const Event *event = culprit.value.trail; event && !dropped; event = event->previous)
    if (const DroppedCopy *known = context_.evidence.dropped(event);
        known && relate(context_.state, known->device, other.device).kind == Relation::Same)
      dropped = known;
  if (!dropped)
    return false;
  finding.check = Check::DiscardedTo;
  finding.variant.clear();
  finding.at = dropped->call->source;
  finding.subject = dropped->original;
  finding.detail = context_.program().functions[dropped->call->targets[0]].name;
  tell(finding, {other.value.trail});
  usedHere(finding, culprit.source, other.source);
  finding.fix.kind = Fix::AssignResult;
  finding.fix.at = finding.at;
  finding.fix.subject = finding.subject;
  if (const Event *root = origin(culprit.value.trail))
    context_.evidence.silenced.note(root->at);
  report(finding, finding.at, 0);
  return true;
}

bool Attribution::tensorConflict(const Participant &culprit, const Participant &other, const Relation &relation,
                                 Finding finding) {
  const Event *how = origin(culprit.value.trail);
  const Event *otherHow = origin(other.value.trail);
  bool callersTensor = relation.when && context_.universe().symbols[relation.when].kind == Symbol::FromCaller;
  SymbolId dependsOn = callersTensor ? relation.when : 0;
  const SourceId subject = elementOf(culprit) ? elementOf(culprit) : culprit.source;
  finding.subject = subject;
  finding.other = elementOf(other) ? elementOf(other) : other.source;
  finding.device = device(culprit);
  finding.otherDevice = device(other);
  // A lambda is part of the function that calls it.
  const Frame *home = &context_.frame;
  while (home->caller && context_.program().isLambda(*home->code))
    home = home->caller;
  FunctionId here = home->function;
  facts::ClassId hereClass = home->code->cls;
  const bool inModule = hereClass < context_.program().classes.size() && context_.program().classes[hereClass].isModule;

  if (movedInVain(culprit, other, finding))
    return true;
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
  if (!culprit.module && culprit.device.kind == DeviceValue::Cpu) {
    if (auto missed = ownerThatMissed(context_, culprit)) {
      const ObjectId owner = missed->owner;
      finding.check = Check::UnregisteredMember;
      finding.variant = "tensor";
      finding.detail.clear();
      const Event *stored = latest(culprit.value.trail, Event::Stored);
      // The member it was kept in, whatever it went through after that.
      context_.state.forPart(owner, Part::Field, [&](std::uint32_t name, const Value &member) {
        for (const Event *event = culprit.value.trail; event; event = event->previous)
          if (member.kind == Value::Tensor && member.trail == event) {
            finding.detail = context_.universe().names.text(name);
            stored = event->kind == Event::Stored ? event : stored;
          }
      });
      finding.at = stored ? stored->at : how ? how->at : i_.source;
      if (stored && stored->subject)
        finding.subject = stored->subject;
      tell(finding, {context_.state.get(meta(owner, Meta::Moved)).trail});
      usedHere(finding, subject, finding.other);
      // A name is registered once: what was made in its place is another tensor's story.
      const bool isKnown =
          context_.state.find(place(owner, Part::Tensor, context_.universe().names.id(finding.detail)));
      finding.fix.kind = isKnown ? Fix::SetData : Fix::Register;
      finding.fix.at = finding.at;
      finding.fix.subject = finding.subject;
      report(finding, how ? how->at : finding.at, 0);
      return true;
    }
  }

  bool madeHere = false;
  if (how) {
    const Function &maker = context_.program().functions[how->function];
    madeHere = how->function == here || how->function == context_.frame.function ||
               (hereClass != facts::kNone && maker.cls != facts::kNone &&
                (context_.program().derivesFrom(hereClass, maker.cls) ||
                 context_.program().derivesFrom(maker.cls, hereClass)));
  }
  // Where the other one began: given by the caller, or made elsewhere.
  const Event *begun = beginning(other.value.trail);
  bool fromOutside = callersTensor || (begun && (begun->kind == Event::Parameter || begun->function != here));
  // Options that a helper was given: whoever made them should have said where.
  const Event *options = how && how->kind == Event::CreatedByDefault ? how->previous : nullptr;
  if (options && (options->kind != Event::OptionsMade || !options->at || options->function == how->function ||
                  context_.program().isLambda(context_.program().functions[how->function])))
    options = nullptr;
  // Of several that were made here and put together, none is the one to change: the whole is, where it is used.
  bool isJoint = false;
  for (const Event *event = culprit.value.trail; event && !callersTensor; event = event->previous)
    isJoint |= context_.evidence.joint.has(event);
  // A helper that was handed something from where the caller's tensor is could have made it there.
  const bool isHelpers =
      callersTensor && how && !madeHere && !onStack(how->function) &&
      !homes(context_.evidence, context_.state, &context_.frame, how->function, other.device).empty();
  // What a helper has put it in the place of was where it should be.
  const std::optional<DeviceValue> displaced = madeHere ? std::nullopt : context_.evidence.displaced(how);
  const bool isWorse = displaced && context_.state.resolve(*displaced) == other.device;
  const bool isFactorys = how && how->kind == Event::CreatedByDefault && culprit.device.kind == DeviceValue::Cpu &&
                          ((madeHere && fromOutside) || options || isHelpers || isWorse) && !isJoint;
  if (isFactorys) {
    if (callersTensor && !inModule && !context_.program().mentionsDevices)
      return false;
    if (callersTensor && anotherIsOnHost(context_))
      return false;
    Finding factory = finding;
    factory.check = Check::DefaultFactory;
    factory.variant = options ? "options" : "";
    factory.at = options ? options->at : how->at;
    factory.subject = options ? options->subject : how->subject;
    if (options)
      tell(factory, {culprit.value.trail, other.value.trail});
    else
      tell(factory, {other.value.trail});
    usedHere(factory, subject, finding.other);
    factory.fix.kind = Fix::AddDevice;
    factory.fix.at = factory.at;
    factory.fix.device = other.module || options || isHelpers ? 0 : elementOf(other);
    factory.fix.deviceOf = true;
    factory.fix.homes = homes(context_.evidence, context_.state, &context_.frame,
                              options ? options->function : how->function, other.device);
    Finding atUse = finding;
    bringTogether(atUse, culprit, other);
    factory.alternatives.push_back({i_.source, std::move(atUse.fix)});
    proviso_.made = how;
    report(factory, how->at, 0, dependsOn);
    proviso_.made = nullptr;
    if (callersTensor)
      return true;
    // Where the host turns out to fill it, it was right as it was made: then it is this use that is wrong.
  }
  bool literal = culprit.device.kind == DeviceValue::Cuda && culprit.value.has(Value::kLiteral);
  if (literal && how && (relation.when || culprit.device.index != other.device.index)) {
    // Two literals in one function are its own affair; else the other one was told where to be.
    bool elsewhere =
        callersTensor || !(other.value.has(Value::kLiteral) && otherHow && otherHow->function == how->function);
    // Of functions that others call, those who made a helper that pins may call with what it pinned; Python does not.
    // What an earlier call has left is there for any of them.
    const Event *kept = latest(culprit.value.trail, Event::Kept);
    if (callersTensor && !kept && how->function != here && !outermost(*home).code->isEntry)
      return false;
    if (callersTensor && !kept && how->kind == Event::Moved && isBypassed(*how)) {
      // `if (gpus > 0) x = x.cuda();`: a flag says where the program works, and the caller's tensor is there, too.
      if (const Event *made = beginning(how))
        context_.evidence.chosenByFlag.note(made->at);
      return false;
    }
    if (callersTensor && !kept && context_.program().isWrittenForCuda)
      return false;
    const bool isMemory = kept && how->kind == Event::Allocated;
    for (const Frame *frame = &context_.frame; frame && isMemory; frame = frame->caller)
      if (isSkippedUnseen(context_.program(), frame->function, how->function, how->at))
        return false;
    finding.check = elsewhere || other.module ? Check::PinnedIndex : Check::MixedOperands;
    proviso_.onHost = relation.when && !relation.whenCuda && relation.index < 0 ? relation.when : 0;
    if (finding.check == Check::PinnedIndex) {
      finding.at = how->at;
      finding.fix.kind = Fix::ReplaceDevice;
      finding.fix.device = other.module ? 0 : elementOf(other);
      finding.fix.deviceOf = true;
      finding.fix.homes = homes(context_.evidence, context_.state, &context_.frame, how->function, other.device);
      // The literal itself, where it stands in the same function as what it was used for.
      for (const Event *event = how; event; event = event->previous)
        if (event->kind == Event::Chosen && event->at &&
            (event->function == how->function || handsOutDevices(context_.program().functions[event->function]))) {
          finding.at = event->at;
          break;
        }
      finding.fix.at = how->target ? how->target : finding.at;
    }
    if (kept) { // what was kept is brought to each caller, where it is used
      finding.variant = isMemory ? "kept-memory" : "kept";
      finding.when = When::IfAnotherGpu;
      // What is found again under a key is kept under one that does not say a device.
      finding.at = isMemory || !kept->at ? how->at : kept->at;
      bringTogether(finding, culprit, other);
    }
    if (isMemory)
      finding.fix = {};
    if (finding.check == Check::PinnedIndex) {
      finding.subject = how->subject && !isMemory ? how->subject : finding.subject;
      if (!isMemory)
        tell(finding, {other.value.trail}); // the literal says the rest
    } else {
      bringTogether(finding, culprit, other);
      tell(finding, {culprit.value.trail, other.value.trail});
    }
    if (finding.at != i_.source)
      usedHere(finding, subject, finding.other);
    // What is made with options that somebody pinned elsewhere has that one root, however much of it there is.
    const Event *pinned = how;
    while (pinned && !(pinned->kind == Event::Chosen && pinned->at))
      pinned = pinned->previous;
    const bool isShared = pinned && pinned->function != how->function && finding.check == Check::PinnedIndex;
    report(finding, isShared ? pinned->at : how->at, finding.check == Check::PinnedIndex ? 0 : within(here), dependsOn);
    return true;
  }
  if (callersTensor)
    return false; // only the caller knows
  if (relation.when && context_.universe().symbols[relation.when].kind == Symbol::Recorded)
    return isFactorys;
  finding.check = Check::MixedOperands;
  bringTogether(finding, culprit, other);
  // Of several tensors that a function puts into one structure, the one that it has not moved.
  const Event *left = leftBehind(culprit.value.trail, other.value.trail);
  if (!left)
    left = leftAmongMembers(culprit, other.device);
  const Left missed = left ? Left{} : leftByMover(culprit, other.device);
  // Copies of a module's parameters that were taken before it was moved.
  if (const Event *copied = copiedBefore(culprit, other)) {
    SourceId call = context_.program().onlyCall(otherHow->function, copied->function);
    // Where neither the mover nor the copier calls the other, it is whoever calls both that has them in this order.
    for (const Frame *frame = &context_.frame; frame && !call && !onStack(copied->function); frame = frame->caller)
      call = context_.program().onlyCall(frame->function, copied->function);
    finding.variant = "before";
    finding.at = call ? call : copied->at;
    finding.subject = otherHow->subject;
    finding.fix.kind = Fix::None;
  } else if (missed.move) {
    finding.variant = "sister";
    finding.at = missed.move->at;
    finding.subject = missed.member;
    finding.fix.kind = Fix::None;
  } else if (left) {
    finding.variant = "left";
    finding.at = left->at;
    finding.subject = left->subject;
    finding.fix.at = left->at;
    finding.fix.device = otherHow ? otherHow->target : 0;
    finding.fix.deviceOf = false;
    finding.fix.kind = Fix::AppendTo;
    finding.fix.homes = homes(context_.evidence, context_.state, &context_.frame, left->function, other.device);
  } else {
    proviso_.climbs = climbs(culprit.value.trail, other);
  }
  tell(finding, {culprit.value.trail, other.value.trail});
  if (finding.at != i_.source)
    usedHere(finding, subject, finding.other);
  if (culprit.module) {
    finding.fix.kind = Fix::MoveWithSister;
    finding.fix.subject = culprit.source;
    finding.fix.sisters = movesTo(context_.state, other.device, how);
    finding.fix.at = 0;
  }
  report(finding, how ? how->at : i_.source, within(here));
  return true;
}

/// One operand is brought to where the other one is, in this very statement.
void Attribution::bringTogether(Finding &finding, const Participant &culprit, const Participant &other) const {
  // What is written to must stay the tensor it is.
  bool written = false;
  for (const Operand &operand : i_.args)
    written |= operand.source == culprit.source &&
               (operand.name.rfind("out", 0) == 0 || (operand.name == "self" && isInPlace(i_.text)));
  const bool isOut = written && !isInPlace(i_.text);
  Fix &fix = finding.fix;
  fix.at = elementOf(culprit);
  fix.device = elementOf(other);
  fix.deviceOf = true;
  if (other.module) {
    const Event *there = origin(other.value.trail);
    fix.deviceOf = false;
    fix.device = there ? there->target : 0;
  }
  if (other.module && isWhollyAt(context_.state, other.module, other.device))
    fix.module = other.source;
  fix.kind = isOut || !fix.at ? Fix::None : Fix::AppendTo;
  fix.homes = homes(context_.evidence, context_.state, &context_.frame, context_.frame.function,
                    written ? culprit.device : other.device);
  if (written && !isOut) { // then what comes to it is brought there
    fix.device = fix.at;
    fix.at = elementOf(other);
    fix.deviceOf = true;
    fix.module = 0;
  }
}

/// What takes part, as it is written, where it is one of a list: of `{x, skip}` the one that is meant.
SourceId Attribution::elementOf(const Participant &one) const {
  auto isGiven = [&](Slot slot, SourceId source) {
    return slot != facts::kNone && std::any_of(i_.args.begin(), i_.args.end(), [&](const Operand &operand) {
             return operand.slot == slot && operand.source == source;
           });
  };
  for (const facts::Block &block : context_.frame.code->blocks)
    for (const Instruction &list : block.instructions) {
      if (list.opcode != Opcode::List || (list.source != one.source && !isGiven(list.dest, one.source)))
        continue;
      for (const Operand &element : list.args) {
        const Value value = analysis::value(context_, element);
        if (context_.state.resolve(deviceOf(context_.state, value)) != one.device)
          continue;
        for (const Event *event = one.value.trail; event; event = event->previous)
          if (event == value.trail)
            return element.source;
      }
      return 0;
    }
  return one.source;
}

} // namespace samedevice::analysis
