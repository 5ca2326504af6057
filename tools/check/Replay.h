// Findings, made to happen by samedevice-replay (docs/confirmation.md).
#pragma once

#include "Finding.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace samedevice::check {

/// Gives each finding its verdict. `executable`: our own, samedevice-replay is beside it; `backend`: as it knows them.
llvm::Error replay(std::vector<Finding> &findings, const std::string &executable, llvm::StringRef backend);

} // namespace samedevice::check
