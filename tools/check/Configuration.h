// .clang-tidy, read as clang-tidy reads it.
#pragma once

#include "clang-tidy/ClangTidyOptions.h"

#include <memory>
#include <string>
#include <vector>

namespace samedevice::check {

class Configuration {
public:
  /// `checks`, globs, come after those of the files.
  explicit Configuration(llvm::StringRef checks);
  ~Configuration();

  clang::tidy::ClangTidyOptions of(llvm::StringRef file);
  /// What is wrong with the files that were read, each said once.
  const std::vector<std::string> &problems() const { return problems_; }

private:
  llvm::ErrorOr<clang::tidy::ClangTidyOptions> parse(llvm::MemoryBufferRef text);

  std::unique_ptr<clang::tidy::ClangTidyOptionsProvider> provider_;
  std::vector<std::string> problems_;
};

/// Whether the files say which headers the user wants to hear of. Else all are analysed, and it is up to the caller.
bool filtersHeaders(const clang::tidy::ClangTidyOptions &options);

/// Whether any of ours is enabled.
bool hasChecks(const clang::tidy::ClangTidyOptions &options);

} // namespace samedevice::check
