// Which libraries a source includes, itself or through headers of its own.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>

namespace samedevice::check {

struct LibraryIncludes {
  std::string text;    ///< empty: none
  bool isSure = false; ///< what stands before them in the source makes no other text of them
};

/// #include lines for those libraries whose headers take seconds, with the macros that were defined before; the same
/// for all sources that include the same of them. `invocation` knows where headers are.
LibraryIncludes libraryIncludes(llvm::StringRef file, const clang::CompilerInvocation &invocation,
                                llvm::vfs::FileSystem &files);

} // namespace samedevice::check
