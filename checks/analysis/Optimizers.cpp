// Optimizers: which parameters they took, and what came into the module after that.
#include "Optimizers.h"
#include "Attribution.h"
#include "Blocks.h"
#include "Devices.h"
#include "Lists.h"
#include "Modules.h"
#include "Values.h"

#include <algorithm>
#include <map>

namespace samedevice::analysis {

struct Newcomer {
  const Event *registered;
  std::string name;
};

static std::vector<Value> listsBehind(const State &state, const Value &parameters, int depth = 0);
static void takeTensors(Context &context, const Instruction &instruction, ObjectId optimizer, const Value &list);
static void recordTaken(State &state, ObjectId optimizer, const std::vector<Value> &lists);
static void makeOptimizerState(Context &context, const Instruction &instruction, ObjectId optimizer, Event::Kind when);
static std::vector<Newcomer> newcomers(const State &state, ObjectId module, const std::set<ObjectId> &learning);

void noteLearns(Context &context, ObjectId leaf, const Value &learns) {
  Value kept = context.state.get(meta(leaf, Meta::Device));
  if (kept.kind != Value::Tensor || kept.number == kBuffer)
    return;
  kept.number = learns.has(Value::kConstant) && learns.number ? kParameter : kFrozen; // where nobody knows: maybe
  context.state.set(meta(leaf, Meta::Device), kept);
}

void noteCopied(State &state, ObjectId original, ObjectId copy) {
  Value mark = Value::of(Value::Reference);
  mark.object = original;
  state.set(meta(copy, Meta::Copied), mark);
  state.set(meta(original, Meta::Copied), Value::constant(Value::Int, 0));
}

void noteComputedWith(State &state, ObjectId parameter) {
  if (Value mark = state.get(meta(parameter, Meta::Copied)); mark.kind != Value::Unknown && !mark.number) {
    mark.number = 1;
    state.set(meta(parameter, Meta::Copied), mark);
  }
}

void takeParameters(Context &context, const Instruction &i) {
  Value module = i.args.empty() ? Value{} : value(context, i.args[0]);
  std::vector<Value> members;
  std::vector<ObjectId> parameters;
  if (module.kind == Value::Object) {
    if (i.mode == Mode::Children) {
      context.state.forPart(module.object, Part::Child,
                            [&](std::uint32_t, const Value &child) { members.push_back(objectValue(child.object)); });
      // Many, made in a loop, or what paths disagree on: not told apart. What is done to all of them is
      // done to what they are in.
      bool isLoops = std::any_of(members.begin(), members.end(),
                                 [](const Value &child) { return !child.object || isSummary(child.object); });
      if (isLoops || members.size() > Limits::elements)
        members = {objectValue(module.object)};
    } else {
      forLeaves(context.state, module.object, [&](ObjectId leaf, const Value &device) {
        if (i.mode == Mode::Parameters && device.number == kBuffer)
          return;
        Value tensor = tensorOn({}, device.trail, 0, 1);
        tensor.object = leaf;
        members.push_back(tensor);
        parameters.push_back(leaf);
      });
    }
  }
  for (ObjectId parameter : parameters)
    if (context.state.get(meta(parameter, Meta::Copied)).kind == Value::Int)
      noteComputedWith(context.state, parameter); // to be made like its copy, or to be given its gradients
  ObjectId list = makeList(context, i, members);
  if (module.kind == Value::Object) {
    Value over = Value::of(Value::Reference);
    over.object = list; // copies of the list took what it took, and so did who collects its elements
    over.trail = event(context, Event::OptimizerBuilt, i, nullptr);
    context.state.set(meta(list, Meta::Over), over);
    Value of = Value::of(Value::Reference);
    of.object = module.object;
    context.state.set(meta(list, Meta::Listed), of);
    for (ObjectId parameter : parameters) {
      context.state.set(place(list, Part::Child, parameter), objectValue(parameter));
      context.state.set(meta(parameter, Meta::Listed), over);
    }
  }
  define(context, i.dest, objectValue(list));
}

/// The lists of parameters that these parameters were taken from, all at once or one by one.
static std::vector<Value> listsBehind(const State &state, const Value &parameters, int depth) {
  std::vector<Value> lists;
  auto add = [&](const Value &over) {
    auto known = [&](const Value &other) { return other.object == over.object; };
    if (over.kind == Value::Reference && std::none_of(lists.begin(), lists.end(), known))
      lists.push_back(over);
  };
  if (parameters.kind == Value::Object || parameters.kind == Value::Tensor)
    add(state.get(meta(parameters.object, parameters.kind == Value::Object ? Meta::Over : Meta::Listed)));
  // Groups, or collected by hand; what was added by hand to a list that was taken was taken from elsewhere.
  const bool isWhole = !lists.empty();
  auto isAdded = [&](const Value &part) {
    return part.kind == Value::Tensor && part.object &&
           std::none_of(lists.begin(), lists.end(),
                        [&](const Value &list) { return state.find(place(list.object, Part::Child, part.object)); });
  };
  if (depth < Limits::nestedGroups)
    for (const Value &part : elements(state, parameters))
      if (!isWhole || isAdded(part))
        for (const Value &over : listsBehind(state, part, depth + 1))
          add(over);
  return lists;
}

void buildOptimizer(Context &context, const Instruction &i) {
  Value list = i.args.empty() ? Value{} : value(context, i.args[0]);
  ObjectId optimizer = makeObject(context, i);
  std::vector<Value> taken = listsBehind(context.state, list);
  if (!taken.empty()) {
    Value over = taken.front();
    over.trail = event(context, Event::OptimizerBuilt, i, nullptr);
    // SGD only keeps something where it has momentum, which nobody reads here.
    over.number = i.text == "Adam" || i.text == "AdamW" || i.text == "RMSprop" || i.text == "LBFGS";
    context.state.set(meta(optimizer, Meta::Over), over);
    recordTaken(context.state, optimizer, taken);
    if (i.text == "Adagrad") // does not wait for the first step
      makeOptimizerState(context, i, optimizer, Event::OptimizerBuilt);
  }
  takeTensors(context, i, optimizer, list);
  define(context, i.dest, objectValue(optimizer));
}

/// Whether this is the tensor of that story, wherever it has been kept since.
static bool isKept(const Value &tensor, const Event *story) {
  const Event *event = tensor.trail;
  while (event && event != story && event->kind == Event::Stored)
    event = event->previous;
  return story && event == story;
}

/// Tensors that no module owns, one by one or in groups: known again by how they came to be.
static void takeTensors(Context &context, const Instruction &i, ObjectId optimizer, const Value &list) {
  std::uint32_t count = 0;
  std::vector<Value> loose;
  for (const Value &element : elements(context.state, list)) {
    const std::vector<Value> group = elements(context.state, element);
    loose.insert(loose.end(), group.begin(), group.end());
    loose.push_back(element);
  }
  for (const Value &element : loose)
    if (element.kind == Value::Tensor && !element.object && element.trail && count < Limits::elements) {
      context.state.set(field(optimizer, count++), element);
      const Event *kept = element.trail;
      for (; kept->kind == Event::Stored && kept->previous; kept = kept->previous)
        context.evidence.learnt.note(kept);
      context.evidence.learnt.note(kept);
    }
  if (count) {
    Value built = Value::of(Value::Null);
    built.trail = event(context, Event::OptimizerBuilt, i, nullptr);
    context.state.set(meta(optimizer, Meta::Listed), built);
  }
}

/// `image = image.to(device)`: whoever took the tensor that the variable held updates what nobody looks at any more.
void noteMovedAway(Context &context, const Instruction &i, const Value &before, const Value &assigned) {
  const Event *moved = assigned.trail;
  if (before.kind != Value::Tensor || assigned.kind != Value::Tensor || !before.trail || !moved ||
      moved->kind != Event::Moved || moved->previous != before.trail || !context.evidence.learnt.has(before.trail) ||
      relate(context.state, deviceOf(context.state, before), deviceOf(context.state, assigned)).kind !=
          Relation::Different)
    return;
  std::vector<ObjectId> left;
  context.state.forMeta(Meta::Listed, [&](ObjectId optimizer, const Value &) {
    context.state.forPart(optimizer, Part::Field, [&](std::uint32_t, const Value &taken) {
      if (taken.kind == Value::Tensor && isKept(taken, before.trail))
        left.push_back(optimizer);
    });
  });
  Value mark = Value::of(Value::Null);
  mark.trail = event(context, Event::Moved, i, nullptr, deviceOf(context.state, assigned), i.args[0].source);
  for (ObjectId optimizer : left)
    context.state.set(meta(optimizer, Meta::Successor), mark);
}

/// Where the parameters are by now, and there it stays.
static void makeOptimizerState(Context &context, const Instruction &i, ObjectId optimizer, Event::Kind when) {
  std::vector<DeviceValue> devices;
  forLeaves(context.state, optimizer, [&](ObjectId, const Value &parameter) { devices.push_back(parameter.device); });
  const bool together =
      std::all_of(devices.begin(), devices.end(), [&](const DeviceValue &device) { return device == devices.front(); });
  if (devices.empty() || !together)
    return;
  const DeviceValue here = context.state.resolve(devices.front());
  context.state.set(meta(optimizer, Meta::Moved), tensorOn(here, event(context, when, i, nullptr, here)));
}

bool isOptimizer(const State &state, const Value &value) {
  const Value over = value.kind == Value::Object ? state.get(meta(value.object, Meta::Over)) : Value{};
  return over.kind == Value::Reference && over.object != value.object; // else a list of parameters
}

void addToOptimizer(Context &context, const Instruction &i) {
  Value optimizer = i.args.empty() ? Value{} : value(context, i.args[0]);
  if (optimizer.kind != Value::Object)
    return;
  std::vector<Value> taken =
      i.args.size() > 1 ? listsBehind(context.state, value(context, i.args[1])) : std::vector<Value>{};
  if (taken.empty()) // who knows what it learns now
    context.state.erase(meta(optimizer.object, Meta::Over));
  recordTaken(context.state, optimizer.object, taken);
}

static void recordTaken(State &state, ObjectId optimizer, const std::vector<Value> &lists) {
  std::map<ObjectId, Value> taken; // under the names that they have by now
  state.forPart(optimizer, Part::Child, [&](std::uint32_t, const Value &list) { taken[list.object] = list; });
  state.eraseAll(optimizer, Part::Child);
  for (const Value &list : lists)
    taken[list.object] = objectValue(list.object, list.trail);
  for (auto &[object, list] : taken)
    state.set(place(optimizer, Part::Child, object), list);
}

void optimizerStep(Context &context, const Instruction &i) {
  Value optimizer = i.args.empty() ? Value{} : value(context, i.args[0]);
  if (optimizer.kind != Value::Object)
    return;
  if (const Event *moved = context.state.get(meta(optimizer.object, Meta::Successor)).trail)
    Attribution(context, i).leftTensor(moved, context.state.get(meta(optimizer.object, Meta::Listed)).trail);
  Value built = context.state.get(meta(optimizer.object, Meta::Over));
  if (built.kind != Value::Reference)
    return;
  const Value kept = context.state.get(meta(optimizer.object, Meta::Moved)); // restored, or made by the step before
  std::set<ObjectId> learning;
  forLeaves(context.state, optimizer.object, [&](ObjectId parameter, const Value &device) {
    learning.insert(parameter);
    if (kept.kind == Value::Tensor && relate(context.state, kept.device, device.device).kind == Relation::Different)
      Attribution(context, i).staleState(kept, device);
  });
  if (built.number && kept.kind != Value::Tensor) // the first step
    makeOptimizerState(context, i, optimizer.object, Event::OptimizerStepped);
  context.state.forPart(optimizer.object, Part::Child, [&](std::uint32_t, const Value &list) {
    for (const Newcomer &newcomer :
         newcomers(context.state, context.state.get(meta(list.object, Meta::Listed)).object, learning)) {
      bool takenEarlier = built.trail && built.trail->order > newcomer.registered->order;
      Attribution(context, i)
          .staleOptimizer(newcomer.registered, takenEarlier ? list.trail : built.trail, newcomer.name);
    }
  });
}

/// Whether a function makes what it does not find under a key.
static bool looksUp(const Function &code) {
  return hasInstruction(code, [](const Instruction &i) { return i.opcode == Opcode::Iterate && i.mode == Mode::Key; });
}

/// Whether the copy of a module is computed with since it was made, and the original is not, though it is still there;
/// and no other optimizer has the copy.
static bool isComputedWithInstead(const State &state, ObjectId original, ObjectId copy) {
  bool isOriginal = false, isCopy = false, isLearnt = false;
  std::set<ObjectId> copied;
  forLeaves(state, original, [&](ObjectId leaf, const Value &) {
    const Value mark = state.get(meta(leaf, Meta::Copied));
    isOriginal |= mark.kind != Value::Int || mark.number;
  });
  forLeaves(state, copy, [&](ObjectId leaf, const Value &) {
    const Value mark = state.get(meta(leaf, Meta::Copied));
    isCopy |= mark.kind == Value::Reference && mark.number;
    copied.insert(leaf);
  });
  state.forMeta(Meta::Over, [&](ObjectId taker, const Value &) {
    if (isOptimizer(state, objectValue(taker)))
      forLeaves(state, taker, [&](ObjectId leaf, const Value &) { isLearnt |= copied.count(leaf) != 0; });
  });
  return isCopy && !isOriginal && !isLearnt;
}

static bool isCopyOf(const State &state, ObjectId copy, ObjectId original) {
  bool isCopy = false;
  forLeaves(state, copy, [&](ObjectId leaf, const Value &) {
    const Value mark = state.get(meta(leaf, Meta::Copied));
    isCopy |= mark.kind == Value::Reference && inTree(state, original, mark.object, false);
  });
  return isCopy;
}

/// What stands in a module, or in its place, and has parameters of which none is learning.
static std::vector<Newcomer> newcomers(const State &state, ObjectId module, const std::set<ObjectId> &learning) {
  std::vector<Newcomer> found;
  auto has = [&](ObjectId part, bool learns) {
    bool any = false;
    forLeaves(state, part,
              [&](ObjectId leaf, const Value &device) { any |= learns ? learning.count(leaf) != 0 : !device.number; });
    return any;
  };
  auto registration = [&](const Value &child) { return state.get(meta(child.object, Meta::Stored)).trail; };
  // Those that were made in time by who makes what is missing are all there are, for all that is known of the keys.
  auto isMadeInTime = [&](ObjectId parent, const Event &registered) {
    bool some = false;
    state.forPart(parent, Part::Child, [&](std::uint32_t, const Value &sister) {
      const Event *other = registration(sister);
      some |= other && other->at == registered.at && has(sister.object, true);
    });
    return some && looksUp(state.program().functions[registered.function]);
  };
  std::function<void(ObjectId, int)> look = [&](ObjectId parent, int depth) {
    for (Part part : {Part::Child, Part::Tensor})
      state.forPart(parent, part, [&](std::uint32_t name, const Value &child) {
        const Event *registered = registration(child);
        if (!child.object || !has(child.object, false))
          return;
        if (has(child.object, true)) {
          if (depth < Limits::nestedModules)
            look(child.object, depth + 1);
        } else if (registered && registered->kind == Event::Registered && !isMadeInTime(parent, *registered)) {
          found.push_back({registered, state.universe().names.text(nameOfChild(name))});
        }
      });
  };
  if (!module) // one that paths disagree on
    return {};
  look(module, 0);
  state.forMeta(Meta::Successor, [&](ObjectId replaced, const Value &successor) {
    const bool isInUse =
        successor.number != kBesideOriginal || isComputedWithInstead(state, replaced, successor.object);
    if (inTree(state, replaced, module, false) && has(successor.object, false) && !has(successor.object, true) &&
        isInUse)
      found.push_back({successor.trail, state.universe().names.text(successor.symbol - 1)});
  });
  return found;
}

/// Another module stands where one stood: whoever took the parameters of that one will never learn of this one's.
void noteSuccessor(Context &context, ObjectId replaced, ObjectId successor, const Event *registered,
                   const std::string &name, Succession succession) {
  if (!replaced || replaced == successor)
    return;
  Value mark = Value::of(Value::Reference);
  mark.number = succession;
  mark.object = successor;
  mark.symbol = context.universe().names.id(name) + 1;
  mark.trail = registered;
  context.state.set(meta(replaced, Meta::Successor), mark);
}

/// A variable is given another module, and nobody else knew the one it held, or it is a copy of that one.
void noteReplaced(Context &context, const Instruction &i, Place variable, const Value &assigned) {
  Value before = follow(context.state, context.state.get(variable));
  if (assigned.kind != Value::Object || before.kind != Value::Object || before.object == assigned.object ||
      !before.object || !isModule(context.state, before.object) || !isModule(context.state, assigned.object))
    return;
  bool kept = false;
  context.state.forAll([&](Place p, const Value &value) {
    kept |= p != variable && partOf(p) != Part::Meta && value.kind == Value::Object && value.object == before.object;
  });
  if (!kept || isCopyOf(context.state, assigned.object, before.object))
    noteSuccessor(context, before.object, assigned.object,
                  event(context, Event::Registered, i, nullptr, {}, i.args[0].source), "",
                  kept ? kBesideOriginal : kInItsPlace);
}

} // namespace samedevice::analysis
