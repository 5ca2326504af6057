// What was found in sources that are still what they were.
#pragma once

#include "Analysis.h"
#include "Children.h"

#include "clang/Surroundings.h"

namespace samedevice::check {

class Results {
public:
  Results(const Cache &cache, Disk &disk, PrecompiledHeaders &headers)
      : cache_(cache), disk_(disk), headers_(headers) {}

  /// By all that decides what an analysis reads and does.
  static std::string keyOf(const Source &source, const clang::tidy::ClangTidyOptions &options);

  std::optional<Outcome> find(const std::string &key, const Source &source);
  /// Before there are several children: what each of them would have to find out.
  void knowSurroundings(const Source &source);
  /// In a child: its outcome, for outcomeOf() in its parent.
  std::string keep(const std::string &key, const Source &source, Analysis analysis);

private:
  void write(const std::string &key, const Source &source, const Analysis &analysis);
  bool wouldAnswer(llvm::ArrayRef<clangfront::Surroundings::Asked> questions, const Source &source);
  const std::string &projectOf(const Source &source);
  const std::string &surroundingsOf(const Source &source);

  const Cache &cache_;
  Disk &disk_;
  PrecompiledHeaders &headers_;
  llvm::StringMap<std::string> projects_;     ///< by folder
  llvm::StringMap<std::string> surroundings_; ///< by project
};

/// What a child that ended with Results::keep() has made, or why it has not.
Outcome outcomeOf(const ChildResult &result);

} // namespace samedevice::check
