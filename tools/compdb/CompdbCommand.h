// `samedevice compdb`: a compilation database that stock clang-tidy and clangd can read.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace samedevice::compdb {

/// Translates compile_commands.json of `directory` (empty: looked for upwards from the current one) into
/// `outputFile` (empty or "-": standard output). Returns the exit status.
int runCompdb(llvm::StringRef directory, llvm::StringRef outputFile, llvm::StringRef executable);

} // namespace samedevice::compdb
