// A check: it has the whole translation unit analysed, as all of them do together, and says what was found for it.
#pragma once

#include "../clang/Errors.h"
#include "SourceText.h"

#include "clang-tidy/ClangTidyCheck.h"

#include <set>

namespace samedevice::tidy {

/// Whether these globs leave a check off, but for what is certain: some are on only where somebody names them in full.
bool isOff(analysis::Check check, llvm::StringRef globs);

class DeviceCheck : public clang::tidy::ClangTidyCheck {
public:
  /// clangd makes a quick fix of a note that has one, named by the note's words, and does not tell the note any more.
  static bool isInClangd;

  DeviceCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context, analysis::Check check);

  bool isLanguageVersionSupported(const clang::LangOptions &language) const override { return language.CPlusPlus; }
  void registerPPCallbacks(const clang::SourceManager &sources, clang::Preprocessor *preprocessor,
                           clang::Preprocessor *expander) override;
  void registerMatchers(clang::ast_matchers::MatchFinder *finder) override;
  void check(const clang::ast_matchers::MatchFinder::MatchResult &result) override;
  void onEndOfTranslationUnit() override {
    analysis_.reset();
    included_.clear();
  }
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &options) override;

private:
  /// Whether the user gets to see it; a comment or a filter may be against it.
  bool say(const analysis::Finding &finding, const std::string &warning, const std::vector<clang::FixItHint> &fixes,
           const SourceText &source, clang::ASTContext &context);

  const analysis::Check check_;
  clang::tidy::ClangTidyContext &tidy_;
  const bool isOff_;
  clangfront::LoweringOptions options_;
  std::string findingsOption_, factsOption_;
  bool remarksOption_;
  std::shared_ptr<clangfront::Errors> errors_;
  std::shared_ptr<const TuAnalysis> analysis_;
  std::set<clang::SourceLocation> included_; ///< where a fix has added an include already
};

} // namespace samedevice::tidy
