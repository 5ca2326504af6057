// What a setup.py says of its extensions, as far as it says it with plain strings.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace samedevice::check {

struct SetupPy {
  std::vector<std::string> includeDirectories; ///< as written: whatever is a folder may be meant
  std::vector<std::string> flags;              ///< -DNAME=VALUE, -std=...
  std::vector<std::string> extensions;         ///< their names
};

SetupPy readSetupPy(llvm::StringRef text);

} // namespace samedevice::check
