// Devices and conditions: where something is, how two devices compare, and what a branch on them proves.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

void stepDevice(Context &context, const Instruction &instruction);
void stepCondition(Context &context, const Instruction &instruction);
void assume(State &state, const Value &condition, bool truth);
const Event *madeByDefault(const Value &device);
bool holds(State state, const Value &condition);
DeviceValue deviceOf(const State &state, const Value &value);
DeviceValue optionsDevice(Context &context, const Value &options);
Relation relate(const State &state, DeviceValue a, DeviceValue b);
Value tensorOn(DeviceValue device, const Event *trail, std::uint32_t flags = 0, int dims = 0);
Where describe(const State &state, DeviceValue device);
/// The device that was current before anybody chose one.
inline SymbolId currentAtFirst(const State &state) {
  return state.universe().symbols.intern("current device", Symbol::Plain);
}

/// What `torch::cuda::device_count()` gives, whoever asks.
inline SymbolId numberOfGpus(const State &state) {
  return state.universe().symbols.intern("global torch::cuda::device_count()", Symbol::Plain);
}

} // namespace samedevice::analysis
