// What speaks for or against a culprit: where it was put, who moved its neighbours, what can be passed by.
#include "Attribution.h"
#include "Blocks.h"
#include "Kept.h"
#include "Modules.h"
#include "Reenactment.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

/// A module that stands in one that was moved, or may stand there, for all that is left of the names after many paths
/// met: nobody knows that it was not.
bool Attribution::mayHaveMoved(const Participant &p) const {
  const Event *how = origin(p.value.trail);
  const Value stored = p.module ? context_.state.get(meta(p.module, Meta::Stored)) : Value{};
  if (!how || how->kind != Event::ModuleCreated || !stored.trail || stored.trail->kind != Event::Registered)
    return false;
  bool late = false, inside = false;
  context_.state.forMeta(Meta::Placed, [&](ObjectId child, const Value &mark) {
    late |= mark.kind == Value::Reference && inTree(context_.state, child, p.module);
  });
  if (!late)
    context_.state.forMeta(Meta::Moved, [&](ObjectId owner, const Value &) {
      inside = inside || (isModule(context_.state, owner) && inTree(context_.state, owner, p.module));
    });
  return inside;
}

/// Whether a module that somebody else made was put into a member by a constructor or a method of a class that moves it
/// elsewhere, or moves its other members.
bool Attribution::isMovedBySister(const Event &kept) const {
  const Function &code = context_.program().functions[kept.function];
  if (kept.kind != Event::Stored || code.cls >= context_.program().classes.size() || context_.program().isLambda(code))
    return false;
  const facts::Class &cls = context_.program().classes[code.cls];
  auto moves = [&](FunctionId sister) {
    return sister < context_.program().functions.size() && context_.program().placesMembers(sister);
  };
  return std::any_of(cls.constructors.begin(), cls.constructors.end(), moves) ||
         std::any_of(cls.methods.begin(), cls.methods.end(), moves);
}

/// Where the methods of a class, and of its bases, put something into its member, if that is one place; else 0.
static SourceId whereFilled(const ProgramIndex &program, facts::ClassId cls, const std::string &member) {
  SourceId found = 0;
  for (const Function &code : program.functions)
    if (code.cls != facts::kNone && program.derivesFrom(cls, code.cls))
      for (const facts::Block &block : code.blocks) {
        std::set<Slot> places, empty;
        for (const Instruction &i : block.instructions) {
          if (i.opcode == Opcode::Object)
            empty.insert(i.dest);
          if (i.opcode == Opcode::Field && i.text == member && !i.args.empty() && i.args[0].slot == 0)
            places.insert(i.dest);
          if (i.opcode != Opcode::Assign || !places.count(i.args[0].slot) || empty.count(i.args[1].slot) ||
              found == i.source)
            continue;
          if (found)
            return 0;
          found = i.source;
        }
      }
  return found;
}

/// A tensor in a structure that a helper has filled is the module's that keeps the structure: where it does so.
SourceId Attribution::structureKept(ObjectId owner, const Event &stored) const {
  const facts::ClassId cls = classOf(context_.state, owner),
                       storing = context_.program().functions[stored.function].cls;
  if (cls == facts::kNone || (storing != facts::kNone && context_.program().derivesFrom(cls, storing)))
    return 0;
  SourceId found = 0;
  context_.state.forPart(owner, Part::Field, [&](std::uint32_t name, const Value &member) {
    std::vector<Value> tensors;
    if (member.kind == Value::Object && !isModule(context_.state, member.object))
      flatten(context_.state, member, tensors);
    if (std::any_of(tensors.begin(), tensors.end(),
                    [&](const Value &tensor) { return hasStep(tensor.trail, &stored); }))
      found = whereFilled(context_.program(), cls, context_.universe().names.text(name));
  });
  return found;
}

/// Where a module is handed to one object after the other, each of which moves it to a device of its own when it is
/// made: the last of them has moved it away from where this input still goes. 0: it is not so.
SourceId Attribution::sharedAt(const Participant &module, const Participant &input) const {
  const Event *last = module.module ? origin(module.value.trail) : nullptr;
  if (!last || last->kind != Event::ModuleMoved || !last->at || onStack(last->function) ||
      !context_.program().functions[last->function].isConstructor)
    return 0;
  const Event *before = latest(last->previous, Event::ModuleMoved);
  if (!before || before->at != last->at || context_.state.resolve(before->device) != input.device)
    return 0;
  SourceId call = 0;
  for (const Frame *frame = &context_.frame; frame && !call; frame = frame->caller)
    call = context_.program().onlyCall(frame->function, last->function);
  return call;
}

/// Whether one can come here without passing that point of the same function.
bool Attribution::isBypassed(const Event &point) const {
  const Function &code = *context_.frame.code;
  if (point.function != context_.frame.function)
    return false;
  const auto avoided = std::find_if(code.blocks.begin(), code.blocks.end(), [&](const facts::Block &block) {
    return hasInstruction(block,
                          [&](const Instruction &i) { return i.opcode == Opcode::Move && i.source == point.at; });
  });
  return leads(
      code, {0}, [&](const facts::Block &block) { return avoided != code.blocks.end() && &block == &*avoided; },
      [&](const facts::Block &block) {
        return hasInstruction(block, [&](const Instruction &i) { return &i == &i_; });
      });
}

bool Attribution::isConditional(const Event &move) const {
  if (move.function >= context_.program().functions.size())
    return false;
  const Function &code = context_.program().functions[move.function];
  auto isMove = [&](const Instruction &i) {
    return (i.opcode == Opcode::Move || i.opcode == Opcode::MoveModule) && i.source == move.at;
  };
  // Who asks where it is, or whether there is one at all, brings it there on each way.
  auto asksWhereItIs = [](const Instruction &i) {
    return i.opcode == Opcode::IsCuda || i.opcode == Opcode::IsCpu || i.opcode == Opcode::SameDevice ||
           i.opcode == Opcode::IsDefined || i.opcode == Opcode::HasNext;
  };
  return hasInstruction(code, isMove) &&
         leads(
             code, {0},
             [&](const facts::Block &block) {
               return hasInstruction(block, isMove) ||
                      (block.end.kind == facts::Terminator::Branch && hasInstruction(block, asksWhereItIs));
             },
             [](const facts::Block &block) { return block.end.kind == facts::Terminator::Return; });
}

void Attribution::goesWith(Fix &fix, const Participant &other) const {
  const Event *moved = origin(other.value.trail);
  if (!moved || (moved->kind != Event::Moved && moved->kind != Event::ModuleMoved) || !isConditional(*moved))
    return;
  if (!fix.deviceOf)
    fix.device = 0;
  auto isDevice = [](const facts::SlotInfo &slot) {
    return slot.type == facts::Type::Device || slot.type == facts::Type::Options;
  };
  std::set<SourceId> devices;
  for (const Function &function : context_.program().functions)
    for (const facts::SlotInfo &slot : function.slots)
      if (isDevice(slot))
        devices.insert(slot.source);
  for (const facts::Class &cls : context_.program().classes)
    for (const facts::FieldInfo &member : cls.fields)
      if (isDevice(member.slot))
        devices.insert(member.slot.source);
  std::erase_if(fix.homes, [&](const Home &home) { return devices.count(home.source) != 0; });
}

/// Where a member of a structure was filled, if its neighbours were filled there, too, and are where it should be.
const Event *Attribution::leftAmongMembers(const Participant &culprit, DeviceValue wanted) const {
  const Event *filled = nullptr;
  for (const Event *event = culprit.value.trail; event; event = event->previous) {
    if (event->kind != Event::Stored || onStack(event->function))
      continue;
    context_.state.forAll([&](Place p, const Value &member) {
      if (filled || partOf(p) != Part::Field || member.kind != Value::Tensor || member.trail != event ||
          context_.state.get(meta(objectOf(p), Meta::Class)).kind != Value::Int ||
          isModule(context_.state, objectOf(p)))
        return;
      context_.state.forPart(objectOf(p), Part::Field, [&](std::uint32_t, const Value &sister) {
        const Event *put = sister.kind == Value::Tensor ? latest(sister.trail, Event::Stored) : nullptr;
        if (put && put->function == event->function && context_.state.resolve(sister.device) == wanted &&
            latest(sister.trail, Event::Moved))
          filled = event;
      });
    });
    if (filled)
      break;
  }
  return filled;
}

/// `void to(Device d) { data = data.to(d); }`, where the structure has a mask as well: whose business it is to move its
/// members has forgotten one.
Attribution::Left Attribution::leftByMover(const Participant &culprit, DeviceValue wanted) const {
  Left found;
  auto isOfTheirs = [&](FunctionId function, facts::ClassId cls) {
    const Function &code = context_.program().functions[function];
    return code.cls == cls && !code.isStatic && !code.isConstructor && !onStack(function);
  };
  context_.state.forAll([&](Place p, const Value &member) {
    const ObjectId record = objectOf(p);
    if (found.move || partOf(p) != Part::Field || member.kind != Value::Tensor || member.object || !member.trail ||
        context_.state.get(meta(record, Meta::Class)).kind != Value::Int || isModule(context_.state, record))
      return;
    const facts::ClassId cls = classOf(context_.state, record);
    const facts::SlotInfo *declared = context_.program().memberOf(cls, context_.universe().names.text(indexOf(p)));
    if (!hasStep(culprit.value.trail, member.trail) || !declared || !declared->source ||
        latest(member.trail, Event::Moved))
      return;
    context_.state.forPart(record, Part::Field, [&](std::uint32_t name, const Value &sister) {
      const Event *moved = sister.kind == Value::Tensor ? latest(sister.trail, Event::Moved) : nullptr;
      if (!found.move && name != indexOf(p) && moved && moved->at && isOfTheirs(moved->function, cls) &&
          context_.state.resolve(sister.device) == wanted)
        found = {moved, declared->source};
    });
  });
  return found;
}

/// Where a table of the program, which has what an earlier call made for the device that it was given, was asked under
/// a key that says none; 0: it is one variable. Nothing: it is no such tensor.
std::optional<SourceId> Attribution::keptForAnother(const Participant &culprit) const {
  const State &state = context_.state;
  const Event *how = origin(culprit.value.trail);
  if (culprit.module || !how || (how->kind != Event::CreatedOn && how->kind != Event::Moved))
    return std::nullopt;
  auto isPart = [&](const Value &kept) {
    bool isGivenSeveral = false;
    for (const Event *event = kept.trail; event; event = event->previous)
      isGivenSeveral |= context_.evidence.isGivenSeveral(event->function, state.truth(Symbols::kAvailable));
    return isGivenSeveral && hasStep(culprit.value.trail, kept.trail);
  };
  std::optional<SourceId> found;
  forKept(state, context_.evidence, [&](Place, const Value &value, SourceId lookup) {
    if (!found && value.kind == Value::Tensor && !value.object && value.trail && isPart(value))
      found = lookup;
  });
  if (found)
    return found;
  // So is a cache that the program hands to whoever works on one of several GPUs.
  state.forAll([&](Place p, const Value &value) {
    const SourceId lookup = !found && partOf(p) == Part::Element ? context_.evidence.lookupIn(objectOf(p)) : 0;
    if (!lookup || isKeptByDevice(state, context_.evidence, objectOf(p), indexOf(p)))
      return;
    std::vector<Value> kept;
    flatten(state, value, kept);
    if (std::any_of(kept.begin(), kept.end(), [&](const Value &one) {
          return one.kind == Value::Tensor && !one.object && one.trail && isPart(one);
        }))
      found = lookup;
  });
  return found;
}

const Event *Attribution::keptUnderDevice(const Value &culprit) const {
  const Event *found = nullptr;
  context_.state.forAll([&](Place p, const Value &element) {
    const bool isForDevice = partOf(p) == Part::Element && objectOf(p) && isKey(indexOf(p)) &&
                             isDeviceKey(indexOf(p)) && deviceKindOf(indexOf(p)) != DeviceValue::Cpu;
    if (found || !isForDevice)
      return;
    std::vector<Value> held;
    flatten(context_.state, element, held);
    if (std::none_of(held.begin(), held.end(), [&](const Value &tensor) {
          return tensor.kind == Value::Tensor && tensor.trail && hasStep(culprit.trail, tensor.trail);
        }))
      return;
    found = element.kind == Value::Object ? context_.state.get(meta(element.object, Meta::Stored)).trail
                                          : latest(element.trail, Event::Stored);
  });
  return found && found->at && !onStack(found->function) ? found : nullptr;
}

/// Of a structure that was found, to bring one member would not be enough.
bool Attribution::isPartFound(SourceId lookup) const {
  bool isPart = false;
  context_.state.forAll([&](Place p, const Value &value) {
    isPart |= lookup && partOf(p) == Part::Element && value.kind == Value::Object &&
              context_.evidence.lookupIn(objectOf(p)) == lookup;
  });
  return isPart;
}

/// `void to(Device d)` of a structure that was given its tensors by who made it: it moves two of them at least, and all
/// but this one.
Attribution::Left Attribution::leftAlone(const Participant &culprit, const Event &moved) const {
  const Function &mover = context_.program().functions[moved.function];
  const bool isMethod = mover.cls != facts::kNone && !mover.isStatic && !mover.isConstructor;
  if (!isMethod || context_.program().isLambda(mover) || onStack(moved.function))
    return {};
  auto isGiven = [](const Value &member) {
    const Event *begun = member.kind == Value::Tensor ? beginning(member.trail) : nullptr;
    return begun && begun->kind == Event::Parameter && latest(member.trail, Event::Stored);
  };
  Left found;
  context_.state.forMeta(Meta::Class, [&](ObjectId record, const Value &) {
    const facts::ClassId cls = classOf(context_.state, record);
    if (found.move || !context_.program().derivesFrom(cls, mover.cls) || isModule(context_.state, record))
      return;
    std::vector<std::uint32_t> left;
    bool isAmong = false;
    std::size_t others = 0;
    context_.state.forPart(record, Part::Field, [&](std::uint32_t name, const Value &raw) {
      const Value member = follow(context_.state, raw);
      const Event *move = latest(member.trail, Event::Moved);
      const bool isMoved = move && move->function == moved.function;
      others += isMoved;
      if (!isGiven(member) || isMoved)
        return;
      left.push_back(name);
      isAmong |= hasStep(culprit.value.trail, member.trail);
    });
    const facts::SlotInfo *declared =
        left.size() == 1 ? context_.program().memberOf(cls, context_.universe().names.text(left[0])) : nullptr;
    if (isAmong && others > 1 && declared && declared->source)
      found = {&moved, declared->source};
  });
  return found;
}

/// The making of a copy of a parameter of a module that was moved after that; the other one is that module's.
const Event *Attribution::copiedBefore(const Participant &copy, const Participant &other) const {
  const Event *made = origin(copy.value.trail), *moved = origin(other.value.trail);
  if (copy.module || !made || made->kind != Event::ModuleCreated || !moved || moved->kind != Event::ModuleMoved)
    return nullptr;
  bool isOfMoved = beginning(moved) == beginning(made);
  context_.state.forMeta(Meta::Device, [&](ObjectId, const Value &leaf) { // another layer of what was moved
    const Event *own = latest(leaf.trail, Event::ModuleMoved);
    isOfMoved = isOfMoved || (own && own->at == moved->at && beginning(leaf.trail) == beginning(made));
  });
  if (!isOfMoved)
    return nullptr;
  const Event *first = nullptr;
  for (const Event *event = copy.value.trail; event && event != made; event = event->previous)
    if (event->kind == Event::Computed || event->kind == Event::Stored)
      first = event;
  return first;
}

} // namespace samedevice::analysis
