// Modules: what is registered where, what a move reaches, what loading and optimizers do.
#include "Attribution.h"
#include "Code.h"
#include "Interpreter.h"

#include <algorithm>

namespace samedevice::analysis {

namespace {

/// How many children under a name that could not be read stay registered.
constexpr int kKept = 6;

/// Whether a story went through this point: the value is the one stored there, or was computed from it.
bool comesFrom(const Event *story, const Event *point) {
  for (; story; story = story->previous)
    if (story == point)
      return true;
  return false;
}

/// Registered under a name that nobody wrote: Sequential and ModuleList count. The older ones of what a loop makes
/// are one object (an odd id, see makeObject), so they have one name: else the loop would never settle.
std::string nextName(State &state, ObjectId parent) {
  std::set<ObjectId> seen;
  std::vector<Place> twins;
  state.forPart(parent, Part::Child, [&](std::uint32_t name, const Value &child) {
    if (child.object % 2 == 1 && !seen.insert(child.object).second)
      twins.push_back(place(parent, Part::Child, name));
  });
  for (Place twin : twins)
    state.erase(twin);
  int count = 0;
  state.forPart(parent, Part::Child, [&](std::uint32_t, const Value &) { ++count; });
  return std::to_string(std::min(count, 15));
}

} // namespace

void Interpreter::moveModule(M m, ObjectId module, const Value &to, const Event *trail, int depth) {
  if (depth > 8)
    return;
  Value moved = Value::of(Value::Device);
  moved.flags = to.flags & Value::kNoIndex;
  moved.set(Value::kLiteral, writtenHere(m, to));
  moved.device = optionsDevice(m, to);
  moved.trail = trail;
  m.state.set(meta(module, Meta::Moved), moved);
  m.state.erase(meta(module, Meta::Placed));
  if (m.state.find(meta(module, Meta::Device))) {
    Value leaf = m.state.get(meta(module, Meta::Device));
    leaf.device = moved.device;
    leaf.flags = moved.flags;
    // Its own beginning, then this move.
    const Event *begin = leaf.trail;
    leaf.trail = events_.intern({Event::ModuleMoved, trail ? trail->at : 0, trail ? trail->subject : 0,
                                 trail ? trail->target : 0, moved.device,
                                 Events::length(begin) < Events::kLongest ? begin : nullptr, m.frame.function, 0});
    m.state.set(meta(module, Meta::Device), leaf);
  }
  std::vector<ObjectId> inner;
  for (Part part : {Part::Child, Part::Tensor})
    m.state.forPart(module, part, [&](std::uint32_t, const Value &child) { inner.push_back(child.object); });
  if (std::count(inner.begin(), inner.end(), 0u)) // paths disagree on which one stands there; all of them move
    m.state.forMeta(Meta::Placed, [&](ObjectId late, const Value &mark) {
      if (mark.object == module && mark.trail && mark.trail->kind == Event::Registered)
        inner.push_back(late);
    });
  for (ObjectId child : inner)
    if (child)
      moveModule(m, child, to, trail, depth + 1);
}

/// One element of a list is moved, and nobody knows which: in a loop, each in its turn. Where the others are is not
/// known any more; nor is it where the module itself is one that paths disagree on.
void Interpreter::noteOneOfMany(M m, const Operand &moved) {
  Value at = raw(m, moved.slot), module = value(m, moved);
  std::vector<ObjectId> others;
  const bool isElement = at.kind == Value::Reference && partOf(placeIn(at)) == Part::Element;
  Value inexact = isElement ? m.state.get(meta(at.object, Meta::Inexact)) : Value{};
  if (isElement && inexact.kind == Value::Int && inexact.number)
    for (const Value &other : elements(m.state, objectValue(at.object)))
      others.push_back(other.kind == Value::Object ? other.object : 0);
  if (module.kind == Value::Unknown || std::count(others.begin(), others.end(), 0u))
    m.state.forMeta(Meta::Placed, [&](ObjectId late, const Value &) { others.push_back(late); });
  for (ObjectId other : others) {
    if (!other || other == module.object || !m.state.find(meta(other, Meta::Placed)))
      continue;
    m.state.erase(meta(other, Meta::Placed));
    std::vector<std::pair<ObjectId, Value>> leaves;
    forLeaves(m.state, other, [&](ObjectId leaf, const Value &was) { leaves.push_back({leaf, was}); });
    for (auto &[leaf, was] : leaves) {
      was.device = {};
      m.state.set(meta(leaf, Meta::Device), was);
    }
  }
}

bool Interpreter::differsFrom(const State &state, ObjectId module, DeviceValue device) const {
  bool differs = false;
  forLeaves(state, module, [&](ObjectId, const Value &leaf) {
    Relation relation = relate(state, leaf.device, device);
    differs |= relation.kind == Relation::Different;
  });
  return differs;
}

bool Interpreter::isContainer(const State &state, ObjectId object) const {
  const std::string name = torchClassOf(state, object);
  return name == "Sequential" || name == "ModuleList" || name == "ModuleDict";
}

/// False where a loop made some of them: how many there are, and which is which, is open then.
bool Interpreter::knowsChildren(const State &state, ObjectId container) const {
  bool known = true;
  state.forPart(container, Part::Child,
                [&](std::uint32_t, const Value &child) { known &= child.object && child.object % 2 == 0; });
  return known;
}

/// The children that may stand at this place (a number or an iterator), in their order.
std::vector<Value> Interpreter::childrenAt(const State &state, ObjectId container, const Value &position) const {
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
bool Interpreter::inTree(const State &state, ObjectId root, ObjectId wanted, bool whereUnknown, int depth) const {
  if (root == wanted || !root)
    return root == wanted || whereUnknown;
  bool found = false;
  if (depth < 8)
    for (Part part : {Part::Child, Part::Tensor})
      state.forPart(root, part, [&](std::uint32_t, const Value &child) {
        found = found || inTree(state, child.object, wanted, whereUnknown, depth + 1);
      });
  return found;
}

std::optional<ObjectId> Interpreter::heldUnregistered(const State &state, ObjectId owner, const Participant &wanted,
                                                      int depth) const {
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
    } else if (depth < 3) {
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

std::optional<Interpreter::Missed> Interpreter::ownerThatMissed(M m, const Participant &wanted) const {
  for (const Frame *frame = &m.frame; frame; frame = frame->caller) {
    if (frame->code->cls == facts::kNone)
      continue;
    Value self = follow(m.state, m.state.get(field(frame->id, 0)));
    if (self.kind != Value::Object || !isModule(m.state, self.object) || !m.state.find(meta(self.object, Meta::Moved)))
      continue;
    bool registered = wanted.module && inTree(m.state, self.object, wanted.module);
    std::optional<ObjectId> held = registered ? std::nullopt : heldUnregistered(m.state, self.object, wanted, 0);
    if (held)
      return Missed{self.object, *held};
  }
  return std::nullopt;
}

void Interpreter::noteStored(M m, const Instruction &i, Place target, const Value &stored, SourceId source) {
  if (stored.kind != Value::Object || !stored.object || stored.has(Value::kConstant) || partOf(target) == Part::Meta)
    return;
  ObjectId owner = objectOf(target);
  bool member = m.state.find(meta(owner, Meta::Class)) || partOf(target) == Part::Element;
  if (!member)
    return;
  if (!m.state.find(meta(stored.object, Meta::Stored))) {
    Value mark = Value::of(Value::Null);
    mark.trail = event(m, Event::Stored, i, nullptr, {}, source);
    m.state.set(meta(stored.object, Meta::Stored), mark);
  }
  if (partOf(target) != Part::Field || !isModule(m.state, owner) || !isModule(m.state, stored.object))
    return;
  Value moved = m.state.get(meta(owner, Meta::Moved));
  const bool known = m.state.find(meta(stored.object, Meta::Placed)); // by being registered, a moment ago
  if (known || moved.kind != Value::Device || inTree(m.state, owner, stored.object) ||
      !differsFrom(m.state, stored.object, moved.device))
    return;
  notePlaced(m, i, owner, stored.object, Event::Stored, i.args.empty() ? source : i.args[0].source);
}

/// Put into a parent that had been moved before: where, and by which move it was missed.
void Interpreter::notePlaced(M m, const Instruction &i, ObjectId parent, ObjectId child, Event::Kind how,
                             SourceId subject, const std::string &name) {
  const Value moved = m.state.get(meta(parent, Meta::Moved));
  Value mark = Value::of(Value::Reference);
  mark.object = parent;
  mark.device = moved.device;
  mark.flags = moved.flags;
  if (!name.empty())
    mark.symbol = names_.id(name) + 1;
  mark.trail = events_.intern(
      {how, i.source, subject, moved.trail ? moved.trail->target : 0, moved.device, moved.trail, m.frame.function, 0});
  m.state.set(meta(child, Meta::Placed), mark);
}

/// Puts a child under its name; gives the one that was there, or that was unregistered from there.
ObjectId Interpreter::enroll(M m, ObjectId parent, Part part, const std::string &name, const Value &entry) {
  Place here = place(parent, part, names_.id(name));
  Value before = m.state.get(here);
  bool readable = name.rfind("unnamed", 0) != 0;
  // A name that could not be read may be another one each time: what came before stays registered.
  std::string older = name;
  Value left = before;
  for (int kept = 0; !readable && kept < kKept && left.object && left.object != entry.object; ++kept) {
    older += " before";
    Place earlier = place(parent, part, names_.id(older));
    Value next = m.state.get(earlier);
    m.state.set(earlier, left);
    if (next.object == left.object) // the older ones of what a loop makes
      break;
    left = next;
  }
  m.state.set(here, entry);
  if (Value former = m.state.get(meta(parent, Meta::Former)); !before.object && former.index == names_.id(name))
    before = former;
  return readable ? before.object : 0;
}

void Interpreter::registerChild(M m, const Instruction &i, ObjectId parent, const Value &child, const std::string &name,
                                SourceId source) {
  if (child.kind != Value::Object || child.object == parent)
    return;
  Value entry = objectValue(child.object);
  int order = 0;
  m.state.forPart(parent, Part::Child, [&](std::uint32_t, const Value &) { ++order; });
  entry.number = std::min(order, 15);
  ObjectId replaced = enroll(m, parent, Part::Child, name, entry);
  Value mark = Value::of(Value::Null);
  mark.trail = event(m, Event::Registered, i, nullptr, {}, source);
  m.state.set(meta(child.object, Meta::Stored), mark);
  noteSuccessor(m, replaced, child.object, mark.trail, name);

  Value moved = m.state.get(meta(parent, Meta::Moved));
  if (moved.kind != Value::Device || !differsFrom(m.state, child.object, moved.device)) {
    m.state.erase(meta(child.object, Meta::Placed));
    return;
  }
  notePlaced(m, i, parent, child.object, Event::Registered, source, name);
}

Value Interpreter::registerTensor(M m, const Instruction &i, ObjectId parent, const Value &tensor,
                                  const std::string &name) {
  ObjectId cell = makeObject(m, i);
  Value device = tensor;
  device.kind = Value::Tensor;
  device.device = tensor.kind == Value::Tensor ? deviceOf(m.state, tensor) : DeviceValue{};
  device.object = 0;
  device.number = i.text == "buffer"; // not learnt
  m.state.set(meta(cell, Meta::Device), device);
  Value mark = Value::of(Value::Null);
  mark.trail = event(m, Event::Registered, i, nullptr, {}, i.args.size() > 1 ? i.args[1].source : 0);
  m.state.set(meta(cell, Meta::Stored), mark);
  ObjectId replaced = enroll(m, parent, Part::Tensor, name, objectValue(cell));
  noteSuccessor(m, replaced, cell, mark.trail, name);
  Value handle = tensor;
  handle.kind = Value::Tensor;
  handle.object = cell;
  handle.device = {};
  Value moved = m.state.get(meta(parent, Meta::Moved));
  if (tensor.kind == Value::Tensor && moved.kind == Value::Device && differsFrom(m.state, cell, moved.device))
    notePlaced(m, i, parent, cell, Event::Registered, i.args.size() > 1 ? i.args[1].source : 0, name);
  return handle;
}

void Interpreter::stepModule(M m, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(m, i.args[n]) : Value{}; };
  auto nameOf = [&](std::size_t n) -> std::string {
    Value name = arg(n);
    return name.kind == Value::String && name.has(Value::kConstant)
               ? names_.text(static_cast<std::uint32_t>(name.number))
               : std::string();
  };
  switch (i.opcode) {
  case Opcode::Module: {
    ObjectId object = makeObject(m, i);
    m.state.set(meta(object, Meta::Class),
                Value::constant(Value::String, static_cast<std::int64_t>(names_.id(i.text))));
    const Event *made = event(m, Event::ModuleCreated, i, nullptr, DeviceValue::cpu());
    bool container = i.text == "Sequential" || i.text.rfind("Module", 0) == 0 || i.text.rfind("Parameter", 0) == 0;
    if (!(i.flags & facts::kStateless) && !container)
      m.state.set(meta(object, Meta::Device), tensorOn(DeviceValue::cpu(), made));
    for (const Operand &operand : i.args) {
      Value child = value(m, operand);
      if (child.kind == Value::Object && isModule(m.state, child.object))
        registerChild(m, i, object, child, operand.name.empty() ? nextName(m.state, object) : operand.name,
                      operand.source);
      else if (child.kind == Value::Tensor && operand.name != "input")
        registerWeight(m, object, child, operand);
    }
    define(m, i.dest, objectValue(object, made));
    return;
  }
  case Opcode::Register: {
    Value parent = arg(0), child = arg(1);
    if (parent.kind != Value::Object) {
      define(m, i.dest, child);
      return;
    }
    std::string name = i.args.size() > 2 ? nameOf(2) : std::string();
    if (name.empty())
      name = i.text == "push" ? nextName(m.state, parent.object) : "unnamed at " + std::to_string(i.source);
    if (i.text == "parameter" || i.text == "buffer" || child.kind == Value::Tensor) {
      Value handle = registerTensor(m, i, parent.object, child, name);
      // The registered tensor is the one the handle names: wherever it was kept, it moves now.
      if (child.kind == Value::Tensor)
        write(m, i.args[1], handle);
      define(m, i.dest, handle);
      return;
    }
    registerChild(m, i, parent.object, child, name, i.args.size() > 1 ? i.args[1].source : 0);
    define(m, i.dest, child);
    return;
  }
  case Opcode::Unregister: {
    Value parent = arg(0);
    std::string name = i.args.size() > 1 ? nameOf(1) : std::string();
    if (parent.kind != Value::Object || name.empty())
      return;
    Place child = place(parent.object, Part::Child, names_.id(name));
    Value former = m.state.get(child);
    former.index = names_.id(name);
    m.state.set(meta(parent.object, Meta::Former), former);
    m.state.erase(child);
    return;
  }
  case Opcode::MoveModule: {
    Value module = arg(0), to = arg(1);
    bool byOptions = to.kind == Value::Options && !to.has(Value::kHasDevice);
    if (byOptions || i.args.size() < 2)
      return;
    noteOneOfMany(m, i.args[0]);
    if (module.kind == Value::Object)
      moveModule(m, module.object, to,
                 event(m, Event::ModuleMoved, i, nullptr, optionsDevice(m, to), i.args[0].source, i.args[1].source));
    return;
  }
  case Opcode::CloneModule: {
    Value copy = deepCopy(m, arg(0), i);
    if (copy.kind == Value::Object && i.args.size() > 1 && i.args[1].slot != facts::kNone && arg(1).kind != Value::Null)
      moveModule(
          m, copy.object, arg(1),
          event(m, Event::ModuleMoved, i, nullptr, optionsDevice(m, arg(1)), i.args[0].source, i.args[1].source));
    define(m, i.dest, copy);
    return;
  }
  case Opcode::LoadState:
    return loadState(m, i);
  case Opcode::SaveState: {
    std::vector<Value> tensors;
    if (arg(0).kind == Value::Object && isModule(m.state, arg(0).object))
      tensors.push_back(arg(0));
    else
      flatten(m.state, arg(0), tensors);
    for (const Value &tensor : tensors)
      saved_.push_back(m.state.resolve(deviceOf(m.state, tensor)));
    return;
  }
  case Opcode::LoadScript: {
    ObjectId object = makeObject(m, i);
    m.state.set(meta(object, Meta::Class),
                Value::constant(Value::String, static_cast<std::int64_t>(names_.id("script::Module"))));
    bool given = !i.args.empty() && i.args[0].slot != facts::kNone && arg(0).kind != Value::Null;
    DeviceValue device =
        given ? optionsDevice(m, arg(0))
              : DeviceValue::of(symbols_.intern("script at " + std::to_string(i.source), Symbol::Recorded, i.source));
    const Event *made = event(m, Event::Loaded, i, nullptr, device, i.source, given ? i.args[0].source : 0);
    m.state.set(meta(object, Meta::Device), tensorOn(device, made, arg(0).flags & (Value::kLiteral | Value::kNoIndex)));
    define(m, i.dest, objectValue(object, made));
    return;
  }
  case Opcode::Parameters:
    return takeParameters(m, i);
  case Opcode::Optimizer:
    return buildOptimizer(m, i);
  case Opcode::OptimizerAdd:
    return addToOptimizer(m, i);
  case Opcode::OptimizerStep:
    return optimizerStep(m, i);
  default:
    return;
  }
}

void Interpreter::registerWeight(M m, ObjectId module, const Value &tensor, const Operand &operand) {
  // A loss's weight: a buffer of the module, under its own name.
  Value device = tensor;
  device.device = deviceOf(m.state, tensor);
  device.object = 0;
  if (!m.state.find(meta(module, Meta::Device)) || operand.name == "weight" || operand.name == "pos_weight")
    m.state.set(meta(module, Meta::Device), device);
}

Value Interpreter::deepCopy(M m, const Value &module, const Instruction &i, std::uint32_t nth, int depth) {
  if (module.kind != Value::Object || depth > 6)
    return {};
  ObjectId copy = makeObject(m, i, nth);
  std::vector<std::pair<Place, Value>> copied;
  for (Part part : {Part::Field, Part::Child, Part::Tensor, Part::Element, Part::Meta})
    m.state.forPart(module.object, part, [&](std::uint32_t index, const Value &member) {
      copied.push_back({place(copy, part, index), member});
    });
  std::unordered_map<ObjectId, Value> copies;
  std::uint32_t next = nth * 16 + 1;
  for (auto &[target, member] : copied)
    if (partOf(target) == Part::Child || partOf(target) == Part::Tensor)
      copies[member.object] = deepCopy(m, objectValue(member.object), i, next++, depth + 1);
  for (auto &[target, member] : copied) {
    auto it = member.object && (member.kind == Value::Object || member.kind == Value::Tensor)
                  ? copies.find(member.object)
                  : copies.end();
    if (it != copies.end())
      member.object = it->second.object;
    m.state.set(target, member);
  }
  return objectValue(copy, module.trail);
}

void Interpreter::loadState(M m, const Instruction &i) {
  Value target = i.args.empty() ? Value{} : value(m, i.args[0]);
  Value to = i.args.size() > 1 && i.args[1].name != "from" ? value(m, i.args[1]) : Value{};
  bool given = to.kind == Value::Device || to.kind == Value::Options;
  DeviceValue device = optionsDevice(m, to);
  if (!given) {
    // Where it was when it was saved, if that was seen; else wherever.
    device = DeviceValue::of(symbols_.intern("load at " + std::to_string(i.source), Symbol::Recorded, i.source));
    if (!saved_.empty()) {
      bool agree = std::all_of(saved_.begin(), saved_.end(), [&](const DeviceValue &d) { return d == saved_.front(); });
      device = agree ? saved_.front() : DeviceValue{};
    }
  }
  // An archive is given its device, or none, where it is filled: that is the line to edit.
  SourceId at = to.kind == Value::Null && to.trail && to.trail->at ? to.trail->at : i.source;
  const Event *loaded = events_.intern({Event::Loaded, at, i.args.empty() ? 0 : i.args[0].source,
                                        given ? i.args[1].source : 0, device, nullptr, m.frame.function, 0});
  if ((target.kind == Value::Tensor && !target.object) || target.kind == Value::Null) {
    write(m, i.args[0], tensorOn(device, loaded, target.flags, target.dims));
    return;
  }
  ObjectId module = target.kind == Value::Tensor ? target.object : target.kind == Value::Object ? target.object : 0;
  if (!module)
    return;
  if (m.state.find(meta(module, Meta::Inexact))) { // a list of tensors: as many as the file holds
    m.state.eraseAll(module, Part::Element);
    m.state.set(place(module, Part::Element, 0), tensorOn(device, loaded, 0, 1));
    Value inexact = m.state.get(meta(module, Meta::Inexact));
    inexact.number = 1;
    m.state.set(meta(module, Meta::Inexact), inexact);
    return;
  }
  if (m.state.find(meta(module, Meta::Over))) { // an optimizer: its state need not be where its parameters are
    m.state.set(meta(module, Meta::Moved), tensorOn(device, loaded));
    return;
  }
  std::vector<std::pair<ObjectId, Value>> leaves;
  forLeaves(m.state, module, [&](ObjectId leaf, const Value &was) { leaves.push_back({leaf, was}); });
  for (auto &[leaf, was] : leaves) {
    const Event *story =
        events_.intern({Event::Loaded, loaded->at, loaded->subject, loaded->target, device,
                        Events::length(was.trail) < Events::kLongest ? was.trail : nullptr, m.frame.function, 0});
    // Only a load that undoes a move is a mistake of its own; before it, the module was nowhere in particular.
    bool undoes = was.trail && was.trail->kind == Event::ModuleMoved;
    DeviceValue now = device;
    if (!given && !undoes && device.kind == DeviceValue::Symbol && symbols_[device.symbol].kind == Symbol::Recorded)
      now = was.device;
    m.state.set(meta(leaf, Meta::Device), tensorOn(now, undoes || given ? story : was.trail, was.flags));
  }
}

} // namespace samedevice::analysis
