// Tensors: made, moved, and brought together by operators.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

void stepTensor(Context &context, const Instruction &instruction);
/// Whether a device was written down in the function that is running, not handed to it.
bool writtenHere(Context &context, const Value &device);
Value operate(Context &context, const Instruction &instruction);
/// True when the participants may be together; otherwise reports.
bool requireSame(Context &context, const std::vector<Participant> &participants, const Instruction &instruction,
                 const std::string &what);
Participant participant(Context &context, const Value &value, SourceId source);
int dimsOf(const Instruction &instruction);
int dimsOf(const Instruction &instruction, const std::vector<Participant> &operands);
/// Whether all results of the operator have the same dimensions.
bool areAlike(const std::string &op);
bool isScalar(const Instruction &instruction, const std::vector<Participant> &operands);
void startCopy(Context &context, const Instruction &instruction, Value &value, DeviceValue device, SourceId subject,
               bool isUpload);

} // namespace samedevice::analysis
