// A module that cannot meet what it is used with: which of its owner's steps was the mistake.
#include "Attribution.h"
#include "Blocks.h"
#include "Devices.h"
#include "Homes.h"
#include "Lists.h"
#include "Locals.h"
#include "Modules.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

/// Where a class puts what a helper has made for it into one of its members, itself or in a list; and which.
struct Kept {
  SourceId at = 0, member = 0;
  bool isInList = false;
  int times = 0; ///< that something is put there, anywhere in the class
};

static Kept keptByOwner(const State &state, ObjectId owner, ObjectId held) {
  const facts::ClassId cls = classOf(state, owner);
  Kept kept;
  if (cls >= state.program().classes.size())
    return kept;
  auto isMeant = [&](const Value &value) {
    const Value one = follow(state, value);
    return one.kind == Value::Object && one.object == held;
  };
  state.forPart(owner, Part::Field, [&](std::uint32_t id, const Value &member) {
    const Value value = follow(state, member);
    const std::vector<Value> parts = elements(state, value);
    if (kept.at || (!isMeant(value) && std::none_of(parts.begin(), parts.end(), isMeant)))
      return;
    const std::string &name = state.universe().names.text(id);
    const facts::SlotInfo *declared = state.program().memberOf(cls, name);
    const Function *first = nullptr;
    kept.isInList = !isMeant(value);
    kept.member = declared ? declared->source : 0;
    for (const Function &code : state.program().functions) {
      if (code.cls != cls)
        continue;
      for (const facts::Block &block : code.blocks)
        for (const Instruction &field : block.instructions)
          if (field.opcode == Opcode::Field && field.text == name)
            for (const Instruction &i : block.instructions)
              if (i.opcode == Opcode::Assign && i.args[0].slot == field.dest && i.source) {
                ++kept.times;
                if (first && first != &code)
                  continue;
                kept.at = i.source; // not what the member is before that
                first = &code;
              }
    }
  });
  return kept;
}

/// Whether all that it keeps is still there.
static bool isWhollyOn(const State &state, ObjectId module, DeviceValue device) {
  bool moved = false;
  forLeaves(state, module, [&](ObjectId, const Value &leaf) { moved |= leaf.device != device; });
  return !moved;
}

/// The largest module that it is a part of, and of which nothing was moved.
static ObjectId largestAround(const State &state, ObjectId part, DeviceValue device) {
  ObjectId largest = part;
  state.forMeta(Meta::Class, [&](ObjectId whole, const Value &made) {
    if (whole != largest && made.trail && made.trail->at && isModule(state, whole) &&
        inTree(state, whole, largest, false) && isWhollyOn(state, whole, device))
      largest = whole;
  });
  return largest;
}

Attribution::OuterUse Attribution::useFromOutside(const Participant &module) const {
  OuterUse use{i_.source, module.source, nullptr, module.module, module.value.trail};
  if (const Event *whole = context_.state.get(meta(module.module, Meta::Class)).trail; whole && whole->at)
    use.made = whole; // its forward is in another file
  for (const Frame *frame = &context_.frame; frame->caller && frame->site; frame = frame->caller) {
    const Value self =
        frame->code->cls == facts::kNone ? Value{} : follow(context_.state, context_.state.get(field(frame->id, 0)));
    const bool isInside = self.kind == Value::Object && isModule(context_.state, self.object) &&
                          inTree(context_.state, self.object, module.module);
    if (!isInside || !isWhollyOn(context_.state, self.object, module.device))
      break;
    use.at = frame->site->source;
    use.subject = frame->site->args.empty() ? 0 : frame->site->args[0].source;
    use.called = frame;
    if (const Event *whole = context_.state.get(meta(self.object, Meta::Class)).trail; whole && whole->at)
      use.made = whole;
    use.module = self.object;
  }
  return use;
}

SourceId Attribution::argumentOf(const Frame &called, const Participant &given) const {
  if (!called.arguments || !called.site || called.site->args.size() != called.arguments->size())
    return 0;
  for (std::size_t n = 0; n < called.arguments->size(); ++n) {
    const Event *trail = follow(context_.state, (*called.arguments)[n]).trail;
    if (hasStep(given.value.trail, trail))
      return called.site->args[n].source;
  }
  return 0;
}

/// Of a module it is told where it stays, and so where all that it computes is.
void Attribution::noteTold(Evidence &evidence, const State &state, ObjectId module) {
  forLeaves(state, module, [&](ObjectId, const Value &leaf) {
    if (const Event *made = beginning(leaf.trail))
      evidence.told.note(made->at);
  });
}

/// `if (learns(kv.first)) kv.second->to(device)`: what moves elements of a list, one by one.
static bool movesElement(const ProgramIndex &program, const Event &moved) {
  const Function &code = program.functions[moved.function];
  return hasInstruction(code, [&](const Instruction &move) {
    return move.opcode == Opcode::MoveModule && move.source == moved.at && elementBehind(code, move.args[0].slot);
  });
}

const Event *Attribution::movesOthersOfList(ObjectId left, DeviceValue wanted) const {
  const State &state = context_.state;
  const Event *found = nullptr;
  state.forAll([&](Place p, const Value &element) {
    if (found || partOf(p) != Part::Element || !objectOf(p) || follow(state, element).object != left)
      return;
    state.forPart(objectOf(p), Part::Element, [&](std::uint32_t, const Value &other) {
      const ObjectId sister = follow(state, other).object;
      const Event *moved = sister && sister != left ? state.get(meta(sister, Meta::Moved)).trail : nullptr;
      if (!found && moved && moved->at && moved->kind == Event::ModuleMoved && state.resolve(moved->device) == wanted &&
          movesElement(context_.program(), *moved))
        found = moved;
    });
  });
  return found;
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
  // Who named a device to the loader meant it, as against who left it to the file.
  const Event *otherHow = origin(other.value.trail);
  const bool isOthersLoad = how && how->target && otherHow && otherHow->kind == Event::Loaded && !otherHow->target;
  if (how && how->kind == Event::Loaded && !isScript && !isForHost && !isOthersLoad) {
    finding.check = Check::StaleLoad;
    finding.variant = how->target ? "onto" : "";
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
  // A parameter that was where it should be has got the data of a tensor that is not.
  if (const std::optional<DeviceValue> was = context_.evidence.displaced(module.value.trail);
      was && module.device.kind == DeviceValue::Cpu && module.value.trail->target &&
      context_.state.resolve(*was) == other.device) {
    const Event &put = *module.value.trail;
    finding.check = Check::StaleLoad;
    finding.variant = "data";
    finding.at = put.at;
    finding.subject = put.subject;
    finding.device = device(module);
    finding.otherDevice = device(other);
    finding.other = other.source;
    tell(finding, {module.value.trail});
    usedHere(finding, module.source, other.source);
    finding.fix.kind = Fix::AppendTo;
    finding.fix.at = put.target;
    finding.fix.device = put.subject;
    finding.fix.deviceOf = true;
    report(finding, put.at, 0);
    return true;
  }
  if (auto missed = ownerThatMissed(context_, module)) {
    Value stored = context_.state.get(meta(missed->held, Meta::Stored));
    if (!stored.trail)
      stored = context_.state.get(meta(module.module, Meta::Stored));
    // It was registered, until another one got its name; not by the same line, which throws when it comes again.
    const Event *successor = context_.state.get(meta(missed->held, Meta::Successor)).trail;
    const bool isReplaced = stored.trail && stored.trail->kind == Event::Registered && successor;
    if (isReplaced && successor->at == stored.trail->at)
      return true;
    finding.check = Check::UnregisteredMember;
    finding.variant = isReplaced ? "replaced" : "module";
    if (stored.trail)
      finding.at = isReplaced ? successor->at : stored.trail->at;
    else if (how)
      finding.at = how->at;
    finding.subject = stored.trail ? stored.trail->subject : 0;
    finding.fix.kind = isReplaced ? Fix::None : Fix::Register;
    // Who belongs to no class registers nothing: whose member it has become could have.
    const facts::FunctionId putter = stored.trail ? stored.trail->function : facts::kNone;
    const Kept kept = keptByOwner(context_.state, missed->owner, missed->held);
    if (kept.at && putter < context_.program().functions.size() &&
        context_.program().functions[putter].cls == facts::kNone) {
      finding.at = kept.at;
      finding.subject = kept.member;
      finding.fix.kind = Fix::None;
    }
    finding.device = device(module);
    finding.otherDevice = device(other);
    finding.other = other.source;
    tell(finding, {context_.state.get(meta(missed->owner, Meta::Moved)).trail});
    usedHere(finding, module.source, other.source);
    finding.fix.at = finding.at;
    noteTold(context_.evidence, context_.state, missed->held);
    // A member is registered once, however often it is made anew.
    const bool isMadeAnew = kept.member && !kept.isInList && kept.times > 1 && finding.variant == "module";
    if (isMadeAnew)
      finding.fix.kind = Fix::None;
    report(finding, isMadeAnew ? kept.member : finding.at, 0);
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
    // Without a GPU, it is no file's fault that something insists on one.
    if (context_.state.lacksGpu() && module.device.kind == DeviceValue::Symbol)
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
  if (movedInVain(module, other, finding))
    return true;
  finding.check = Check::UnmovedModule;
  // The whole module, if none of it was moved; it is used from outside, not in its own code.
  const OuterUse outer = useFromOutside(module);
  SourceId used = outer.at, asWritten = outer.subject;
  ObjectId left = outer.module;
  const Event *made = outer.made;
  if (const ObjectId whole = largestAround(context_.state, left, module.device); whole != left) { // others use a part
    left = whole;
    made = context_.state.get(meta(whole, Meta::Class)).trail;
    asWritten = made->subject;
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
  // One of a class that keeps the device its modules are for forgot to move it.
  const bool knowsWhere = keepsDevice(context_.state, &context_.frame, maker->function, other.device);
  const bool isHandedOut = !onStack(maker->function) && !in.isConstructor && returnsModules && !knowsWhere;
  finding.variant = isHandedOut ? "used" : "made";
  finding.at = isHandedOut ? used : root;
  // Given to a class that moves what it has, but for this constructor or method; be it in a container.
  auto whereKept = [&](ObjectId whole) {
    const Event *kept = context_.state.get(meta(whole, Meta::Stored)).trail;
    return kept && kept->function != maker->function && isMovedBySister(*kept) ? kept : nullptr;
  };
  const Event *kept = whereKept(left);
  context_.state.forMeta(Meta::Class, [&](ObjectId whole, const Value &) {
    if (!kept && isContainer(context_.state, whole) && inTree(context_.state, whole, left, false) &&
        isWhollyOn(context_.state, whole, module.device))
      kept = whereKept(whole);
  });
  if (kept) {
    finding.variant = "made";
    finding.at = kept->at;
  }
  const Event *moves = kept || !made ? nullptr : movesOthersOfList(left, other.device);
  if (moves && made->order < moves->order) { // what came into the list later, its maker should have moved
    finding.variant = "others";
    finding.at = moves->at;
  }
  finding.subject = asWritten;
  tell(finding, {made, other.value.trail});
  if (finding.variant == "made" || finding.variant == "others")
    finding.notes.push_back({Event::Computed, used, asWritten, {}, finding.other});
  finding.fix.kind = Fix::MoveWithSister;
  finding.fix.at = root;
  finding.fix.subject = finding.subject;
  finding.fix.sisters = movesTo(context_.state, other.device, made ? made : how);
  if (const Event *moved = origin(other.value.trail))
    finding.fix.device = moved->target;
  finding.fix.homes =
      homes(context_.evidence, context_.state, &context_.frame, made ? made->function : how->function, other.device);
  goesWith(finding.fix, other);
  report(finding, root, 0);
  return true;
}

} // namespace samedevice::analysis
