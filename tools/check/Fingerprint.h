// What a finding is known by when lines have moved.
#pragma once

#include "Finding.h"

#include "llvm/ADT/ArrayRef.h"

namespace samedevice::check {

/// One for each finding, in their order: by check, file, message and the text of the line, with a number where that is
/// not enough. `root`: what names of files are relative to.
std::vector<std::string> fingerprintsOf(llvm::ArrayRef<Finding> findings, llvm::StringRef root);

/// The folder that names are relative to where others read them: the checkout's, or the current one.
std::string rootOfNames();

/// `file` as it is seen from there.
std::string relativeTo(llvm::StringRef root, llvm::StringRef file);

} // namespace samedevice::check
