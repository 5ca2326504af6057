// The text that a place is in.
#pragma once

#include "Finding.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace samedevice::check {

class SourceLines {
public:
  /// Without its end.
  llvm::StringRef at(const Place &place);
  llvm::StringRef textOf(llvm::StringRef file);

private:
  llvm::StringMap<std::string> texts_;
};

} // namespace samedevice::check
