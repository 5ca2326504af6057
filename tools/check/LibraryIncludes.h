// Which libraries a source includes, itself or through headers of its own.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>

namespace samedevice::check {

/// #include lines for those libraries whose headers take seconds, with the macros that were defined before; the same
/// for all sources that include the same of them. Empty where a source includes none. `invocation` knows where headers
/// are.
std::string libraryIncludes(llvm::StringRef file, const clang::CompilerInvocation &invocation,
                            llvm::vfs::FileSystem &files);

} // namespace samedevice::check
