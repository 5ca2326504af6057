// What is made up where nobody saw it made, and what unseen code may have changed.
#include "Unseen.h"
#include "ElementKey.h"
#include "Lists.h"

namespace samedevice::analysis {

std::string keyOfParameter(const facts::Function &code, facts::FunctionId function, facts::Slot parameter) {
  return code.name + "#" + std::to_string(function) + "(" + std::to_string(parameter) + ")";
}

/// Something of a type, of which nothing is known but that it stays the same.
Value symbolic(State &state, const facts::SlotInfo &slot, const std::string &key, const std::string &name,
               bool fromCaller) {
  Value value;
  auto symbol = [&](Symbol::Kind kind) { return state.universe().symbols.intern(key, kind, slot.source, name); };
  switch (slot.type) {
  case facts::Type::Tensor:
    value.kind = Value::Tensor;
    value.device = DeviceValue::of(symbol(fromCaller ? Symbol::FromCaller : Symbol::Plain));
    value.trail =
        state.universe().events.intern({Event::Parameter, slot.source, slot.source, 0, value.device, nullptr, 0, 0});
    break;
  case facts::Type::Device:
  case facts::Type::Options:
    value.kind = slot.type == facts::Type::Device ? Value::Device : Value::Options;
    value.set(Value::kHasDevice);
    value.set(Value::kHandedIn, slot.type == facts::Type::Options);
    value.device = DeviceValue::of(symbol(Symbol::Chosen));
    break;
  case facts::Type::Bool:
    value.kind = Value::Bool;
    value.symbol = symbol(Symbol::Plain);
    break;
  case facts::Type::Int:
    value.kind = Value::Int;
    value.symbol = symbol(Symbol::Plain);
    value.set(Value::kOfSize, slot.isPlain);
    break;
  case facts::Type::String:
    value.kind = Value::String;
    value.symbol = symbol(Symbol::Chosen);
    break;
  case facts::Type::Pointer:
    value.kind = Value::Pointer;
    break;
  case facts::Type::Module:
  case facts::Type::Record:
  case facts::Type::List: {
    value = objectValue(state.universe().objects.unseen(key));
    if (state.exists(value.object))
      break;
    Value mark = Value::constant(Value::Int, static_cast<std::int64_t>(state.universe().names.id(key)));
    mark.symbol = fromCaller;
    state.set(meta(value.object, Meta::Symbolic), mark);
    Value cls = mark;
    cls.symbol = 0;
    cls.number = slot.cls == facts::kNone ? -1 : static_cast<std::int64_t>(slot.cls);
    if (slot.type != facts::Type::List)
      state.set(meta(value.object, Meta::Class), cls);
    if (slot.type == facts::Type::Module) {
      // All that is registered in a module is where its owner put it.
      Value device = Value::of(Value::Tensor);
      device.device = DeviceValue::of(state.universe().symbols.intern(
          "device of " + key, fromCaller ? Symbol::FromCaller : Symbol::Plain, slot.source, name));
      device.trail =
          state.universe().events.intern({Event::Parameter, slot.source, slot.source, 0, device.device, nullptr, 0, 0});
      state.set(meta(value.object, Meta::Device), device);
    }
    break;
  }
  default:
    break;
  }
  return value;
}

void markMadeElsewhere(State &state, ObjectId object) {
  Value mark = state.get(meta(object, Meta::Symbolic));
  mark.index = 1;
  state.set(meta(object, Meta::Symbolic), mark);
}

/// What a member is, as its class declares it.
static bool isPlainMember(const State &state, ObjectId object, const std::string &name) {
  const facts::ClassId cls = classOf(state, object);
  const facts::SlotInfo *declared =
      cls < state.program().classes.size() ? state.program().memberOf(cls, name) : nullptr;
  return declared && declared->isPlain;
}

Value fieldPlace(Context &context, const Value &base, const std::string &name, const facts::SlotInfo &slot,
                 const Instruction &instruction) {
  if (base.kind == Value::Tensor) { // one of several results of an operator
    Value result = base;
    result.set(Value::kRank0, false);
    if (!base.has(Value::kAlike))
      result.dims = 0;
    result.set(Value::kAlike, false);
    return result;
  }
  if (base.kind != Value::Object) {
    // Of one of several objects: what was put elsewhere by their devices may be on any of them.
    if (base.index == Value::kSomewhere && slot.type == facts::Type::Device)
      return {};
    if (slot.type == facts::Type::Device || slot.type == facts::Type::Bool || slot.type == facts::Type::Int)
      return symbolic(context.state, slot, "field of unknown " + name, name, false);
    return {};
  }
  ObjectId object = base.object;
  Place target = field(object, context.universe().names.id(name));
  if (context.state.find(target))
    return referenceTo(target);
  if (slot.type == facts::Type::Tensor && !torchClassOf(context.state, object).empty() &&
      context.state.find(meta(object, Meta::Device))) { // fc->weight
    Value tensor = Value::of(Value::Tensor);
    tensor.object = object;
    tensor.dims = 1;
    tensor.trail = context.state.get(meta(object, Meta::Device)).trail;
    return tensor;
  }
  Value symbolicMark = context.state.get(meta(object, Meta::Symbolic));
  if (symbolicMark.kind == Value::Int) {
    std::string key = context.universe().names.text(static_cast<std::uint32_t>(symbolicMark.number)) + "." + name;
    Value made = symbolic(context.state, slot, key, slot.name.empty() ? name : slot.name, symbolicMark.symbol != 0);
    if (symbolicMark.index && made.kind == Value::Object)
      markMadeElsewhere(context.state, made.object);
    else if (symbolicMark.index && made.has(Value::kHasDevice))
      made.device = DeviceValue::of(context.universe().symbols.intern("device of " + key, Symbol::Plain));
    if (made.kind == Value::Object && slot.type == facts::Type::Module) {
      // A child moves with its parent as far as anyone can see.
      Value device = context.state.get(meta(object, Meta::Device));
      if (device.kind == Value::Tensor)
        context.state.set(meta(made.object, Meta::Device), device);
      context.state.set(place(object, Part::Child, context.universe().names.id(name)), made);
    }
    made.set(Value::kOfSize, made.has(Value::kOfSize) || isPlainMember(context.state, object, name));
    context.state.set(target, made);
  } else if (slot.type == facts::Type::Tensor || slot.type == facts::Type::Module) {
    context.state.set(target, Value::of(Value::Null));
  } else if (slot.type == facts::Type::List) {
    context.state.set(target, objectValue(makeList(context, instruction, {})));
  } else if (slot.type == facts::Type::Device || slot.type == facts::Type::Bool || slot.type == facts::Type::Int) {
    Value made = symbolic(context.state, slot, "field " + std::to_string(target), name, false);
    made.set(Value::kOfSize, made.has(Value::kOfSize) || isPlainMember(context.state, object, name));
    context.state.set(target, made);
  } else if (slot.type == facts::Type::Record) {
    Value made = symbolic(context.state, slot, "field " + std::to_string(target), name, false);
    context.state.set(target, made);
  }
  return referenceTo(target);
}

/// Unseen code may have done anything to it.
void havoc(State &state, const Value &value, int depth) {
  if (depth > Limits::nestedHavoc)
    return;
  if (value.kind == Value::Reference) {
    Value target = state.get(placeIn(value));
    if (target.kind == Value::Object || target.kind == Value::Reference)
      return havoc(state, target, depth + 1);
    Value unknown;
    if (target.kind == Value::Tensor)
      unknown.kind = Value::Tensor;
    state.set(placeIn(value), unknown);
    return;
  }
  if (value.kind != Value::Object || !value.object)
    return;
  ObjectId object = value.object;
  if (state.find(meta(object, Meta::Over))) { // an optimizer that got other parameters, too
    state.erase(meta(object, Meta::Over));
    return;
  }
  state.reopenAll(object, 0);
  std::vector<Value> inner;
  for (Part part : {Part::Child, Part::Tensor, Part::Field, Part::Element})
    state.forPart(object, part, [&](std::uint32_t, const Value &child) {
      if (child.kind == Value::Object || (child.kind == Value::Tensor && child.object))
        inner.push_back(child);
    });
  if (Value device = state.get(meta(object, Meta::Device)); device.kind == Value::Tensor) {
    device.device = {};
    state.set(meta(object, Meta::Device), device);
  }
  state.erase(meta(object, Meta::Placed));
  if (!isModule(state, object)) {
    std::vector<Place> lost;
    for (Part part : {Part::Field, Part::Element})
      state.forPart(object, part, [&](std::uint32_t index, const Value &member) {
        if (member.kind != Value::Object)
          lost.push_back(place(object, part, index));
      });
    for (Place p : lost) {
      Value unknown;
      if (state.get(p).kind == Value::Tensor)
        unknown.kind = Value::Tensor;
      state.set(p, unknown);
    }
    forgetSize(state, object);
    if (state.shapeOf(object))
      state.setShape(object, ListShape::Open);
  }
  for (Value &child : inner) {
    if (child.kind == Value::Tensor)
      child = objectValue(child.object);
    havoc(state, child, depth + 1);
  }
}

/// A method of `knower` that nobody sees may have done anything to an object, but for this: a const member stays what
/// it is, and so do the devices and numbers that a derived class keeps for itself and none of its methods changes.
void havocBy(State &state, ObjectId object, facts::ClassId knower) {
  std::vector<std::pair<Place, Value>> kept;
  std::vector<facts::ClassId> line{classOf(state, object)};
  for (std::size_t n = 0; n < line.size() && n < Limits::ancestors; ++n) {
    if (line[n] >= state.program().classes.size())
      continue;
    const facts::Class &cls = state.program().classes[line[n]];
    for (const facts::FieldInfo &member : cls.fields) {
      const facts::Type type = member.slot.type;
      const bool isSetting = type == facts::Type::Device || type == facts::Type::Options || type == facts::Type::Bool ||
                             type == facts::Type::Int || type == facts::Type::String;
      const Place at = field(object, state.universe().names.id(member.slot.name));
      const Value *held = isSetting ? state.find(at) : nullptr;
      if (held && (member.slot.readOnly || (!state.program().derivesFrom(knower, line[n]) &&
                                            !state.program().isAssignedByMethods(line[n], member.slot.name))))
        kept.push_back({at, *held});
    }
    line.insert(line.end(), cls.bases.begin(), cls.bases.end());
  }
  havoc(state, objectValue(object));
  for (const auto &[at, value] : kept)
    state.set(at, value);
}

/// A key is another one now: what stands in maps under its name was put there under one that nobody could read either.
static void forgetWhatIsUnder(Context &context, const Value &key) {
  const std::optional<std::uint32_t> name = keyed(key);
  if (!name || !context.evidence.unreadKeys.has(*name))
    return;
  std::vector<Place> under;
  context.state.forAll([&](Place p, const Value &) {
    if (partOf(p) == Part::Element && indexOf(p) == *name)
      under.push_back(p);
  });
  for (Place p : under)
    context.state.set(p, context.state.get(p).kind == Value::Tensor ? Value::of(Value::Tensor) : Value{});
}

/// Unknown, but one number until it is computed again: what was chosen by it stays chosen.
Value someInt(Context &context, SourceId source) {
  Value made = Value::of(Value::Int);
  made.symbol = context.universe().symbols.intern(
      "int at " + std::to_string(context.frame.id) + "/" + std::to_string(source), Symbol::Plain, source);
  context.universe().symbols.markPassing(made.symbol);
  context.state.forget(made.symbol);
  context.state.forgetTestsOf(made.symbol);
  forgetWhatIsUnder(context, made);
  return made;
}

Value someText(Context &context, SourceId source) {
  Value made = Value::of(Value::String);
  made.symbol = someInt(context, source).symbol;
  return made;
}

/// What nobody knows anything of, but its type.
Value anything(Context &context, const Instruction &i) {
  Value made;
  if (i.dest == facts::kNone)
    return made;
  switch (context.frame.code->slots[i.dest].type) {
  case facts::Type::Tensor:
    made.kind = Value::Tensor;
    break;
  case facts::Type::Int:
    return someInt(context, i.source);
  case facts::Type::String:
    return someText(context, i.source);
  case facts::Type::Bool: // whatever it is, it is the same when it is asked about again
    made.kind = Value::Bool;
    made.symbol = someInt(context, i.source).symbol;
    break;
  default:
    break;
  }
  return made;
}

} // namespace samedevice::analysis
