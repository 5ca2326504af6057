// Slots, places and records.
#include "Values.h"
#include "Attribution.h"
#include "Calls.h"
#include "Copies.h"
#include "Devices.h"
#include "Lists.h"
#include "Memory.h"
#include "Optimizers.h"
#include "Registration.h"
#include "Tensors.h"

#include <algorithm>
#include <map>

namespace samedevice::analysis {
Value raw(Context &context, Slot slot) {
  if (slot == facts::kNone || slot >= context.code.scratch.size())
    return {};
  int local = context.code.scratch[slot];
  return local >= 0 ? context.scratch[local] : context.state.get(field(context.frame.id, slot));
}

Value value(Context &context, Slot slot) { return follow(context.state, raw(context, slot)); }

Value follow(const State &state, Value value) {
  for (int hops = 0; value.kind == Value::Reference && hops < Limits::hops; ++hops)
    value = state.get(placeIn(value));
  return value.kind == Value::Reference ? Value{} : value;
}

void define(Context &context, Slot slot, const Value &value) {
  if (slot == facts::kNone || slot >= context.code.scratch.size())
    return;
  int local = context.code.scratch[slot];
  if (local >= 0)
    context.scratch[local] = value;
  else
    context.state.set(field(context.frame.id, slot), value);
}

std::optional<Place> placeOf(Context &context, const Operand &operand) {
  Value at = raw(context, operand.slot);
  if (at.kind == Value::Reference) {
    for (int hops = 0; hops < Limits::hops; ++hops) {
      Value next = context.state.get(placeIn(at));
      if (next.kind != Value::Reference)
        break;
      at = next;
    }
    return placeIn(at);
  }
  if (operand.slot == facts::kNone || operand.slot >= context.code.scratch.size() ||
      context.code.scratch[operand.slot] >= 0)
    return std::nullopt;
  return field(context.frame.id, operand.slot);
}

void write(Context &context, const Operand &target, const Value &value) {
  if (std::optional<Place> p = placeOf(context, target))
    context.state.set(*p, value);
  else
    define(context, target.slot, value);
}

Value objectValue(ObjectId object, const Event *trail) {
  Value value = Value::of(Value::Object);
  value.object = object;
  value.trail = trail;
  return value;
}

/// The object an instruction makes, in this chain of calls, and in this turn of loops whose turns are followed: of the
/// callers' loops, too, where it is a module, each of which may go to a GPU of its own, or a constructor's. Objects
/// come in pairs: the latest, and the summary of all older ones (Recency.h).
ObjectId objectAt(Context &context, const Instruction &instruction, std::uint32_t nth) {
  std::vector<std::int64_t> turns;
  const bool isModule = instruction.opcode == Opcode::Module || instruction.opcode == Opcode::CloneModule ||
                        (instruction.opcode == Opcode::Object && !instruction.targets.empty() &&
                         context.program().classes[instruction.targets[0]].isModule);
  const auto isOfItsObject = [&](const Frame *frame) {
    return context.program().functions[frame->function].isConstructor;
  };
  for (const Frame *frame = &context.frame; frame; frame = isModule || isOfItsObject(frame) ? frame->caller : nullptr)
    for (Slot counter : context.program().code(frame->function).counters)
      if (const Value at = context.state.get(field(frame->id, counter));
          at.has(Value::kConstant) && at.has(Value::kCounted))
        turns.push_back(at.number);
  return context.universe().objects.made(context.frame.id, instruction, nth, std::move(turns));
}

ObjectId makeObject(Context &context, const Instruction &instruction, std::uint32_t nth) {
  ObjectId object = objectAt(context, instruction, nth);
  if (context.state.exists(object)) {
    // Made again, in a loop: the one before becomes part of the summary, if it can still be reached.
    context.state.renameObject(object, summaryOf(object), context.universe().symbols);
    for (Value &value : context.scratch)
      if (value.object == object)
        value.object = summaryOf(object);
  }
  return object;
}

/// A name for a copy, or for memory, that an instruction makes: what it made before is part of the summary now.
ObjectId nameAnew(Context &context, const Instruction &instruction, std::uint32_t nth) {
  ObjectId made = objectAt(context, instruction, nth);
  context.state.renameCopy(made, summaryOf(made));
  for (Value &value : context.scratch) {
    if (value.pending == made)
      value.pending = summaryOf(made);
    if (value.memory == made)
      value.memory = summaryOf(made);
  }
  return made;
}

facts::ClassId classOf(const State &state, ObjectId object) {
  Value cls = state.get(meta(object, Meta::Class));
  return cls.kind == Value::Int && cls.number >= 0 ? static_cast<facts::ClassId>(cls.number) : facts::kNone;
}

std::string torchClassOf(const State &state, ObjectId object) {
  Value cls = state.get(meta(object, Meta::Class));
  return cls.kind == Value::String ? state.universe().names.text(static_cast<std::uint32_t>(cls.number))
                                   : std::string();
}

bool isModule(const State &state, ObjectId object) {
  facts::ClassId cls = classOf(state, object);
  return cls < state.program().classes.size() ? state.program().classes[cls].isModule
                                              : state.get(meta(object, Meta::Class)).kind == Value::String;
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

Value fieldPlace(Context &context, const Value &base, const std::string &name, const facts::SlotInfo &slot,
                 const Instruction &instruction) {
  if (base.kind == Value::Tensor) { // one of several results of an operator
    Value result = base;
    result.set(Value::kRank0, false);
    result.dims = 0;
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
    if (made.kind == Value::Object && slot.type == facts::Type::Module) {
      // A child moves with its parent as far as anyone can see.
      Value device = context.state.get(meta(object, Meta::Device));
      if (device.kind == Value::Tensor)
        context.state.set(meta(made.object, Meta::Device), device);
      context.state.set(place(object, Part::Child, context.universe().names.id(name)), made);
    }
    context.state.set(target, made);
  } else if (slot.type == facts::Type::Tensor || slot.type == facts::Type::Module) {
    context.state.set(target, Value::of(Value::Null));
  } else if (slot.type == facts::Type::List) {
    context.state.set(target, objectValue(makeList(context, instruction, {})));
  } else if (slot.type == facts::Type::Device || slot.type == facts::Type::Bool || slot.type == facts::Type::Int) {
    context.state.set(target, symbolic(context.state, slot, "field " + std::to_string(target), name, false));
  } else if (slot.type == facts::Type::Record) {
    Value made = symbolic(context.state, slot, "field " + std::to_string(target), name, false);
    context.state.set(target, made);
  }
  return referenceTo(target);
}

void flatten(const State &state, const Value &value, std::vector<Value> &out, int depth) {
  if (value.kind == Value::Reference)
    return flatten(state, follow(state, value), out, depth);
  if (value.kind != Value::Object || depth > Limits::nestedData) {
    out.push_back(value);
    return;
  }
  if (isModule(state, value.object))
    return;
  for (Part part : {Part::Field, Part::Element})
    state.forPart(value.object, part,
                  [&](std::uint32_t, const Value &inner) { flatten(state, inner, out, depth + 1); });
}

/// `layer->weight`, of one of torch's own: what is assigned to it is what the layer computes with from then on, while
/// what it has registered is another tensor.
static std::optional<Place> memberOfLayer(Context &context, Slot slot) {
  const Value now = raw(context, slot);
  if (now.kind != Value::Tensor || !now.object || !isModule(context.state, now.object))
    return std::nullopt;
  for (const facts::Block &block : context.frame.code->blocks)
    for (const Instruction &named : block.instructions)
      if (named.opcode == Opcode::Field && named.dest == slot)
        return field(now.object, context.universe().names.id(named.text));
  return std::nullopt;
}

/// `state.cell = torch::zeros(..)`: what is made there takes the place of a tensor that was somewhere else.
static void noteDisplaced(Context &context, const Value &before, const Value &assigned) {
  const Event *made = latest(assigned.trail, Event::CreatedByDefault);
  const DeviceValue was = deviceOf(context.state, before);
  if (before.kind == Value::Tensor && was.kind != DeviceValue::Cpu && made &&
      made->function == context.frame.function && deviceOf(context.state, assigned).kind == DeviceValue::Cpu)
    context.evidence.noteDisplaced(made, was);
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
    state.forget(emptiness(state, object));
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
  context.state.forget(made.symbol);
  for (SymbolId test : context.universe().symbols.testsOf(made.symbol))
    context.state.forget(test);
  forgetWhatIsUnder(context, made);
  return made;
}

/// A text that nobody can read, but the same one until it is made again.
static Value someText(Context &context, SourceId source) {
  Value made = Value::of(Value::String);
  made.symbol = someInt(context, source).symbol;
  return made;
}

/// Arithmetic, where both numbers are known: `gpus[i % 2]` of a loop whose turns are followed.
static Value computed(Context &context, const Instruction &i) {
  const Value a = value(context, i.args[0]), b = value(context, i.args[1]);
  auto isKnown = [](const Value &v) {
    constexpr std::int64_t large = 1 << 30; // nothing that is counted here, and no sum of two overflows
    return v.kind == Value::Int && v.has(Value::kConstant) && v.number > -large && v.number < large;
  };
  const bool divides = i.mode == Mode::Over || i.mode == Mode::Remainder;
  // The first two turns go to GPUs of their own, however many there are.
  if (i.mode == Mode::Remainder && isKnown(a) && !isKnown(b) && (a.number == 0 || a.number == 1))
    return a;
  if (!isKnown(a) || !isKnown(b) || (divides && b.number == 0)) {
    auto isPlain = [&](const Value &v) { return isKnown(v) || v.has(Value::kOfSize); };
    Value made = someInt(context, i.source);
    made.set(Value::kOfSize, isPlain(a) && isPlain(b));
    return made;
  }
  Value made = Value::constant(Value::Int, i.mode == Mode::Plus    ? a.number + b.number
                                           : i.mode == Mode::Minus ? a.number - b.number
                                           : i.mode == Mode::Times ? a.number * b.number
                                           : i.mode == Mode::Over  ? a.number / b.number
                                                                   : a.number % b.number);
  made.set(Value::kCounted, a.has(Value::kCounted) || b.has(Value::kCounted));
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

void stepValue(Context &context, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(context, i.args[n]) : Value{}; };
  switch (i.opcode) {
  case Opcode::Unknown: {
    if (i.dest == facts::kNone)
      return;
    Value made = anything(context, i);
    if (made.kind == Value::String)
      for (std::size_t n = 0; n < i.args.size(); ++n)
        if (Value part = deviceIn(context.state, arg(n)); part.kind == Value::Device)
          made = part; // a text made of a device's name tells devices apart
    define(context, i.dest, made);
    return;
  }
  case Opcode::Const: {
    Value made;
    facts::Type type = i.dest == facts::kNone ? facts::Type::Other : context.frame.code->slots[i.dest].type;
    made.kind = type == facts::Type::Bool ? Value::Bool : type == facts::Type::String ? Value::String : Value::Int;
    made.set(Value::kConstant);
    made.number =
        made.kind == Value::String ? static_cast<std::int64_t>(context.universe().names.id(i.text)) : i.number;
    define(context, i.dest, made);
    return;
  }
  case Opcode::Compute:
    define(context, i.dest, computed(context, i));
    return;
  case Opcode::Null: {
    Value made = Value::of(Value::Null);
    made.trail = event(context, Event::Chosen, i, nullptr);
    define(context, i.dest, made);
    return;
  }
  case Opcode::Copy: {
    Value copied = arg(0);
    if (copied.kind == Value::Tensor)
      copied.set(Value::kFresh, copied.has(Value::kFresh) && context.frame.code->slots[i.dest].name.empty());
    if (!context.frame.code->slots[i.dest].name.empty())
      checkDangling(context, i, copied);
    if (context.frame.code->slots[i.dest].type == facts::Type::String && copied.kind != Value::String)
      copied = someText(context, i.source); // out of memory: argv[1]
    if ((copied.kind == Value::Int || copied.kind == Value::String) && copied.symbol)
      context.universe().symbols.nameOnce(copied.symbol, context.frame.code->slots[i.dest].name);
    define(context, i.dest, copied);
    return;
  }
  case Opcode::Cast: {
    Value object = arg(0);
    if (object.kind == Value::Object && !i.targets.empty() && !mayBe(context.state, object.object, i.targets[0])) {
      object = Value::of(Value::Null);
      object.trail = event(context, Event::Chosen, i, nullptr);
    }
    define(context, i.dest, object);
    return;
  }
  case Opcode::Clone:
    define(context, i.dest, clone(context, arg(0), context.frame.code->slots[i.dest], i));
    return;
  case Opcode::Bind: {
    if (i.args.empty())
      return;
    if (i.args.size() > 1) { // a member that is a reference: a lambda's capture
      Value member = raw(context, i.args[0].slot), bound = raw(context, i.args[1].slot);
      const bool isSelf =
          member.kind == Value::Reference && context.universe().names.text(indexOf(placeIn(member))) == "this";
      if (isSelf) // the object, for as long as that lives; its name is gone when the method ends
        bound = follow(context.state, bound);
      else if (std::optional<Place> target = placeOf(context, i.args[1])) // of a module, too: another may be put there
        bound = referenceTo(*target);
      if (member.kind == Value::Reference)
        context.state.set(placeIn(member), bound);
      return;
    }
    Value at = raw(context, i.args[0].slot);
    std::optional<Place> target = at.kind == Value::Object ? std::nullopt : placeOf(context, i.args[0]);
    define(context, i.dest, target ? referenceTo(*target) : at);
    return;
  }
  case Opcode::Assign: {
    if (i.args.size() < 2)
      return;
    Value assigned = arg(1);
    checkDangling(context, i, assigned);
    if (context.program().isDeadMove(i))
      Attribution(context, i).deadMove(participant(context, arg(0), i.args[0].source));
    assigned.set(Value::kFresh, false);
    bool captured = false; // a lambda keeps what it needs: that is no place of its own
    if (std::optional<Place> target = placeOf(context, i.args[0])) {
      facts::ClassId owner = classOf(context.state, objectOf(*target));
      captured = owner < context.program().classes.size() && context.program().classes[owner].isLambda;
      noteStored(context, i, *target, assigned, i.args[1].source);
      noteReplaced(context, i, *target, assigned);
      const Value before = follow(context.state, context.state.get(*target));
      noteMovedAway(context, i, before, assigned);
      noteDisplaced(context, before, assigned);
    }
    if (assigned.kind == Value::Null && context.frame.code->slots[i.args[0].slot].type == facts::Type::Device)
      assigned.trail = event(context, Event::Chosen, i, nullptr); // an archive is filled here, for no device
    if (assigned.kind == Value::Tensor && !assigned.object && !captured)
      assigned.trail = event(context, Event::Stored, i, assigned.trail, assigned.device, i.args[0].source);
    if (i.mode == Mode::Contents)
      assignContents(context, i, assigned);
    else if (std::optional<Place> member = memberOfLayer(context, i.args[0].slot);
             member && assigned.kind == Value::Tensor)
      context.state.set(*member, assigned);
    else
      write(context, i.args[0], assigned);
    return;
  }
  case Opcode::Field: {
    if (i.args.empty() || i.dest == facts::kNone)
      return;
    const Value of = arg(0), name = i.args.size() > 1 ? arg(1) : Value{};
    if (i.args.size() == 1)
      define(context, i.dest, fieldPlace(context, of, i.text, context.frame.code->slots[i.dest], i));
    else if (name.kind == Value::String && name.has(Value::kConstant))
      define(context, i.dest,
             fieldPlace(context, of, context.universe().names.text(static_cast<std::uint32_t>(name.number)),
                        context.frame.code->slots[i.dest], i));
    else {
      if (i.flags & facts::kWrite)
        havoc(context.state, of);
      define(context, i.dest, {});
    }
    return;
  }
  case Opcode::Global: {
    Place target = field(kGlobals, context.universe().names.id(i.text));
    if (!context.state.find(target) && i.dest != facts::kNone)
      context.state.set(target,
                        symbolic(context.state, context.frame.code->slots[i.dest], "global " + i.text, i.text, false));
    define(context, i.dest, referenceTo(target));
    return;
  }
  case Opcode::IsMade:
    define(context, i.dest,
           Value::constant(Value::Bool,
                           context.state.find(field(kGlobals, context.universe().names.id(i.text))) != nullptr));
    return;
  case Opcode::Object: {
    ObjectId object = makeObject(context, i);
    Value cls = Value::constant(Value::Int, i.targets.empty() ? -1 : static_cast<std::int64_t>(i.targets[0]));
    cls.trail = event(context, Event::ModuleCreated, i, nullptr, DeviceValue::cpu());
    context.state.set(meta(object, Meta::Class), cls);
    define(context, i.dest, objectValue(object, cls.trail));
    return;
  }
  default:
    return;
  }
}

const Event *event(Context &context, Event::Kind kind, const Instruction &instruction, const Event *previous,
                   DeviceValue device, SourceId subject, SourceId target) {
  if (Events::length(previous) >= Limits::story)
    previous = nullptr;
  return context.universe().events.intern(
      {kind, instruction.source, subject, target, device, previous, context.frame.function, 0});
}

} // namespace samedevice::analysis
