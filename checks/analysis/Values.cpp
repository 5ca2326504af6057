// Slots, places and objects.
#include "Values.h"

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

const Event *event(Context &context, Event::Kind kind, const Instruction &instruction, const Event *previous,
                   DeviceValue device, SourceId subject, SourceId target) {
  if (Events::length(previous) >= Limits::story)
    previous = nullptr;
  return context.universe().events.intern(
      {kind, instruction.source, subject, target, device, previous, context.frame.function, 0});
}

} // namespace samedevice::analysis
