// What was found in sources that are still what they were.
#pragma once

#include "Analysis.h"

namespace samedevice::check {

class Results {
public:
  Results(const Cache &cache, Disk &disk, PrecompiledHeaders &headers)
      : cache_(cache), disk_(disk), headers_(headers) {}

  /// By all that decides what an analysis reads and does.
  static std::string keyOf(const Source &source, const clang::tidy::ClangTidyOptions &options);

  std::optional<Outcome> find(const std::string &key, const Source &source);
  void keep(const std::string &key, const Source &source, const Analysis &analysis);

private:
  const std::string &surroundingsOf(const Source &source);

  const Cache &cache_;
  Disk &disk_;
  PrecompiledHeaders &headers_;
  llvm::StringMap<std::string> surroundings_; ///< by folder
};

} // namespace samedevice::check
