// Who fills what is kept from call to call, and on what it depends whether that is done again.
#pragma once

#include "ProgramIndex.h"

namespace samedevice::analysis {

/// Whether what `maker` makes at `at` may be passed by, on the way through `function`, for a reason that the facts do
/// not show: a flag for each GPU, for one.
bool isSkippedUnseen(const ProgramIndex &program, facts::FunctionId function, facts::FunctionId maker,
                     facts::SourceId at);

/// A helper that says where something is to be.
inline bool handsOutDevices(const facts::Function &code) {
  return code.result.type == facts::Type::Device || code.result.type == facts::Type::Options;
}

} // namespace samedevice::analysis
