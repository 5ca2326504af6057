// Optimizers: which parameters they took, and what came into the module after that.
#include "Attribution.h"
#include "Code.h"
#include "Interpreter.h"

namespace samedevice::analysis {
namespace {

constexpr std::uint32_t kTaken = 32; ///< notes on an optimizer from here on: the parameters of each group

} // namespace

void Interpreter::takeParameters(M m, const Instruction &i) {
  Value module = i.args.empty() ? Value{} : value(m, i.args[0]);
  std::vector<Value> members;
  if (module.kind == Value::Object) {
    if (i.text == "children" || i.text == "modules") {
      m.state.forPart(module.object, Part::Child,
                      [&](std::uint32_t, const Value &child) { members.push_back(objectValue(child.object)); });
    } else {
      forLeaves(m.state, module.object, [&](ObjectId leaf, const Value &device) {
        if (i.text == "parameters" && device.number)
          return;
        Value tensor = tensorOn({}, device.trail, 0, 1);
        tensor.object = leaf;
        members.push_back(tensor);
      });
    }
  }
  ObjectId list = makeList(m, i, members);
  if (module.kind == Value::Object) {
    Value over = Value::of(Value::Reference);
    over.object = module.object;
    over.index = list; // copies of the list took what it took
    over.trail = event(m, Event::OptimizerBuilt, i, nullptr);
    m.state.set(meta(list, Meta::Over), over);
    m.state.set(meta(0, Meta::Over), over);
  }
  define(m, i.dest, objectValue(list));
}

void Interpreter::buildOptimizer(M m, const Instruction &i) {
  Value list = i.args.empty() ? Value{} : value(m, i.args[0]);
  ObjectId optimizer = makeObject(m, i);
  std::vector<Value> taken;
  auto take = [&](const Value &parameters) {
    Value over = parameters.kind == Value::Object ? m.state.get(meta(parameters.object, Meta::Over)) : Value{};
    if (over.kind == Value::Reference)
      taken.push_back(over);
  };
  take(list);
  if (taken.empty()) // groups
    for (const Value &group : elements(m.state, list))
      take(group);
  if (!taken.empty()) {
    Value over = taken.front();
    over.trail = event(m, Event::OptimizerBuilt, i, nullptr);
    m.state.set(meta(optimizer, Meta::Over), over);
    for (std::uint32_t n = 0; n < taken.size(); ++n)
      m.state.set(place(optimizer, Part::Meta, kTaken + n), taken[n]);
  }
  define(m, i.dest, objectValue(optimizer));
}

void Interpreter::optimizerStep(M m, const Instruction &i) {
  Value optimizer = i.args.empty() ? Value{} : value(m, i.args[0]);
  if (optimizer.kind != Value::Object)
    return;
  Value built = m.state.get(meta(optimizer.object, Meta::Over));
  if (built.kind != Value::Reference)
    return;
  Value restored = m.state.get(meta(optimizer.object, Meta::Moved));
  std::vector<Value> taken;
  m.state.forPart(optimizer.object, Part::Meta, [&](std::uint32_t index, const Value &over) {
    if (index >= kTaken)
      taken.push_back(over);
  });
  std::vector<std::pair<Value, const Event *>> late;
  for (const Value &over : taken) {
    forLeaves(m.state, over.object, [&](ObjectId, const Value &device) {
      if (!device.number && restored.kind == Value::Tensor &&
          relate(m.state, restored.device, device.device).kind == Relation::Different)
        Attribution(*this, m, i).staleState(restored, device);
    });
    m.state.forMeta(Meta::Late, [&](ObjectId child, const Value &mark) {
      bool insteadOfOne = mark.number == 1;
      if (mark.object == over.index && (insteadOfOne || inTree(m.state, over.object, child)))
        late.push_back({mark, over.trail});
    });
  }
  for (auto &[mark, listed] : late) {
    bool takenEarlier = built.trail && mark.trail && built.trail->order > mark.trail->order;
    Attribution(*this, m, i)
        .staleOptimizer(mark.trail, takenEarlier ? listed : built.trail, names_.text(mark.symbol - 1));
  }
}

/// Something new among parameters that were taken before, or in the place of some: whoever took them will never learn
/// of this one.
void Interpreter::noteLate(M m, ObjectId parent, ObjectId child, ObjectId replaced, const Event *registered,
                           const std::string &name) {
  if (!m.state.find(meta(0, Meta::Over)))
    return;
  bool learns = false;
  forLeaves(m.state, child, [&](ObjectId, const Value &device) { learns |= !device.number; });
  Value mark = Value::of(Value::Reference);
  m.state.forMeta(Meta::Over, [&](ObjectId, const Value &over) {
    bool among = parent && inTree(m.state, over.object, parent);
    bool insteadOfOne = replaced && replaced != child && inTree(m.state, replaced, over.object);
    if (among || insteadOfOne) {
      mark.object = over.index;
      mark.number = !among;
    }
  });
  if (!learns || !mark.object)
    return;
  mark.symbol = names_.id(name) + 1;
  mark.trail = registered;
  m.state.set(meta(child, Meta::Late), mark);
}

/// A variable is given another module, and nobody else knew the one it held.
void Interpreter::noteReplaced(M m, const Instruction &i, Place variable, const Value &assigned) {
  Value before = follow(m.state, m.state.get(variable));
  if (assigned.kind != Value::Object || before.kind != Value::Object || before.object == assigned.object ||
      !before.object || !isModule(m.state, before.object) || !isModule(m.state, assigned.object))
    return;
  bool kept = false;
  m.state.forAll([&](Place p, const Value &value) {
    kept |= p != variable && partOf(p) != Part::Meta && value.kind == Value::Object && value.object == before.object;
  });
  if (!kept)
    noteLate(m, 0, assigned.object, before.object, event(m, Event::Registered, i, nullptr, {}, i.args[0].source), "");
}

} // namespace samedevice::analysis
