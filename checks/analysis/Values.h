// Slots, places and objects: what an instruction reads and writes.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

/// What a slot stands for: references are followed.
Value value(Context &context, Slot slot);
/// What a slot is bound to: the reference itself, where it is one.
Value raw(Context &context, Slot slot);
inline Value value(Context &context, const Operand &operand) {
  return operand.slot == facts::kNone ? Value{} : value(context, operand.slot);
}

Value follow(const State &state, Value value);
void define(Context &context, Slot slot, const Value &value);
void write(Context &context, const Operand &target, const Value &value);
std::optional<Place> placeOf(Context &context, const Operand &operand);
ObjectId objectAt(Context &context, const Instruction &instruction, std::uint32_t nth = 0);
ObjectId makeObject(Context &context, const Instruction &instruction, std::uint32_t nth = 0);
ObjectId nameAnew(Context &context, const Instruction &instruction, std::uint32_t nth = 0);
Value objectValue(ObjectId object, const Event *trail = nullptr);
facts::ClassId classOf(const State &state, ObjectId object);
std::string torchClassOf(const State &state, ObjectId object);
bool isModule(const State &state, ObjectId object);
/// A registered tensor, as against a module.
inline bool isTensorCell(const State &state, ObjectId object) {
  return state.find(meta(object, Meta::Device)) && !isModule(state, object);
}
const Event *event(Context &context, Event::Kind kind, const Instruction &instruction, const Event *previous,
                   DeviceValue device = {}, SourceId subject = 0, SourceId target = 0);
void flatten(const State &state, const Value &value, std::vector<Value> &out, int depth = 0);

} // namespace samedevice::analysis
