// Lists: vectors, maps, tuples and iterators alike. A few elements are told apart; what is not known to be one of
// them is each of them in turn.
#include "Lists.h"
#include "Blocks.h"
#include "Devices.h"
#include "FunctionTables.h"
#include "Locals.h"
#include "Modules.h"
#include "Optimizers.h"
#include "Registration.h"
#include "Unseen.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

bool isPlain(const facts::SlotInfo &list) {
  return list.type == facts::Type::List &&
         (list.element == facts::Type::Other || list.element == facts::Type::Int || list.element == facts::Type::Bool);
}

ObjectId makeList(Context &context, const Instruction &instruction, const std::vector<Value> &elements,
                  std::uint32_t nth) {
  ObjectId list = makeObject(context, instruction, nth);
  context.state.setShape(list, ListShape::Exact);
  // What is written out one by one is told apart one by one.
  std::uint32_t written = 0;
  for (; written < elements.size() && written < Limits::elements; ++written)
    context.state.set(place(list, Part::Element, written), elements[written]);
  if (written)
    context.state.set(meta(list, Meta::Last), Value::constant(Value::Int, written - 1));
  for (; written < elements.size(); ++written)
    addElement(context, list, elements[written]);
  return list;
}

void addElement(Context &context, ObjectId list, const Value &value) {
  // Older copies of one object count once: how many there are is not known any more.
  std::vector<std::pair<Place, Value>> members;
  context.state.forPart(list, Part::Element, [&](std::uint32_t index, const Value &element) {
    members.push_back({place(list, Part::Element, index), element});
  });
  auto standsForMany = [](const Value &v) {
    return (v.kind == Value::Object && isSummary(v.object)) || isSummary(v.pending) || isSummary(v.memory);
  };
  for (std::size_t n = 1; n < members.size(); ++n)
    if (standsForMany(members[n].second) && sameMeaning(members[n].second, members[n - 1].second)) {
      context.state.erase(members[n].first);
      context.state.setShape(list, ListShape::Unordered);
    }
  std::uint32_t count = 0;
  bool repeated = false;
  Value last = Value::constant(Value::Int, 0);
  context.state.forPart(list, Part::Element, [&](std::uint32_t index, const Value &element) {
    if (!isKey(index))
      count = std::max(count, index + 1);
    if (sameMeaning(element, value)) {
      repeated = true;
      last.number = index;
    }
  });
  if (!repeated)
    last.number = std::min(count, Limits::elements - 1);
  context.state.set(meta(list, Meta::Last), last);
  if (repeated || count >= Limits::elements || context.state.shapeOf(list) > ListShape::Exact) {
    context.state.setShape(list, ListShape::Unordered);
    if (repeated)
      return;
    if (count >= Limits::elements) {
      // Too many to tell apart: what they have in common is all that stays.
      Place end = place(list, Part::Element, Limits::elements - 1);
      Value joined;
      joinValues(end, context.state.get(end), value, joined, context.universe().symbols);
      context.state.set(end, joined);
      return;
    }
  }
  context.state.set(place(list, Part::Element, count), value);
}

/// It has more elements now, or fewer.
void forgetSize(State &state, ObjectId list) { state.forgetTestsOf(state.universe().symbols.sizeOf(list)); }

void clearList(State &state, ObjectId list) {
  state.eraseAll(list, Part::Element);
  state.erase(meta(list, Meta::Room));
  state.erase(meta(list, Meta::Taken));
  if (state.shapeOf(list))
    state.setShape(list, ListShape::Exact);
}

/// One element goes; where nobody knows which, the rest is a set.
static void dropElement(State &state, ObjectId list, Mode end) {
  forgetSize(state, list);
  std::vector<std::pair<std::uint32_t, Value>> members;
  state.forPart(list, Part::Element,
                [&](std::uint32_t index, const Value &element) { members.push_back({index, element}); });
  const std::optional<ListShape> shape = state.shapeOf(list);
  if (!shape || members.empty())
    return;
  const bool isExact = shape == ListShape::Exact && !state.find(meta(list, Meta::Room)) && !isKey(members.back().first);
  state.erase(meta(list, Meta::Last));
  if (!isExact || end == Mode::None) {
    if (shape == ListShape::Exact)
      state.setShape(list, ListShape::Unordered);
    state.set(meta(list, Meta::Taken), Value::of(Value::Null));
    return;
  }
  state.eraseAll(list, Part::Element);
  members.erase(end == Mode::Front ? members.begin() : members.end() - 1);
  for (std::size_t n = 0; n < members.size(); ++n)
    state.set(place(list, Part::Element, static_cast<std::uint32_t>(n)), members[n].second);
  if (!members.empty())
    state.set(meta(list, Meta::Last), Value::constant(Value::Int, static_cast<std::int64_t>(members.size()) - 1));
}

/// "It is empty": what stepCondition makes of the test of a size that nobody knows.
SymbolId emptiness(const State &state, ObjectId list) { return state.universe().symbols.emptiness(list); }

/// Whether it can be told of a position if it is at the end.
static bool isCounted(const State &state, ObjectId list) {
  const std::optional<ListShape> shape = state.shapeOf(list);
  return (shape && shape < ListShape::Open) || isContainer(state, list);
}

/// What a list keeps of what it is given: of a pointer, the place that it leads to.
static Value storedForm(Context &context, const Operand &operand) {
  Value given = value(context, operand);
  std::optional<Place> target =
      operand.mayWrite && given.kind != Value::Object ? placeOf(context, operand) : std::nullopt;
  return target ? referenceTo(*target) : given;
}

std::vector<Value> elements(const State &state, const Value &list) {
  std::vector<Value> found;
  if (list.kind == Value::Object)
    state.forPart(list.object, Part::Element,
                  [&](std::uint32_t, const Value &element) { found.push_back(follow(state, element)); });
  return found;
}

/// Whoever asks how large a tensor is that has no elements wants to know whether it was replaced by now: from here on
/// it is whatever it was replaced by.
static void seePlaceholder(Context &context, const Operand &operand, Value tensor) {
  std::optional<Place> target = tensor.has(Value::kEmpty) && !tensor.object ? placeOf(context, operand) : std::nullopt;
  if (!target)
    return;
  tensor.device = {};
  tensor.set(Value::kEmpty, false);
  context.state.set(*target, tensor);
}

static void store(Context &context, const Instruction &add, ObjectId list, Value added) {
  const SourceId written = add.args[1].source;
  added.set(Value::kFresh, false);
  if (added.kind == Value::Tensor && !added.object)
    added.trail = event(context, Event::Stored, add, added.trail, added.device, written);
  noteStored(context, add, place(list, Part::Element, 0), added, written);
  addElement(context, list, added);
}

/// `v.insert(v.end(), more.begin(), more.end())`: pointers and handles lead to where they led before.
static void storeEach(Context &context, const Instruction &add, ObjectId list, const Value &more) {
  State &state = context.state;
  std::optional<ListShape> shape = ListShape::Open;
  std::vector<Value> added;
  if (more.kind == Value::Object) {
    shape = state.shapeOf(more.object);
    state.forPart(more.object, Part::Element, [&](std::uint32_t, const Value &element) { added.push_back(element); });
  }
  for (const Value &element : added)
    store(context, add, list, element);
  if (shape && shape > state.shapeOf(list))
    state.setShape(list, *shape);
  if (more.kind == Value::Object && state.find(meta(more.object, Meta::Room))) // who knows how many
    state.set(meta(list, Meta::Room), Value::constant(Value::Int, 0));
}

/// Of the first lookup in a map, where it is said what is looked up: `const Key key{n, width};` before
/// `table.find(key)`, else that.
static void noteLookup(Context &context, ObjectId map, const Instruction &lookup) {
  if (context.evidence.lookupIn(map))
    return;
  const Instruction *made = lookup.args.size() > 1 ? makingOf(*context.frame.code, lookup.args[1].slot) : nullptr;
  context.evidence.noteLookup(map, made && made->source ? made->source : lookup.source);
}

void stepList(Context &context, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(context, i.args[n]) : Value{}; };
  switch (i.opcode) {
  case Opcode::List: {
    std::vector<Value> members;
    members.reserve(i.args.size());
    for (const Operand &operand : i.args)
      members.push_back(storedForm(context, operand));
    ObjectId list = makeList(context, i, members);
    if (isPlain(context.frame.code->slots[i.dest]))
      context.state.setShape(list, ListShape::Open);
    for (std::size_t n = 0; n < members.size(); ++n)
      noteStored(context, i, place(list, Part::Element, 0), members[n], i.args[n].source);
    define(context, i.dest, objectValue(list));
    return;
  }
  case Opcode::ListAdd: {
    Value list = arg(0);
    if (list.kind != Value::Object)
      return;
    if (isOptimizer(context.state, list)) // one of its groups
      return addToOptimizer(context, i);
    forgetSize(context.state, list.object);
    if (i.mode == Mode::Others) {
      if (const std::optional<ListShape> shape = context.state.shapeOf(list.object);
          shape && elements(context.state, list).empty())
        context.state.setShape(list.object, ListShape::Open);
      else if (shape == ListShape::Exact)
        context.state.setShape(list.object, ListShape::Unordered);
      return;
    }
    if (i.args.size() < 2) {
      context.state.set(meta(list.object, Meta::Room), Value::constant(Value::Int, i.number));
      return;
    }
    if (i.mode == Mode::Each)
      storeEach(context, i, list.object, arg(1));
    else
      store(context, i, list.object, storedForm(context, i.args[1]));
    return;
  }
  case Opcode::ListDrop:
    if (Value list = arg(0); list.kind == Value::Object)
      dropElement(context.state, list.object, i.mode);
    return;
  case Opcode::ListClear:
    if (Value list = arg(0); list.kind == Value::Object) {
      forgetSize(context.state, list.object);
      clearList(context.state, list.object);
    }
    return;
  case Opcode::Size: {
    Value list = arg(0), size;
    size.kind = Value::Int;
    if (list.kind != Value::Object) {
      if (list.kind == Value::Tensor)
        seePlaceholder(context, i.args[0], list);
      size = someInt(context, i.source);
      size.set(Value::kOfSize);
      define(context, i.dest, size);
      return;
    }
    const bool isExact = context.state.shapeOf(list.object) == ListShape::Exact;
    const bool isModules =
        isContainer(context.state, list.object) && !context.state.find(meta(list.object, Meta::Symbolic));
    if (isModules && knowsChildren(context.state, list.object)) {
      size.set(Value::kConstant);
      size.number = static_cast<std::int64_t>(childrenAt(context.state, list.object, {}).size());
    } else if (isExact && !context.state.find(meta(list.object, Meta::Room))) {
      size.set(Value::kConstant);
      size.number = static_cast<std::int64_t>(elements(context.state, list).size());
    } else if (list.kind == Value::Object) {
      size.symbol = context.universe().symbols.sizeOf(list.object);
      size.object = list.object;
      size.index = static_cast<std::uint32_t>(elements(context.state, list).size());
    }
    define(context, i.dest, size);
    return;
  }
  case Opcode::Iterate: {
    Value list = arg(0),
          at = someInt(context, i.source); // in a list that nobody knows: one number, here and in the next
    if (list.kind == Value::Tensor && i.dest != facts::kNone &&
        context.frame.code->slots[i.dest].type == facts::Type::List) {
      at = list; // several results of an operator: one stands for all
    } else if (list.kind == Value::Object && i.mode == Mode::Key) {
      const bool saysDevice = maySayDevice(context.state, i, arg(1));
      at = i.flags & facts::kUntold ? Value{} : lookUp(context.state, list, arg(1), saysDevice);
      if (saysDevice)
        context.evidence.byDevice.note(list.object);
      noteLookup(context, list.object, i);
    } else if (list.kind == Value::Object) {
      const SymbolId which = at.symbol;
      const bool isUnseen = isContainer(context.state, list.object) && !knowsChildren(context.state, list.object);
      at = list;
      at.set(Value::kConstant); // an object with a position is an iterator
      at.index = isUnseen || i.mode == Mode::Somewhere ? Value::kSomewhere : 0;
      if (i.mode == Mode::Somewhere) // one of them, the same whenever it is looked at
        at.symbol = which;
    }
    define(context, i.dest, at);
    return;
  }
  case Opcode::Advance: {
    Value at = arg(0);
    if (at.kind == Value::Int && at.symbol)
      context.state.forget(at.symbol);
    if (at.kind == Value::Int && at.has(Value::kConstant)) {
      ++at.number;
      at.set(Value::kCounted);
    }
    const bool isPosition = at.kind == Value::Object && at.has(Value::kConstant);
    // Where nobody knows whether there is another, it is the first, the second, or any that comes after.
    if (isPosition && at.index == 1 && !isCounted(context.state, at.object)) {
      at.index = Value::kSomewhere;
      at.symbol = context.universe().symbols.intern("position in " + std::to_string(at.object), Symbol::Plain);
    }
    if (isPosition && at.index == Value::kSomewhere)
      context.state.forget(at.symbol);
    else if (isPosition && at.index < Limits::elements)
      ++at.index;
    if (!i.args.empty())
      write(context, i.args[0], at);
    return;
  }
  case Opcode::HasNext: {
    Value at = arg(0), more;
    more.kind = Value::Bool;
    if (at.kind == Value::Object && at.has(Value::kConstant) && at.index != Value::kSomewhere) {
      const std::optional<ListShape> shape = context.state.shapeOf(at.object);
      const Value room = context.state.get(meta(at.object, Meta::Room));
      const std::size_t known = elements(context.state, at).size();
      const bool isThere = at.index < known;
      // Nobody knows how many: one or two stand for all of them.
      const std::int64_t most = room.kind != Value::Int ? 0 : room.number ? std::min<std::int64_t>(room.number, 3) : 2;
      const bool isOneOfMany = shape == ListShape::Unordered && known == 1 && room.kind != Value::Int;
      const bool isOpen = !isThere && at.index == 1 && (isOneOfMany || (room.kind == Value::Int && !room.number));
      if (shape && shape < ListShape::Open && !isOpen) {
        more.set(Value::kConstant);
        more.number = isThere || at.index < most;
      } else if (isContainer(context.state, at.object)) {
        more.set(Value::kConstant);
        more.number = at.index < childrenAt(context.state, at.object, {}).size();
      } else if (at.index == 0) { // who has found something in it before will do so again
        more.symbol = emptiness(context.state, at.object);
        more.set(Value::kNegated);
      }
    }
    define(context, i.dest, more);
    return;
  }
  default:
    return;
  }
}

/// Whether an asynchronous copy may still be writing or reading what is in there.
static bool isUnderWay(const State &state, const Value &value) {
  std::vector<Value> parts;
  flatten(state, value, parts);
  return std::any_of(parts.begin(), parts.end(), [&](const Value &part) { return state.isPending(part.pending); });
}

/// What a map makes of a structure that is missing: nothing is in its members yet.
static Value emptyRecord(Context &context, const Instruction &i, facts::ClassId cls) {
  const ObjectId record = makeObject(context, i);
  context.state.set(meta(record, Meta::Class), Value::constant(Value::Int, cls));
  for (const facts::FieldInfo &member : context.program().classes[cls].fields)
    if (member.slot.type == facts::Type::Tensor)
      context.state.set(field(record, context.universe().names.id(member.slot.name)), Value::of(Value::Null));
  return objectValue(record);
}

/// An array that has one place for each kind of device, as far as anybody has put something there.
static bool isByDevice(const State &state, ObjectId list) {
  bool areAll = state.shapeOf(list).has_value();
  state.forPart(list, Part::Element, [&](std::uint32_t key, const Value &) { areAll &= isDeviceKey(key); });
  return areAll;
}

/// By which name, or at which place, nobody knows: who has put one in since the container was moved, and has not moved
/// that one yet, means that one.
static void preferLatecomers(const State &state, std::vector<Value> &children) {
  std::vector<Value> late;
  std::copy_if(children.begin(), children.end(), std::back_inserter(late), [&](const Value &child) {
    return state.get(meta(child.object, Meta::Placed)).kind == Value::Reference;
  });
  if (!late.empty())
    children = std::move(late);
}

/// Whether a place that a function has found is written to in it.
static bool isAssigned(const Function &code, Slot place) {
  return place != facts::kNone && hasInstruction(code, [&](const Instruction &i) {
           return i.opcode == Opcode::Assign && !i.args.empty() && i.args[0].slot == place;
         });
}

/// Where `list[index]` may be: one outcome for each element that it could be and that differs from the others.
Outcomes element(Context &context, const Instruction &i) {
  Value list = i.args.empty() ? Value{} : value(context, i.args[0]);
  Value index = i.args.size() > 1 ? value(context, i.args[1]) : Value{};
  Outcomes outcomes;
  const facts::SlotInfo *slot = i.dest == facts::kNone ? nullptr : &context.frame.code->slots[i.dest];
  auto unknown = [&] {
    Value made;
    if (slot && slot->type == facts::Type::Tensor)
      made.kind = Value::Tensor;
    else if (slot && slot->type == facts::Type::Int)
      made = someInt(context, i.source);
    return made;
  };
  auto only = [&](const Value &found) {
    outcomes.push_back({context.state, found});
    return outcomes;
  };
  if (list.kind == Value::Tensor) // an accessor's or a result list's element
    return only(list);
  if (list.kind != Value::Object)
    return only(unknown());
  const bool isPutIn = i.mode == Mode::Put, isKeyed = facts::isByKey(i.mode);
  const bool isOfDevice = index.kind == Value::Device || index.has(Value::kOfDevice);
  if ((isOfDevice && !saysCurrent(context.state, index)) || (isKeyed && maySayDevice(context.state, i, index)))
    context.evidence.byDevice.note(list.object);
  // Under a key that facts leave out, or that may be any device's, nobody knows whether it is the one from before.
  const Value part = isKeyed ? deviceIn(context.state, index) : index;
  const bool isAnybodys =
      (i.flags & facts::kUntold) || (part.has(Value::kOfDevice) && part.device.kind == DeviceValue::Unknown);
  if (isAnybodys && !elements(context.state, list).empty())
    return only(unknown());
  const DeviceValue whose = list.device.kind == DeviceValue::Unknown ? index.device : list.device;
  const bool isOpen = list.device.kind != DeviceValue::Unknown || whose.kind == DeviceValue::Symbol;
  if (isOpen && holdsFunctions(context.state, list.object))
    return functionsFor(context, list.object, whose);
  if (isContainer(context.state, list.object)) {
    std::vector<Value> children = childrenAt(context.state, list.object, list.has(Value::kConstant) ? list : index);
    if (!list.has(Value::kConstant))
      preferLatecomers(context.state, children);
    for (const Value &child : children)
      outcomes.push_back({context.state, child});
    return outcomes.empty() ? only(unknown()) : outcomes;
  }
  const std::optional<ListShape> shape = context.state.shapeOf(list.object);
  const bool isInexact = shape > ListShape::Exact;
  if (index.kind == Value::Bool && index.has(Value::kConstant))
    index.kind = Value::Int;
  if (list.has(Value::kConstant))
    index = list; // *iterator
  std::optional<std::uint32_t> wanted;
  const bool isNumbered = index.kind == Value::Int && index.has(Value::kConstant);
  const bool isFirst = i.mode == Mode::Front || (isNumbered && index.number == 0);
  const bool isTaken = context.state.find(meta(list.object, Meta::Taken)) != nullptr;
  bool another = index.kind == Value::Object && index.object != list.object; // the place in another list
  bool somewhere = index.kind == Value::Object && index.has(Value::kConstant) && index.index == Value::kSomewhere;
  if (isKeyed || (isOfDevice && isByDevice(context.state, list.object))) {
    wanted = keyed(deviceIn(context.state, index)).value_or(unknownKey());
    noteLookup(context, list.object, i);
    if (isSymbolKey(*wanted))
      context.evidence.unreadKeys.note(*wanted);
  } else if (index.kind == Value::Object && index.has(Value::kConstant) && !somewhere && !(another && isInexact)) {
    std::uint32_t position = 0;
    context.state.forPart(list.object, Part::Element, [&](std::uint32_t at, const Value &) {
      if (position++ == index.index)
        wanted = at;
    });
    const bool isBehindTheLast = !wanted && !another && shape == ListShape::Exact && position <= index.index;
    if (isBehindTheLast && !context.state.find(meta(list.object, Meta::Room)))
      return only(unknown()); // nobody gets here
  } else if (index.has(Value::kConstant) && index.kind == Value::Int && !isInexact)
    wanted = static_cast<std::uint32_t>(index.number);
  else if (isFirst && shape < ListShape::Open && !isTaken) // whatever was added since went behind it
    wanted = 0;
  else if (i.mode == Mode::Back && context.state.find(meta(list.object, Meta::Last)))
    wanted = static_cast<std::uint32_t>(context.state.get(meta(list.object, Meta::Last)).number);
  context.state.forget(emptiness(context.state, list.object)); // a map makes what is missing; then it is there
  context.state.assume(emptiness(context.state, list.object), false);
  const bool hasRoom = context.state.find(meta(list.object, Meta::Room)) != nullptr;
  if (hasRoom && !(wanted && context.state.find(place(list.object, Part::Element, *wanted)))) {
    const bool isAt = index.kind == Value::Object && index.has(Value::kConstant);
    wanted = somewhere ? std::nullopt : keyed(isAt ? Value::constant(Value::Int, index.index) : index);
  }
  std::vector<std::pair<Place, Value>> members;
  context.state.forPart(list.object, Part::Element, [&](std::uint32_t at, const Value &member) {
    members.push_back({place(list.object, Part::Element, at), member});
  });
  if (wanted) {
    Place exact = place(list.object, Part::Element, *wanted);
    if (context.state.find(exact))
      return only(referenceTo(exact));
    if (isDeviceKey(*wanted) && !members.empty()) { // what is kept for one device says nothing of another's
      context.state.set(exact, unknown());
      context.state.setShape(list.object, ListShape::Unordered);
      return only(referenceTo(exact));
    }
    bool mayBeAnother = !index.has(Value::kConstant); // whose key is equal, for all we know
    // What a module has lists its parameters by names that are not known here: one of them it is.
    const bool isOfModule = context.state.find(meta(list.object, Meta::Listed)) != nullptr;
    bool exactMap = shape && !isOfModule && (isPutIn || (mayBeAnother ? members.empty() : shape == ListShape::Exact));
    if (isKey(*wanted) && exactMap) {
      // operator[] of a map makes what is missing; where there is room, it was there all along.
      if (mayBeAnother)
        context.state.setShape(list.object, ListShape::Unordered);
      Value null;
      null.kind = slot && (slot->type == facts::Type::Tensor || slot->type == facts::Type::Module) ? Value::Null
                                                                                                   : Value::Unknown;
      // Under a key that nobody knows there may be several lists, each with its own: groups of one device, say.
      if (slot && slot->type == facts::Type::List && !mayBeAnother)
        null = objectValue(makeList(context, i, {}, 1 + digestOf(*wanted)));
      const bool isPlainRecord = slot && slot->type == facts::Type::Record &&
                                 slot->cls < context.program().classes.size() &&
                                 context.program().classes[slot->cls].constructors.empty();
      if (isPlainRecord && *wanted == unknownKey())
        null = emptyRecord(context, i, slot->cls);
      context.state.set(exact, null);
      Value entry = referenceTo(exact);
      entry.set(Value::kAlike, mayBeAnother && !members.empty());
      return only(entry);
    }
  }
  if (hasRoom && wanted && slot && slot->type == facts::Type::List)
    return only(unknown());
  Value symbolicMark = context.state.get(meta(list.object, Meta::Symbolic));
  if (members.empty() && symbolicMark.kind == Value::Int && slot) {
    Place any = place(list.object, Part::Element, 0);
    const Value made = symbolic(context.state, *slot,
                                context.universe().names.text(static_cast<std::uint32_t>(symbolicMark.number)) + "[]",
                                slot->name, symbolicMark.symbol != 0);
    context.state.set(any, made);
    if (made.kind == Value::Object && context.program().classesMade.count(slot->cls))
      markMadeElsewhere(context.state, made.object);
    return only(referenceTo(any));
  }
  // One of them is another tensor from here on, and nobody knows which.
  auto isTensor = [](const auto &member) { return member.second.kind == Value::Tensor && !member.second.object; };
  if (isKeyed && !index.has(Value::kConstant) && members.size() > 1 && isAssigned(*context.frame.code, i.dest) &&
      std::all_of(members.begin(), members.end(), isTensor)) {
    for (auto &[at, member] : members) {
      member.device = {};
      context.state.set(at, member);
    }
    return only(unknown());
  }
  bool alike = std::all_of(members.begin(), members.end(),
                           [&](const auto &member) { return sameMeaning(member.second, members[0].second); });
  const bool isOneOfThoseLeft = isTaken && !alike && (isFirst || isNumbered || i.mode == Mode::Back);
  const bool isOfATurn = isNumbered && index.has(Value::kCounted); // and so it is in the next list
  if (members.empty() || shape >= ListShape::Open || isOneOfThoseLeft || (isOfATurn && !alike) ||
      (another && !alike && (!somewhere || isInexact)))
    return only(unknown());
  // One index finds one element, here and in the next list: once it was taken to be the third, it is. Where the
  // elements have no order, that holds for this list alone.
  const ObjectId unordered = isInexact && !somewhere ? list.object : 0;
  bool indexed = ((index.kind == Value::Int || index.kind == Value::String) && index.symbol) || somewhere;
  Value chosen = indexed ? context.state.get(field(0, index.symbol)) : Value{};
  if (chosen.kind == Value::Int && chosen.object != unordered && !alike)
    return only(unknown());
  if (chosen.kind == Value::Int && chosen.object == unordered)
    for (auto &[at, member] : members)
      if (indexOf(at) == chosen.number)
        return only(referenceTo(at));
  // Of several buffers, the one that is asked for is the one that is ready; whoever computes which, knows.
  bool mayBeReady = (index.kind == Value::Int && index.symbol) ||
                    std::any_of(members.begin(), members.end(),
                                [&](const auto &member) { return !isUnderWay(context.state, member.second); });
  std::vector<Value> seen;
  for (auto &[at, member] : members) {
    if (mayBeReady && isUnderWay(context.state, member))
      continue;
    bool repeated = !indexed && std::any_of(seen.begin(), seen.end(),
                                            [&](const Value &other) { return sameMeaning(other, member); });
    if (repeated || seen.size() >= 4)
      continue;
    seen.push_back(member);
    outcomes.push_back({context.state, referenceTo(at)});
    if (indexed && members.size() > 1) {
      Value number = Value::constant(Value::Int, indexOf(at));
      number.object = unordered;
      outcomes.back().first.set(field(0, index.symbol), number);
    }
  }
  return outcomes.empty() ? only(unknown()) : outcomes;
}

} // namespace samedevice::analysis
