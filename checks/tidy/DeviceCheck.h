// What all checks share: they run on the whole translation unit, and say what the analysis found for them.
#pragma once

#include "../clang/Errors.h"
#include "SourceText.h"

#include "clang-tidy/ClangTidyCheck.h"

namespace samedevice::tidy {

class DeviceCheck : public clang::tidy::ClangTidyCheck {
public:
  DeviceCheck(llvm::StringRef name, clang::tidy::ClangTidyContext *context, analysis::Check check);

  bool isLanguageVersionSupported(const clang::LangOptions &language) const override { return language.CPlusPlus; }
  void registerPPCallbacks(const clang::SourceManager &sources, clang::Preprocessor *preprocessor,
                           clang::Preprocessor *expander) override;
  void registerMatchers(clang::ast_matchers::MatchFinder *finder) override;
  void check(const clang::ast_matchers::MatchFinder::MatchResult &result) override;
  void onEndOfTranslationUnit() override { analysis_.reset(); }
  void storeOptions(clang::tidy::ClangTidyOptions::OptionMap &options) override;

protected:
  /// The warning, without the check's name.
  virtual std::string message(const analysis::Finding &finding, const SourceText &source) const = 0;
  /// A note of the story; empty: not worth telling.
  virtual std::string note(const analysis::Note &note, const analysis::Finding &finding,
                           const SourceText &source) const;

private:
  /// Whether the user gets to see it; a comment or a filter may be against it.
  bool say(const analysis::Finding &finding, const std::string &warning, const std::vector<clang::FixItHint> &fixes,
           const SourceText &source, const clang::SourceManager &sources);

  const analysis::Check check_;
  clang::tidy::ClangTidyContext &tidy_;
  clangfront::LoweringOptions options_;
  std::string findingsOption_;
  bool remarksOption_;
  std::shared_ptr<clangfront::Errors> errors_;
  std::shared_ptr<const TuAnalysis> analysis_;
};

} // namespace samedevice::tidy
