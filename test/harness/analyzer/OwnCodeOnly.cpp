// Loaded into clang-tidy beside the checks: it looks at what a fixture itself, or our own code, declares, and not at
// all of the precompiled headers and those of libraries, which would take most of the time.
#include "FileByFile.h"
#include "HeaderWork.h"

#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"

namespace samedevice {
namespace {

class OwnCodeOnly : public clang::tidy::ClangTidyCheck {
public:
  using ClangTidyCheck::ClangTidyCheck;

  void registerPPCallbacks(const clang::SourceManager &, clang::Preprocessor *preprocessor,
                           clang::Preprocessor *) override {
    preprocessor->addPPCallbacks(std::make_unique<HeaderWorkForgotten>(*preprocessor));
    preprocessor->addPPCallbacks(std::make_unique<FileByFile>(*preprocessor));
  }

  void registerMatchers(clang::ast_matchers::MatchFinder *finder) override {
    finder->addMatcher(clang::ast_matchers::translationUnitDecl(), this);
  }

  void check(const clang::ast_matchers::MatchFinder::MatchResult &result) override {
    std::vector<clang::Decl *> own;
    for (clang::Decl *decl : result.Context->getTranslationUnitDecl()->noload_decls())
      if (!decl->isFromASTFile() && !result.SourceManager->isInSystemHeader(decl->getLocation()))
        own.push_back(decl);
    result.Context->setTraversalScope(own);
  }
};

class Module : public clang::tidy::ClangTidyModule {
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories &factories) override {
    factories.registerCheck<OwnCodeOnly>("own-code-only");
  }
};

clang::tidy::ClangTidyModuleRegistry::Add<Module> registration("own-code-only", "Spares the headers.");

} // namespace
} // namespace samedevice
