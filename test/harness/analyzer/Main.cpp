// Runs the checks on fixtures without clang-tidy: only what the fixture itself declares is visited, libtorch comes
// precompiled. Prints as clang-tidy does (what was cut off, to standard error), and with --facts what the front end
// made of the program. With --despite-errors, also of code that does not compile: clang-tidy has it checked while it is
// being typed.
//
//   samedevice-fixtures [--facts] [--despite-errors] FILE... -- COMPILER FLAGS
#include "HeaderWork.h"
#include "facts/Text.h"
#include "report/Messages.h"
#include "tidy/SourceText.h"
#include "tidy/TuAnalysis.h"
#include "clang/Errors.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/raw_ostream.h"

namespace samedevice {
namespace {

struct Options {
  bool printsFacts = false;
  bool despiteErrors = false;
};

class Consumer : public clang::ASTConsumer {
public:
  Consumer(llvm::StringRef file, Options options, clang::DiagnosticsEngine &diagnostics)
      : file_(file), options_(options), errors_(clangfront::Errors::of(diagnostics)) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    decls_.insert(decls_.end(), group.begin(), group.end());
    return true;
  }

  /// Declarations of the precompiled header.
  void HandleInterestingDecl(clang::DeclGroupRef) override {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (context.getDiagnostics().hasErrorOccurred() && !options_.despiteErrors)
      return;
    errors_->stop();
    context.setTraversalScope(decls_);
    const auto analysis = tidy::TuAnalysis::of(context, {}, false);
    if (options_.printsFacts)
      llvm::outs() << facts::print(analysis->lowered.program);
    else
      for (const std::unique_ptr<tidy::Analyzed> &program : analysis->programs) {
        const tidy::SourceText text(context, analysis->lowered, *program->program);
        for (const analysis::Finding &finding : program->result.findings)
          print(finding, text, context.getSourceManager());
        for (const analysis::Remark &remark : program->result.remarks)
          llvm::errs() << file_ << ": " << remark.text << "\n";
      }
  }

private:
  void print(const analysis::Finding &finding, const tidy::SourceText &text, const clang::SourceManager &sources) {
    printPlace(text.location(finding.at), sources,
               "warning: " + finding.variant + " [" + report::checkName(finding.check) + "]");
    for (const analysis::Note &note : finding.notes)
      printPlace(text.location(note.at), sources, "note: " + text.name(note.subject) + " " + note.device.name);
  }

  void printPlace(clang::SourceLocation location, const clang::SourceManager &sources, const std::string &what) {
    const clang::PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(location));
    if (place.isValid())
      llvm::outs() << file_ << ":" << place.getLine() << ":" << place.getColumn() << ": " << what << "\n";
  }

  std::string file_;
  Options options_;
  std::shared_ptr<clangfront::Errors> errors_;
  std::vector<clang::Decl *> decls_;
};

class Action : public clang::ASTFrontendAction {
public:
  explicit Action(Options options) : options_(options) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef file) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<HeaderWorkForgotten>(compiler.getPreprocessor()));
    return std::make_unique<Consumer>(file, options_, compiler.getDiagnostics());
  }

private:
  Options options_;
};

class ActionFactory : public clang::tooling::FrontendActionFactory {
public:
  explicit ActionFactory(Options options) : options_(options) {}
  std::unique_ptr<clang::FrontendAction> create() override { return std::make_unique<Action>(options_); }

private:
  Options options_;
};

} // namespace
} // namespace samedevice

int main(int argc, const char **argv) {
  std::string error;
  const auto flags = clang::tooling::FixedCompilationDatabase::loadFromCommandLine(argc, argv, error);
  std::vector<std::string> files(argv + 1, argv + argc);
  samedevice::Options options;
  for (; !files.empty() && files.front().rfind("--", 0) == 0; files.erase(files.begin())) {
    options.printsFacts |= files.front() == "--facts";
    options.despiteErrors |= files.front() == "--despite-errors";
  }
  if (!flags || files.empty()) {
    llvm::errs() << "usage: samedevice-fixtures [--facts] [--despite-errors] FILE... -- COMPILER FLAGS\n" << error;
    return 2;
  }
  clang::tooling::ClangTool tool(*flags, files);
  // Errors go where the findings go: a fixture that does not compile has not been judged.
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> diagnostics(new clang::DiagnosticOptions);
  clang::TextDiagnosticPrinter printer(llvm::outs(), diagnostics.get());
  tool.setDiagnosticConsumer(&printer);
  samedevice::ActionFactory factory(options);
  return tool.run(&factory);
}
