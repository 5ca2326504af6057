// What has changed in a checkout, as git tells it.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace samedevice::check {

class Changes {
public:
  /// What a branch has changed since it left `base`, what is not committed yet and files that git does not know
  /// included.
  static llvm::Expected<Changes> since(llvm::StringRef base);

  /// Of a file, by its whole name.
  bool has(llvm::StringRef file, int line) const;
  std::vector<std::string> files() const;

private:
  void parse(llvm::StringRef diff, llvm::StringRef root);

  llvm::StringMap<std::vector<std::pair<int, int>>> lines_; ///< from, to
};

} // namespace samedevice::check
