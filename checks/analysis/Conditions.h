// Conditions: what a test of devices, numbers or texts says, and what a branch on it proves.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

void stepCondition(Context &context, const Instruction &instruction);
/// On this path, the condition holds, or does not.
void assume(State &state, const Value &condition, bool truth);
/// Whether it is certain on this path.
bool holds(State state, const Value &condition);
/// Where a tensor is on the CPU because nobody said anything else: its making.
const Event *madeByDefault(const Value &device);

} // namespace samedevice::analysis
