// The page that --html writes: page/, put together by CMake.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace samedevice::check {

/// With "@data@" where what it shows goes.
llvm::StringRef htmlPage();

} // namespace samedevice::check
