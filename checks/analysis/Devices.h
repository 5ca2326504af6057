// Devices: where something is, and how two of them compare.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

void stepDevice(Context &context, const Instruction &instruction);
DeviceValue deviceOf(const State &state, const Value &value);
DeviceValue optionsDevice(Context &context, const Value &options);
Relation relate(const State &state, DeviceValue a, DeviceValue b);
Value tensorOn(DeviceValue device, const Event *trail, std::uint32_t flags = 0, int dims = 0);
/// Not known here: where a tensor of the caller's is.
inline bool isCallers(const Universe &universe, DeviceValue device) {
  return device.kind == DeviceValue::Symbol && universe.symbols[device.symbol].kind == Symbol::FromCaller;
}
/// Something goes from one of these to the other: they may differ.
void noteApart(Context &context, DeviceValue from, DeviceValue to);
/// What the callers of a class's methods bring under the name that this one has: one thing, as far as the class knows.
SymbolId inputsOf(Universe &universe, facts::ClassId cls, SymbolId caller);
/// The class that has a tensor among its object's members, as long as one of its methods runs; else none.
facts::ClassId keeperOf(const Context &context, const Value &tensor);
/// Who brings a table of his own to a caller's tensor does not take that to be on the CPU, nor what others of its class
/// are given.
void noteBroughtToCaller(Context &context, const Value &tensor, SymbolId caller);
Where describe(const State &state, DeviceValue device);
/// What stands for the GPU that a number, or a device, picks; 0: nothing does.
SymbolId pickedBy(Context &context, const Value &given);
/// The device that was current before anybody chose one.
inline SymbolId currentAtFirst(const State &state) {
  return state.universe().symbols.intern("current device", Symbol::Plain);
}
/// The GPU that is current for want of a guard, as a key: it says nothing of the tensors that are given.
inline bool saysCurrent(const State &state, const Value &key) {
  return (key.kind == Value::Device || key.has(Value::kOfDevice)) && key.device.kind == DeviceValue::Cuda &&
         key.device.symbol == currentAtFirst(state);
}

/// What `torch::cuda::device_count()` gives, whoever asks.
inline SymbolId numberOfGpus(const State &state) {
  return state.universe().symbols.intern(std::string("global ").append(facts::kNumberOfGpus), Symbol::Plain);
}

} // namespace samedevice::analysis
