// The fixes of many findings, put into the files.
#pragma once

#include "Finding.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace samedevice::check {

struct FixedFile {
  std::string before;
  std::string after;
};

struct Fixed {
  std::map<std::string, FixedFile> files;
  std::vector<bool> isFixed; ///< of each finding
  size_t refused = 0;        ///< fixes that would change what another one changes, too
};

/// `styleOf`: FormatStyle of a file's .clang-tidy.
Fixed fix(llvm::ArrayRef<Finding> findings, llvm::function_ref<std::string(const std::string &file)> styleOf);

/// All of a file or nothing of it.
llvm::Error writeFixed(const std::string &file, const FixedFile &fixed);

/// As a patch.
std::string diffOf(const std::string &file, const FixedFile &fixed);

} // namespace samedevice::check
