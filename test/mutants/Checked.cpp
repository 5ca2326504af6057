#include "Checked.h"

#include "../harness/analyzer/FileByFile.h"
#include "../harness/analyzer/HeaderWork.h"

#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace clang;

namespace samedevice::mutants {

namespace {

/// As an editor has it: what the file itself declares is looked at.
class OwnDeclarations : public ASTConsumer {
public:
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    own_.insert(own_.end(), group.begin(), group.end());
    return true;
  }
  void HandleInterestingDecl(DeclGroupRef) override {}
  void HandleTranslationUnit(ASTContext &context) override { context.setTraversalScope(own_); }

private:
  std::vector<Decl *> own_;
};

class Action : public ASTFrontendAction {
public:
  Action(tidy::ClangTidyContext &context, std::vector<FileToCompile> files, FileByFile::Begun begun,
         FileByFile::Ended ended)
      : factory_(context), files_(std::move(files)), begun_(std::move(begun)), ended_(std::move(ended)) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, llvm::StringRef file) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<HeaderWorkForgotten>(compiler.getPreprocessor()));
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<FileByFile>(compiler.getPreprocessor(), files_, begun_, ended_));
    std::vector<std::unique_ptr<ASTConsumer>> both;
    both.push_back(std::make_unique<OwnDeclarations>());
    both.push_back(factory_.createASTConsumer(compiler, file));
    return std::make_unique<MultiplexConsumer>(std::move(both));
  }

private:
  tidy::ClangTidyASTConsumerFactory factory_;
  std::vector<FileToCompile> files_;
  FileByFile::Begun begun_;
  FileByFile::Ended ended_;
};

} // namespace

std::shared_ptr<CompilerInvocation> readCommand(const std::vector<std::string> &command) {
  std::vector<const char *> arguments;
  arguments.reserve(command.size());
  for (const std::string &argument : command)
    arguments.push_back(argument.c_str());
  std::shared_ptr<CompilerInvocation> invocation = createInvocation(arguments);
  if (invocation) {
    invocation->getFrontendOpts().DisableFree = false;
    invocation->getDiagnosticOpts().IgnoreWarnings = true;
    invocation->getDiagnosticOpts().ErrorLimit = 0;
  }
  return invocation;
}

void compile(llvm::StringRef text, const std::string &file, const CompilerInvocation &command) {
  auto invocation = std::make_shared<CompilerInvocation>(command);
  invocation->getPreprocessorOpts().addRemappedFile(file, llvm::MemoryBuffer::getMemBufferCopy(text, file).release());
  IgnoringDiagConsumer nobody;
  CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&nobody, /*ShouldOwnClient=*/false);
  SyntaxOnlyAction action;
  compiler.ExecuteAction(action);
}

static Outcome outcomeOf(llvm::StringRef text, const std::vector<tidy::ClangTidyError> &errors) {
  Outcome outcome;
  for (const tidy::ClangTidyError &error : errors) {
    const unsigned at = error.Message.FileOffset;
    const llvm::StringRef before = text.take_front(at);
    const size_t begin = before.rfind('\n') + 1; // npos + 1 is 0
    const llvm::StringRef line = text.slice(begin, text.find('\n', begin)).trim();
    const auto number = static_cast<unsigned>(before.count('\n')) + 1;
    if (error.DiagnosticName == "clang-diagnostic-error") {
      if (outcome.compiles) {
        outcome.firstError = error.Message.Message;
        outcome.firstErrorLine = number;
      }
      outcome.compiles = false;
    } else if (llvm::StringRef(error.DiagnosticName).starts_with("device-")) {
      outcome.findings.push_back({error.DiagnosticName, line.str(), number, error.Message.Message});
    }
  }
  return outcome;
}

void checkEach(const std::vector<std::string> &texts, const std::string &file, const std::string &emptyFile,
               const CompilerInvocation &command, Errors errors, const Listener &listener) {
  tidy::ClangTidyOptions options = tidy::ClangTidyOptions::getDefaults();
  options.Checks = "-*,device-*";
  tidy::ClangTidyContext context(
      std::make_unique<tidy::DefaultOptionsProvider>(tidy::ClangTidyGlobalOptions(), options));
  tidy::ClangTidyDiagnosticConsumer consumer(context, nullptr, /*RemoveIncompatibleErrors=*/false);
  DiagnosticsEngine engine(new DiagnosticIDs, new DiagnosticOptions, &consumer, /*ShouldOwnClient=*/false);
  context.setDiagnosticsEngine(&engine);

  auto invocation = std::make_shared<CompilerInvocation>(command);
  auto &inputs = invocation->getFrontendOpts().Inputs;
  inputs = {FrontendInputFile(emptyFile, inputs.front().getKind())};
  CompilerInstance compiler;
  compiler.setInvocation(std::move(invocation));
  compiler.createDiagnostics(&consumer, /*ShouldOwnClient=*/false);
  if (errors == Errors::AllTold)
    compiler.getDiagnostics().setFatalsAsError(true);
  else
    compiler.getDiagnostics().setErrorLimit(20);
  std::vector<FileToCompile> files;
  files.reserve(texts.size());
  for (const std::string &text : texts)
    files.push_back({file, text});
  std::optional<size_t> own; // in the process of a text
  auto begun = [&](size_t index) {
    own = index;
    listener.begun(index);
  };
  Action action(context, std::move(files), begun, listener.ended);
  compiler.ExecuteAction(action);
  if (!own)
    return;
  listener.found(*own, outcomeOf(texts[*own], consumer.take()));
  _exit(0);
}

} // namespace samedevice::mutants
