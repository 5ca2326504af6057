// Constants, records and their fields, globals: what is put where, as it is.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

void stepRecord(Context &context, const Instruction &instruction);

} // namespace samedevice::analysis
