// A source and the command that compiles it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace samedevice::check {

struct Source {
  std::string file;                   ///< absolute
  std::string directory;              ///< where the command runs
  std::vector<std::string> arguments; ///< the compiler first
  std::vector<std::string> objects;   ///< what the build makes of it, by whole names; several where several link it
  std::vector<std::string> headers;   ///< asked for are these headers, and not the source that includes them
};

/// The whole name of a file, as the names in sources are; without a directory, from where this process is.
std::string absolute(llvm::StringRef file, llvm::StringRef directory);

} // namespace samedevice::check
