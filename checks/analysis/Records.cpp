#include "Records.h"
#include "Attribution.h"
#include "Calls.h"
#include "Copies.h"
#include "Devices.h"
#include "ElementKey.h"
#include "Lists.h"
#include "Memory.h"
#include "Optimizers.h"
#include "Registration.h"
#include "Tensors.h"
#include "Unseen.h"

namespace samedevice::analysis {

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

/// What a number that nobody knows was made of: of sizes, or of a device, by which it says which one is meant.
static void noteParts(Value &number, const std::vector<Value> &parts) {
  for (const Value &part : parts)
    if (part.kind == Value::Device || part.has(Value::kOfDevice)) {
      number.device = part.device;
      number.set(Value::kOfDevice);
      return;
    }
  number.set(Value::kOfSize, !parts.empty() && std::all_of(parts.begin(), parts.end(), isOfSizes));
}

/// `"cuda:" + std::to_string(gpu)`: how a text begins may be known where the rest of it is not.
static Value joinedText(Context &context, const Instruction &i) {
  const Value begin = value(context, i.args[0]), end = value(context, i.args[1]);
  for (const Value &part : {begin, end})
    if (const Value device = deviceIn(context.state, part); device.kind == Value::Device)
      return device; // a text made of a device's name tells devices apart
  const bool isKnown = begin.kind == Value::String && begin.has(Value::kConstant);
  Value made = someText(context, i.source);
  if (isKnown || (begin.kind == Value::String && begin.has(Value::kBegins))) {
    made.set(Value::kBegins);
    made.number = begin.number;
    made.index = isKnown && end.kind == Value::String ? end.index : 0;
  }
  return made;
}

/// The text that spells a number. Where it is known, the text is not for that: of names made so, another one each turn.
static Value spelled(const Value &number, const Value &text) {
  Value made = text;
  if (text.kind == Value::String && number.kind == Value::Int && number.symbol && !number.has(Value::kConstant))
    made.index = number.symbol;
  return made;
}

/// Arithmetic, where both numbers are known: `gpus[i % 2]` of a loop whose turns are followed.
static Value computed(Context &context, const Instruction &i) {
  // Facts in text may say of one of the two only: the other is nobody's.
  const Value a = value(context, i.args[0]), b = i.args.size() > 1 ? value(context, i.args[1]) : Value{};
  auto isKnown = [](const Value &v) {
    constexpr std::int64_t large = 1 << 30; // nothing that is counted here, and no sum of two overflows
    return v.kind == Value::Int && v.has(Value::kConstant) && v.number > -large && v.number < large;
  };
  const bool divides = i.mode == Mode::Over || i.mode == Mode::Remainder;
  // The first two turns go to GPUs of their own, however many there are.
  if (i.mode == Mode::Remainder && isKnown(a) && !isKnown(b) && (a.number == 0 || a.number == 1))
    return a;
  if (!isKnown(a) || !isKnown(b) || (divides && b.number == 0)) {
    Value made = someInt(context, i.source);
    noteParts(made, {a, b});
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

/// Equal elements of a list are one, and so are those under names that nobody can read.
static bool standsForSeveral(const State &state, Place place) {
  const std::uint32_t key = indexOf(place);
  return partOf(place) == Part::Element && state.shapeOf(objectOf(place)) > ListShape::Exact &&
         (!isKey(key) || isSymbolKey(key) || key == unknownKey());
}

/// What is put in the place of what stands for several elements takes the place of one of them. What an earlier turn of
/// a loop has put there is among the others; and where each turn puts another GPU there, which of them is met later
/// nobody knows.
static void putAmongSeveral(Context &context, Place target, const Value &before, Value &assigned) {
  if (before.kind != assigned.kind || !standsForSeveral(context.state, target))
    return;
  const DeviceValue was = context.state.resolve(before.device), is = context.state.resolve(assigned.device);
  if (before.kind == Value::Object) {
    if (before.object == assigned.object || !areOfOneMaking(before.object, assigned.object))
      return;
    context.state.set(target, assigned);
    addElement(context, objectOf(target), before);
  } else if (was.kind == DeviceValue::Cuda && is.kind == DeviceValue::Cuda && was != is) {
    assigned.device = {};
  }
}

/// `several ? 1 : 0`, of a GPU: paths that differ in it go on apart.
static Value asChoice(const Context &context, Slot target, Value number) {
  if (number.kind == Value::Int && number.has(Value::kConstant) &&
      context.program().code(context.frame.function).gpusChosen.count(target))
    number.set(Value::kOfChoice);
  return number;
}

/// `batch[name] = batch[name].to(device)`: which of them that is, nobody knows; none is for certain where it was.
static void putUnderAnyKey(Context &context, Place target, const Value &assigned) {
  std::vector<std::pair<Place, Value>> moved;
  context.state.forPart(objectOf(target), Part::Element, [&](std::uint32_t at, const Value &member) {
    if (member.kind == Value::Tensor && assigned.kind == Value::Tensor && !member.object &&
        context.state.resolve(member.device) != context.state.resolve(assigned.device))
      moved.push_back({place(objectOf(target), Part::Element, at), member});
  });
  for (auto &[at, member] : moved) {
    member.device = {};
    context.state.set(at, member);
  }
}

static void assign(Context &context, const Instruction &i) {
  Value assigned = asChoice(context, i.args[0].slot, value(context, i.args[1]));
  const bool isText = context.frame.code->slots[i.args[0].slot].type == facts::Type::String;
  if (isText && (assigned.kind == Value::Pointer || assigned.kind == Value::Unknown))
    assigned = someText(context, i.source); // out of memory: argv[1]
  checkDangling(context, i, assigned);
  if (context.program().isDeadMove(i))
    Attribution(context, i).deadMove(participant(context, value(context, i.args[0]), i.args[0].source));
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
    putAmongSeveral(context, *target, before, assigned);
    // The key was chosen by where it is, which is forgotten where paths meet.
    if (partOf(*target) == Part::Element && assigned.kind == Value::Tensor &&
        context.evidence.byDevice.has(objectOf(*target)))
      assigned.device = context.state.resolve(assigned.device);
    if (const Value at = raw(context, i.args[0].slot); at.kind == Value::Reference && at.has(Value::kAlike))
      putUnderAnyKey(context, *target, assigned);
  }
  if (assigned.kind == Value::Null && context.frame.code->slots[i.args[0].slot].type == facts::Type::Device)
    assigned.trail = event(context, Event::Chosen, i, nullptr); // an archive is filled here, for no device
  if (assigned.kind == Value::Tensor && !assigned.object && !captured)
    assigned.trail = event(context, Event::Stored, i, assigned.trail, assigned.device, i.args[0].source);
  const bool isList = context.frame.code->slots[i.args[0].slot].type == facts::Type::List;
  if (isList && isOptimizer(context.state, value(context, i.args[0]))) // one of its groups
    addToOptimizer(context, i);
  else if (i.mode == Mode::Contents)
    assignContents(context, i, assigned);
  else if (std::optional<Place> member = memberOfLayer(context, i.args[0].slot);
           member && assigned.kind == Value::Tensor)
    context.state.set(*member, assigned);
  else
    write(context, i.args[0], assigned);
}

static void readField(Context &context, const Instruction &i) {
  const Value of = value(context, i.args[0]), name = i.args.size() > 1 ? value(context, i.args[1]) : Value{};
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
}

void stepRecord(Context &context, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(context, i.args[n]) : Value{}; };
  switch (i.opcode) {
  case Opcode::Unknown: {
    if (i.dest == facts::kNone)
      return;
    Value made = anything(context, i);
    if (made.kind == Value::Int) {
      std::vector<Value> parts;
      parts.reserve(i.args.size());
      for (std::size_t n = 0; n < i.args.size(); ++n)
        parts.push_back(arg(n));
      noteParts(made, parts);
      if (i.flags & facts::kPlain)
        made.set(Value::kOfSize);
    }
    if (made.kind == Value::String)
      for (std::size_t n = 0; n < i.args.size(); ++n)
        if (Value part = deviceIn(context.state, arg(n)); part.kind == Value::Device)
          made = part; // a text made of a device's name tells devices apart
    define(context, i.dest, i.args.size() == 1 ? spelled(arg(0), made) : made);
    return;
  }
  case Opcode::Const: {
    Value made;
    facts::Type type = i.dest == facts::kNone ? facts::Type::Other : context.frame.code->slots[i.dest].type;
    made.kind = type == facts::Type::Bool ? Value::Bool : type == facts::Type::String ? Value::String : Value::Int;
    made.set(Value::kConstant);
    made.number =
        made.kind == Value::String ? static_cast<std::int64_t>(context.universe().names.id(i.text)) : i.number;
    define(context, i.dest, asChoice(context, i.dest, made));
    return;
  }
  case Opcode::Compute:
    define(context, i.dest,
           context.frame.code->slots[i.dest].type == facts::Type::String ? joinedText(context, i)
                                                                         : computed(context, i));
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
    define(context, i.dest, asChoice(context, i.dest, copied));
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
  case Opcode::Assign:
    if (i.args.size() >= 2)
      assign(context, i);
    return;
  case Opcode::Field:
    if (!i.args.empty() && i.dest != facts::kNone)
      readField(context, i);
    return;
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

} // namespace samedevice::analysis
