// What a call may run, and what it gives where nobody can see into it.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

struct Candidate {
  FunctionId function;
  facts::ClassId cls; ///< the class that the object is then taken to be of; kNone: nothing is learnt
};

bool mayBe(const State &state, ObjectId object, facts::ClassId cls);
Value unknownResult(Context &context, const Instruction &instruction);

} // namespace samedevice::analysis
