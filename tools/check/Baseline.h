// Findings that are known and left alone for now.
#pragma once

#include "Finding.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace samedevice::check {

llvm::Error writeBaseline(llvm::ArrayRef<Finding> findings, llvm::StringRef file);

class Baseline {
public:
  static llvm::Expected<Baseline> read(llvm::StringRef file);

  /// Takes the known ones away.
  void removeFrom(std::vector<Finding> &findings);
  size_t known() const { return known_; }
  /// Entries that were not met, in files that were looked at: what they were about has been fixed.
  std::vector<std::string> stale(llvm::function_ref<bool(llvm::StringRef file)> wasAnalyzed) const;

private:
  struct Entry {
    std::string fingerprint, check, file;
    int64_t line = 0;
    bool isMet = false;
  };
  std::string root_;
  std::vector<Entry> entries_;
  size_t known_ = 0;
};

} // namespace samedevice::check
