// What is put into modules, members and lists.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

std::string nextName(State &state, ObjectId parent, const Value &child);
void registerChild(Context &context, const Instruction &instruction, ObjectId parent, const Value &child,
                   const std::string &name, SourceId source);
Value registerTensor(Context &context, const Instruction &instruction, ObjectId parent, const Value &tensor,
                     const std::string &name);
void registerWeight(Context &context, ObjectId module, const Value &tensor, const Operand &operand);
/// A value goes into a member or a list: remembered, and judged when the owner was moved before.
void noteStored(Context &context, const Instruction &instruction, Place target, const Value &value, SourceId source);

} // namespace samedevice::analysis
