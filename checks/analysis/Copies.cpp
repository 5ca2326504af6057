// Structures and containers have values: what copies one copies what it owns as well, and shares the rest.
#include "Copies.h"
#include "Unseen.h"
#include "Values.h"

#include <map>

namespace samedevice::analysis {

struct Copying; ///< an object, and what is to hold the same
static void forgetContents(State &state, ObjectId object);
/// An object, and the one that is to hold the same (0: a new one).
struct Copying {
  ObjectId from, to;
  const facts::SlotInfo *type; ///< nullptr: an element's, whose class says enough
  Place held = 0;              ///< where it is in the object that owns it
};

/// The objects that one owns, directly.
static std::vector<Copying> piecesOf(Context &context, const Copying &whole, const Instruction &i) {
  std::vector<Copying> pieces;
  const facts::ClassId cls = classOf(context.state, whole.from);
  // Members that nobody asked for yet have to be two from now on.
  if (context.state.find(meta(whole.from, Meta::Symbolic)) && cls < context.program().classes.size())
    for (const facts::FieldInfo &member : context.program().classes[cls].fields)
      if (member.slot.own)
        fieldPlace(context, objectValue(whole.from), member.slot.name, member.slot, i);
  auto add = [&](Part part, std::uint32_t index, const Value &value, const facts::SlotInfo *type) {
    if (value.kind != Value::Object || !value.object || isModule(context.state, value.object))
      return;
    const Value there = whole.to ? context.state.get(place(whole.to, part, index)) : Value{};
    const bool isApart = there.kind == Value::Object && there.object != value.object && part == Part::Field;
    pieces.push_back({value.object, isApart ? there.object : 0, type, place(0, part, index)});
  };
  context.state.forPart(whole.from, Part::Field, [&](std::uint32_t name, const Value &value) {
    const facts::SlotInfo *member =
        value.kind == Value::Object ? context.program().memberOf(cls, context.universe().names.text(name)) : nullptr;
    if (member ? member->own : cls == facts::kNone && whole.type && whole.type->ownElements)
      add(Part::Field, name, value, member);
  });
  if (whole.type && whole.type->ownElements)
    context.state.forPart(whole.from, Part::Element,
                          [&](std::uint32_t index, const Value &value) { add(Part::Element, index, value, nullptr); });
  return pieces;
}

static void copyContents(Context &context, const Copying &whole, const Instruction &i) {
  std::vector<Copying> all{whole};
  std::vector<std::size_t> owners{0};
  for (std::size_t n = 0; n < all.size() && all.size() < Limits::copiedPieces; ++n)
    for (const Copying &piece : piecesOf(context, all[n], i)) {
      all.push_back(piece);
      owners.push_back(n);
    }
  // All names first: to make one again renames the one before, which may be what is copied.
  for (std::uint32_t n = 0; n < all.size(); ++n) {
    if (all[n].to)
      continue;
    all[n].to = makeObject(context, i, n);
    for (std::size_t other = 0; other < all.size(); ++other) {
      if (all[other].from == all[n].to)
        all[other].from = summaryOf(all[n].to);
      if (other != n && all[other].to == all[n].to)
        all[other].to = summaryOf(all[n].to);
    }
  }
  std::map<Place, Value> contents;
  for (std::size_t n = 0; n < all.size(); ++n) {
    for (Part part : {Part::Field, Part::Child, Part::Tensor, Part::Element, Part::Meta})
      context.state.forPart(all[n].from, part, [&](std::uint32_t index, const Value &value) {
        contents[place(all[n].to, part, index)] = value;
      });
    if (n)
      contents[place(all[owners[n]].to, partOf(all[n].held), indexOf(all[n].held))].object = all[n].to;
  }
  for (const Copying &one : all) {
    if (const Value *own = context.state.find(meta(one.to, Meta::Class))) // what it is does not change
      contents[meta(one.to, Meta::Class)] = *own;
    context.state.eraseAll(one.to);
  }
  for (const auto &[target, value] : contents)
    context.state.set(target, value);
}

Value clone(Context &context, const Value &original, const facts::SlotInfo &type, const Instruction &i) {
  if (original.kind != Value::Object || !original.object)
    return original;
  Value copy = objectValue(objectAt(context, i), original.trail);
  copyContents(context, {original.object, 0, &type}, i);
  return copy;
}

/// A structure or a container is given what another holds: whoever has a reference to it sees that.
void assignContents(Context &context, const Instruction &i, const Value &assigned) {
  const Value to = value(context, i.args[0]);
  const facts::SlotInfo &type = context.frame.code->slots[i.args[0].slot];
  if (assigned.kind == Value::Null || (to.kind == Value::Object && isModule(context.state, to.object)))
    write(context, i.args[0], assigned);
  else if (to.kind != Value::Object)
    write(context, i.args[0], clone(context, assigned, type, i));
  else if (assigned.kind != Value::Object)
    forgetContents(context.state, to.object);
  else if (assigned.object != to.object)
    copyContents(context, {assigned.object, to.object, &type}, i);
}

/// It holds whatever its type allows.
static void forgetContents(State &state, ObjectId object) {
  std::map<Place, Value> contents;
  auto forget = [&](std::uint32_t name, bool isTensor) {
    contents[field(object, name)] = isTensor ? Value::of(Value::Tensor) : Value{};
  };
  state.forPart(object, Part::Field, [&](std::uint32_t name, const Value &was) {
    forget(name, was.kind == Value::Tensor || was.kind == Value::Null);
  });
  std::vector<facts::ClassId> classes{classOf(state, object)};
  for (std::size_t n = 0; n < classes.size(); ++n) {
    if (classes[n] >= state.program().classes.size())
      continue;
    const facts::Class &known = state.program().classes[classes[n]];
    classes.insert(classes.end(), known.bases.begin(), known.bases.end());
    for (const facts::FieldInfo &member : known.fields)
      forget(state.universe().names.id(member.slot.name), member.slot.type == facts::Type::Tensor);
  }
  if (state.find(shapeAt(object)))
    contents[shapeAt(object)] = Value::constant(Value::Int, static_cast<std::int64_t>(ListShape::Open));
  if (const Value *cls = state.find(meta(object, Meta::Class)))
    contents[meta(object, Meta::Class)] = *cls;
  state.eraseAll(object);
  for (const auto &[target, value] : contents)
    state.set(target, value);
}

} // namespace samedevice::analysis
