// Files that are written: all of one or nothing of it.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace samedevice::check {

/// `print` writes beside `file`, which it becomes when all went well: who reads it meanwhile reads the old one, and on
/// a full disk that stays. "-" is standard output.
llvm::Error writeWhole(llvm::StringRef file, llvm::function_ref<void(llvm::raw_ostream &)> print);

} // namespace samedevice::check
