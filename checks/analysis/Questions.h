// What is asked of things that have no values here has one answer, until somebody writes to them.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

/// Opcode::Asked: the same wherever it is asked, as long as nobody writes to what it is about.
Value answerTo(Context &context, const Instruction &question);
/// Opcode::Reopen. A text that is written to in place is another one; what a list or a structure has is open.
void reopen(Context &context, const Instruction &written);

} // namespace samedevice::analysis
