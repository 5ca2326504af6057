// Loaded into clang-tidy beside the checks: it looks at what a fixture itself, or our own code, declares, and not at
// all of the precompiled headers and those of libraries, which would take most of the time.
#include "FileByFile.h"
#include "HeaderWork.h"

#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace samedevice {
namespace {

/// By SAMEDEVICE_FIXTURES, one in a line.
std::vector<FileToCompile> filesNamed() {
  llvm::SmallVector<llvm::StringRef> names;
  if (const char *named = std::getenv("SAMEDEVICE_FIXTURES"))
    llvm::StringRef(named).split(names, '\n', -1, /*KeepEmpty=*/false);
  std::vector<FileToCompile> files;
  for (const llvm::StringRef name : names)
    files.push_back({name.str()});
  return files;
}

class OwnCodeOnly : public clang::tidy::ClangTidyCheck {
public:
  using ClangTidyCheck::ClangTidyCheck;

  void registerPPCallbacks(const clang::SourceManager &, clang::Preprocessor *preprocessor,
                           clang::Preprocessor *) override {
    preprocessor->addPPCallbacks(std::make_unique<HeaderWorkForgotten>(*preprocessor));
    if (std::vector<FileToCompile> files = filesNamed(); !files.empty())
      preprocessor->addPPCallbacks(std::make_unique<FileByFile>(
          *preprocessor, files, [](size_t) {},
          [files](size_t index, int status) {
            if (WIFSIGNALED(status)) {
              llvm::outs() << files[index].file << ":1:1: error: the analyser ends with signal " << WTERMSIG(status)
                           << "\n";
              llvm::outs().flush();
            }
          }));
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
