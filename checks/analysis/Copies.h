// Copies of structures and containers, which have values.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

Value clone(Context &context, const Value &original, const facts::SlotInfo &type, const Instruction &instruction);
void assignContents(Context &context, const Instruction &instruction, const Value &assigned);

} // namespace samedevice::analysis
