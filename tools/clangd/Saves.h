// What one file says of another is told when it is saved: the others that are open are then looked at again.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace samedevice::clangd {

void watchSaves();

/// Another one whenever a file should be looked at again for what others say; empty where no others are known of.
std::string stateOfOthers(llvm::StringRef file);

} // namespace samedevice::clangd
