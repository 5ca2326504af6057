// Modules: what a move reaches, what stands in the tree. How children got there: Registration.cpp.
#include "Modules.h"
#include "Attribution.h"
#include "Devices.h"
#include "Interpreter.h"
#include "Lists.h"
#include "Optimizers.h"
#include "Registration.h"
#include "Tensors.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

static bool isHeldElsewhere(const State &state, ObjectId child, ObjectId holder, DeviceValue target);
static void overridesBelow(const State &state, ObjectId module, std::vector<std::pair<ObjectId, FunctionId>> &found,
                           int depth = 0);
static void forgetTensors(State &state, ObjectId owner);
static Value deepCopy(Context &context, const Value &module, const Instruction &instruction, std::uint32_t nth = 0,
                      int depth = 0);

namespace {

/// Whether a story went through this point: the value is the one stored there, or was computed from it.
bool comesFrom(const Event *story, const Event *point) {
  for (; story; story = story->previous)
    if (story == point)
      return true;
  return false;
}

} // namespace

void moveModule(Context &context, ObjectId module, const Value &to, const Event *trail, int depth) {
  if (depth > Limits::nestedModules)
    return;
  Value moved = Value::of(Value::Device);
  moved.flags = to.flags & Value::kNoIndex;
  moved.set(Value::kLiteral, writtenHere(context, to));
  moved.device = optionsDevice(context, to);
  moved.trail = trail;
  context.state.set(meta(module, Meta::Moved), moved);
  const Value late = context.state.get(meta(module, Meta::Placed));
  if (const Route *route = late.trail ? context.evidence.routeOf(module) : nullptr)
    context.evidence.notePlacedInTime(late.trail->at, *route);
  context.state.erase(meta(module, Meta::Placed));
  if (context.state.find(meta(module, Meta::Device))) {
    Value leaf = context.state.get(meta(module, Meta::Device));
    leaf.device = moved.device;
    leaf.flags = moved.flags;
    // Its own beginning, then this move.
    const Event *begin = leaf.trail;
    leaf.trail = context.universe().events.intern(
        {Event::ModuleMoved, trail ? trail->at : 0, trail ? trail->subject : 0, trail ? trail->target : 0, moved.device,
         Events::length(begin) < Limits::story ? begin : nullptr, context.frame.function, 0});
    context.state.set(meta(module, Meta::Device), leaf);
  }
  std::vector<ObjectId> inner;
  for (Part part : {Part::Child, Part::Tensor})
    context.state.forPart(module, part, [&](std::uint32_t, const Value &child) { inner.push_back(child.object); });
  if (std::count(inner.begin(), inner.end(), 0u)) // paths disagree on which one stands there; all of them move
    context.state.forMeta(Meta::Placed, [&](ObjectId late, const Value &mark) {
      if (mark.object == module && mark.trail && mark.trail->kind == Event::Registered)
        inner.push_back(late);
    });
  for (ObjectId child : inner)
    if (child) {
      moveModule(context, child, to, trail, depth + 1);
      if (isSummary(child) && isHeldElsewhere(context.state, child, module, moved.device))
        context.state.forgetWhereTheyAre(context.state.modulesBelow({child}));
    }
}

/// The older ones of what a loop makes stand for the layers of several stages, of which another one was moved
/// elsewhere.
static bool isHeldElsewhere(const State &state, ObjectId child, ObjectId holder, DeviceValue target) {
  bool isElsewhere = false;
  state.forAll([&](Place p, const Value &value) {
    if (partOf(p) != Part::Child || value.object != child || objectOf(p) == holder)
      return;
    const Value moved = state.get(meta(objectOf(p), Meta::Moved));
    isElsewhere |= moved.kind == Value::Device && moved.device != target;
  });
  return isElsewhere;
}

/// A frozen script's weights are constants of its code: it stays where it was.
static void moveFrozen(Context &context, const Instruction &i, ObjectId script, DeviceValue target) {
  const DeviceValue where = context.state.resolve(deviceOf(context.state, objectValue(script)));
  if (const Event *frozen = context.state.get(meta(script, Meta::Frozen)).trail;
      frozen && relate(context.state, where, target).kind == Relation::Different)
    Attribution(context, i).frozen(*frozen);
  Value leaf = context.state.get(meta(script, Meta::Device));
  leaf.device = {}; // that is told
  context.state.set(meta(script, Meta::Device), leaf);
}

static void overridesBelow(const State &state, ObjectId module, std::vector<std::pair<ObjectId, FunctionId>> &found,
                           int depth) {
  const FunctionId override = module ? state.program().moveOverrideOf(classOf(state, module)) : facts::kNone;
  if (override < state.program().functions.size())
    found.push_back({module, override});
  if (depth < Limits::nestedModules)
    state.forPart(module, Part::Child,
                  [&](std::uint32_t, const Value &child) { overridesBelow(state, child.object, found, depth + 1); });
}

/// Module::to calls the `to` of each child: a class that overrides it looks after what it has not registered.
std::vector<State> Interpreter::runOverrides(Context &context, ObjectId module, const Value &to,
                                             const Instruction &site) {
  constexpr std::size_t mostPaths = 4;
  std::vector<std::pair<ObjectId, FunctionId>> overrides;
  overridesBelow(context.state, module, overrides);
  std::vector<State> states{context.state};
  for (auto [child, override] : overrides) {
    bool isRunning = false;
    for (const Frame *frame = &context.frame; frame; frame = frame->caller)
      isRunning |=
          frame->function == override && follow(context.state, context.state.get(field(frame->id, 0))).object == child;
    if (isRunning)
      continue;
    std::vector<State> next;
    for (State &state : states) {
      Context inner{evidence_, report_, context.frame, state, context.code, context.scratch};
      const bool isSeen = !program_.functions[override].blocks.empty() && context.frame.depth < limits_.callDepth;
      auto outcomes = isSeen ? invokeWithin(inner, override, {objectValue(child), to}, site) : std::nullopt;
      if (!outcomes) {
        forgetTensors(state, child);
        outcomes = {{state, {}}};
      }
      for (auto &outcome : *outcomes)
        if (next.size() < mostPaths)
          next.push_back(std::move(outcome.first));
    }
    states = std::move(next);
  }
  return states;
}

/// A function that nobody can see into may have put the tensors that an object keeps anywhere.
static void forgetTensors(State &state, ObjectId owner) {
  std::vector<Place> forgotten;
  state.forPart(owner, Part::Field, [&](std::uint32_t index, const Value &member) {
    if (member.kind == Value::Tensor && !member.object)
      forgotten.push_back(field(owner, index));
  });
  for (Place tensor : forgotten)
    state.set(tensor, Value::of(Value::Tensor));
}

/// One element of a list is moved, and nobody knows which: in a loop, each in its turn. Where the others are is not
/// known any more; nor is it where the module itself is one that paths disagree on.
static void noteOneOfMany(Context &context, const Operand &moved) {
  Value at = raw(context, moved.slot), module = value(context, moved);
  std::vector<ObjectId> others;
  const bool isElement = at.kind == Value::Reference && partOf(placeIn(at)) == Part::Element;
  if (isElement && context.state.shapeOf(at.object) > ListShape::Exact)
    for (const Value &other : elements(context.state, objectValue(at.object)))
      others.push_back(other.kind == Value::Object ? other.object : 0);
  if (module.kind == Value::Unknown || std::count(others.begin(), others.end(), 0u))
    context.state.forMeta(Meta::Placed, [&](ObjectId late, const Value &) { others.push_back(late); });
  for (ObjectId other : others) {
    if (!other || other == module.object || !context.state.find(meta(other, Meta::Placed)))
      continue;
    context.state.erase(meta(other, Meta::Placed));
    std::vector<std::pair<ObjectId, Value>> leaves;
    forLeaves(context.state, other, [&](ObjectId leaf, const Value &was) { leaves.push_back({leaf, was}); });
    for (auto &[leaf, was] : leaves) {
      was.device = {};
      context.state.set(meta(leaf, Meta::Device), was);
    }
  }
}

bool differsFrom(const State &state, ObjectId module, DeviceValue device) {
  bool differs = false;
  forLeaves(state, module, [&](ObjectId, const Value &leaf) {
    Relation relation = relate(state, leaf.device, device);
    differs |= relation.kind == Relation::Different;
  });
  return differs;
}

bool isScript(const State &state, ObjectId module) { return torchClassOf(state, module) == kScript; }

bool isContainer(const State &state, ObjectId object) {
  const std::string name = torchClassOf(state, object);
  return name == "Sequential" || name == "ModuleList" || name == "ModuleDict";
}

/// False where a loop made some of them: how many there are, and which is which, is open then.
bool knowsChildren(const State &state, ObjectId container) {
  bool known = true;
  state.forPart(container, Part::Child,
                [&](std::uint32_t, const Value &child) { known &= child.object && !isSummary(child.object); });
  return known;
}

/// The children that may stand at this place (a number or an iterator), in their order.
std::vector<Value> childrenAt(const State &state, ObjectId container, const Value &position) {
  std::vector<Value> children;
  state.forPart(container, Part::Child, [&](std::uint32_t, const Value &child) { children.push_back(child); });
  std::stable_sort(children.begin(), children.end(),
                   [](const Value &a, const Value &b) { return a.number < b.number; });
  const bool isIterator = position.kind == Value::Object && position.index != Value::kSomewhere;
  if (position.has(Value::kConstant) && knowsChildren(state, container) &&
      (isIterator || position.kind == Value::Int)) {
    const std::size_t at = isIterator ? position.index : static_cast<std::size_t>(position.number);
    children = at < children.size() ? std::vector<Value>{children[at]} : std::vector<Value>{};
  }
  for (Value &child : children)
    child = objectValue(child.object);
  return children;
}

/// Whether it is registered there; `whereUnknown` answers for a child that paths disagree on.
bool inTree(const State &state, ObjectId root, ObjectId wanted, bool whereUnknown, int depth) {
  if (root == wanted || !root)
    return root == wanted || whereUnknown;
  bool found = false;
  if (depth < Limits::nestedModules)
    for (Part part : {Part::Child, Part::Tensor})
      state.forPart(root, part, [&](std::uint32_t, const Value &child) {
        found = found || inTree(state, child.object, wanted, whereUnknown, depth + 1);
      });
  return found;
}

static std::optional<ObjectId> heldUnregistered(const State &state, ObjectId owner, const Participant &wanted,
                                                int depth) {
  std::optional<ObjectId> found;
  auto look = [&](std::uint32_t, const Value &member) {
    Value held = follow(state, member);
    if (found)
      return;
    if (held.kind == Value::Tensor && !wanted.module && !held.object && held.trail &&
        comesFrom(wanted.value.trail, held.trail))
      found = 0;
    if (held.kind != Value::Object || !held.object || held.object == owner)
      return;
    if (wanted.module && isModule(state, held.object) && inTree(state, held.object, wanted.module)) {
      found = held.object;
    } else if (held.object == wanted.module) {
      found = held.object;
    } else if (depth < Limits::nestedHolders) {
      found = heldUnregistered(state, held.object, wanted, depth + 1);
      // What is in a list was put there by its owner; the list itself was not.
      if (found && state.find(meta(held.object, Meta::Class)))
        found = held.object;
    }
  };
  for (Part part : {Part::Field, Part::Element})
    state.forPart(owner, part, look);
  return found;
}

std::optional<Missed> ownerThatMissed(Context &context, const Participant &wanted) {
  for (const Frame *frame = &context.frame; frame; frame = frame->caller) {
    if (frame->code->cls == facts::kNone)
      continue;
    Value self = follow(context.state, context.state.get(field(frame->id, 0)));
    if (self.kind != Value::Object || !isModule(context.state, self.object) ||
        !context.state.find(meta(self.object, Meta::Moved)))
      continue;
    bool registered = wanted.module && inTree(context.state, self.object, wanted.module);
    std::optional<ObjectId> held = registered ? std::nullopt : heldUnregistered(context.state, self.object, wanted, 0);
    if (held)
      return Missed{self.object, *held};
  }
  return std::nullopt;
}

/// `for (auto &entry : bank_.tensors()) register_buffer(entry.first, entry.second)`: the members and elements that this
/// handle was copied from name the same tensor.
static void giveToKeepers(State &state, const Value &handle, const Value &registered) {
  std::vector<Place> keepers;
  state.forAll([&](Place p, const Value &kept) {
    const bool isKept = kept.kind == Value::Tensor && !kept.object && kept.trail && kept.trail->kind == Event::Stored &&
                        kept.trail != handle.trail && partOf(p) != Part::Meta;
    const Event *step = isKept ? handle.trail : nullptr;
    while (step && step != kept.trail && (step->kind == Event::Stored || step->kind == Event::Returned))
      step = step->previous;
    if (step && step == kept.trail)
      keepers.push_back(p);
  });
  for (const Place keeper : keepers)
    state.set(keeper, registered);
}

void stepModule(Context &context, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(context, i.args[n]) : Value{}; };
  auto nameOf = [&](std::size_t n) -> std::string {
    Value name = arg(n);
    return name.kind == Value::String && name.has(Value::kConstant)
               ? context.universe().names.text(static_cast<std::uint32_t>(name.number))
               : std::string();
  };
  switch (i.opcode) {
  case Opcode::Module: {
    ObjectId object = makeObject(context, i);
    context.state.set(meta(object, Meta::Class),
                      Value::constant(Value::String, static_cast<std::int64_t>(context.universe().names.id(i.text))));
    const Event *made = event(context, Event::ModuleCreated, i, nullptr, DeviceValue::cpu());
    bool container = i.text == "Sequential" || i.text.rfind("Module", 0) == 0 || i.text.rfind("Parameter", 0) == 0;
    if (!(i.flags & facts::kStateless) && !container)
      context.state.set(meta(object, Meta::Device), tensorOn(DeviceValue::cpu(), made));
    for (const Operand &operand : i.args) {
      Value child = value(context, operand);
      if (child.kind == Value::Object && isModule(context.state, child.object))
        registerChild(context, i, object, child,
                      operand.name.empty() ? nextName(context.state, object, child) : operand.name, operand.source);
      else if (child.kind == Value::Tensor && operand.name != "input")
        registerWeight(context, object, child, operand);
    }
    define(context, i.dest, objectValue(object, made));
    return;
  }
  case Opcode::Register: {
    Value parent = arg(0), child = arg(1);
    if (parent.kind != Value::Object) {
      define(context, i.dest, child);
      return;
    }
    std::string name = i.args.size() > 2 ? nameOf(2) : std::string();
    if (name.empty())
      name = i.mode == Mode::Push ? nextName(context.state, parent.object, child)
                                  : "unnamed at " + std::to_string(i.source);
    if (i.mode == Mode::Parameter || i.mode == Mode::Buffer || child.kind == Value::Tensor) {
      Value handle = registerTensor(context, i, parent.object, child, name);
      // The registered tensor is the one the handle names: wherever it was kept, it moves now.
      if (child.kind == Value::Tensor) {
        write(context, i.args[1], handle);
        giveToKeepers(context.state, child, handle);
      }
      define(context, i.dest, handle);
      return;
    }
    registerChild(context, i, parent.object, child, name, i.args.size() > 1 ? i.args[1].source : 0);
    define(context, i.dest, child);
    return;
  }
  case Opcode::Unregister: {
    Value parent = arg(0);
    std::string name = i.args.size() > 1 ? nameOf(1) : std::string();
    if (parent.kind != Value::Object || name.empty())
      return;
    Place child = place(parent.object, Part::Child, context.universe().names.id(name));
    Value former = context.state.get(child);
    former.index = context.universe().names.id(name);
    context.state.set(meta(parent.object, Meta::Former), former);
    context.state.erase(child);
    return;
  }
  case Opcode::MoveModule: {
    Value module = arg(0), to = arg(1);
    bool byOptions = to.kind == Value::Options && !to.has(Value::kHasDevice);
    if (byOptions || i.args.size() < 2)
      return;
    noteOneOfMany(context, i.args[0]);
    if (module.kind == Value::Object && context.state.find(meta(module.object, Meta::Frozen)))
      moveFrozen(context, i, module.object, optionsDevice(context, to));
    else if (module.kind == Value::Object)
      moveModule(context, module.object, to,
                 event(context, Event::ModuleMoved, i, nullptr, optionsDevice(context, to), i.args[0].source,
                       i.args[1].source));
    return;
  }
  case Opcode::CloneModule: {
    const Value original = arg(0);
    const bool isOnto = i.args.size() > 1 && i.args[1].slot != facts::kNone && arg(1).kind != Value::Null;
    if (original.kind == Value::Object && isOnto && (i.flags & facts::kDiscarded))
      forLeaves(context.state, original.object, [&](ObjectId, const Value &leaf) {
        if (leaf.trail)
          context.evidence.noteDropped(leaf.trail, {&i, i.args[0].source, optionsDevice(context, arg(1))});
      });
    Value copy = deepCopy(context, original, i);
    if (copy.kind == Value::Object && isOnto)
      moveModule(context, copy.object, arg(1),
                 event(context, Event::ModuleMoved, i, nullptr, optionsDevice(context, arg(1)), i.args[0].source,
                       i.args[1].source));
    if (copy.kind == Value::Object && i.mode == Mode::Frozen) {
      Value mark = Value::of(Value::Null);
      mark.trail = event(context, Event::ModuleCreated, i, nullptr, {}, i.args[0].source);
      context.state.set(meta(copy.object, Meta::Frozen), mark);
    }
    define(context, i.dest, copy);
    return;
  }
  case Opcode::LoadState:
    return loadState(context, i);
  case Opcode::SaveState:
    return saveState(context, i);
  case Opcode::LoadScript:
    return loadScript(context, i);
  case Opcode::Parameters:
    return takeParameters(context, i);
  case Opcode::Optimizer:
    return buildOptimizer(context, i);
  case Opcode::OptimizerAdd:
    return addToOptimizer(context, i);
  case Opcode::OptimizerStep:
    return optimizerStep(context, i);
  default:
    return;
  }
}

static Value deepCopy(Context &context, const Value &module, const Instruction &i, std::uint32_t nth, int depth) {
  if (module.kind != Value::Object || depth > Limits::nestedContainers)
    return {};
  ObjectId copy = makeObject(context, i, nth);
  std::vector<std::pair<Place, Value>> copied;
  for (Part part : {Part::Field, Part::Child, Part::Tensor, Part::Element, Part::Meta})
    context.state.forPart(module.object, part, [&](std::uint32_t index, const Value &member) {
      copied.push_back({place(copy, part, index), member});
    });
  std::unordered_map<ObjectId, Value> copies;
  std::uint32_t next = nth * 16 + 1;
  for (auto &[target, member] : copied)
    if (partOf(target) == Part::Child || partOf(target) == Part::Tensor)
      copies[member.object] = deepCopy(context, objectValue(member.object), i, next++, depth + 1);
  for (auto &[target, member] : copied) {
    auto it = member.object && (member.kind == Value::Object || member.kind == Value::Tensor)
                  ? copies.find(member.object)
                  : copies.end();
    if (it != copies.end())
      member.object = it->second.object;
    // A copy of what nobody has moved is as good as new.
    if (partOf(target) == Part::Meta && member.trail && member.trail->kind == Event::ModuleCreated)
      member.trail = event(context, Event::ModuleCreated, i, nullptr, DeviceValue::cpu());
    context.state.set(target, member);
  }
  if (context.state.find(meta(copy, Meta::Device)))
    noteCopied(context.state, module.object, copy);
  return objectValue(copy, module.trail);
}

} // namespace samedevice::analysis
