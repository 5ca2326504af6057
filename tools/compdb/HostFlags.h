// Flags of gcc's command line, held against the options clang's driver knows.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace samedevice::compdb {

/// Leaves out what clang's driver would refuse (`onRejected` is told), and what an analysis has no use for:
/// dependency files, assembler and linker flags, and what turns warnings into errors, because clang's warnings
/// are not those the build was tuned for.
std::vector<std::string> keepClangFlags(llvm::ArrayRef<std::string> flags,
                                        llvm::function_ref<void(llvm::StringRef flag)> onRejected);

} // namespace samedevice::compdb
