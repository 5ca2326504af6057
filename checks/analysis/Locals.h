// The variables of a function, as its text has them: where they are made, and what for.
#pragma once

#include "Code.h"

namespace samedevice::analysis {

/// The one instruction that gives a slot its first value; null where several do, or one gives it another. `mayChange`:
/// that is not looked for.
const Instruction *onlyMaker(const Function &code, Slot slot, bool mayChange = false);
/// The instruction that comes to the element of a list which the slot stands for, or is bound to; else null.
const Instruction *elementBehind(const Function &code, Slot slot);
/// Of a variable that is made in one place and stays as it is there, the instruction that makes it; else null.
const Instruction *makingOf(const Function &code, Slot variable);
/// Where the tensor is made that stands there as an operand, if that is in a variable of the function, which it makes
/// of something else for this one use: who wants it elsewhere makes it there. Else 0.
SourceId madeFor(const Function &code, const Instruction &use, SourceId operand);
SourceId madeFor(const Function &code, SourceId use, SourceId operand);
/// The variable of a loop over elements that an instruction's place is, or is a member of, if each turn makes it a copy
/// of one of them; else none.
Slot copyOfTurn(const Function &code, const Instruction &assign);

} // namespace samedevice::analysis
