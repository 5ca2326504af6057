// Raw memory: pointers, the host's reads, and copies that may still be under way.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

void stepMemory(Context &context, const Instruction &instruction);
bool needOnHost(Context &context, const Instruction &i, const Operand &operand, const Value &what);
/// What is where a caller's tensor is was brought to the host, by somebody who says so: then it need not be there.
void noteBroughtToHost(Context &context, SymbolId device, const Event *move);
Value pointerValue(Context &context, const Instruction &instruction, const Operand &operand);
void checkDangling(Context &context, const Instruction &instruction, Value &value);
/// The host looks at a tensor's contents: an asynchronous copy must have ended.
void consume(Context &context, const Instruction &instruction, const Value &value, SourceId source);

} // namespace samedevice::analysis
