#include "Analysis.h"

#include "CudaDialect.h"
#include "EveryFile.h"
#include "FindingsFile.h"
#include "OwnCode.h"
#include "PrecompiledHeaders.h"

#include "clang-tidy/ClangTidy.h"
#include "clang-tidy/ClangTidyDiagnosticConsumer.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <dlfcn.h>

using namespace llvm;
using namespace clang;
using clang::tidy::ClangTidyError;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

namespace samedevice::check {

namespace {

/// From what clang-tidy collects to findings; its places are files and offsets.
class Translation {
public:
  explicit Translation(StringRef directory) : directory_(directory) {}

  Finding finding(const ClangTidyError &error) {
    Finding finding;
    finding.at = place(error.Message);
    finding.check = error.DiagnosticName;
    finding.message = error.Message.Message;
    finding.isError = error.IsWarningAsError;
    for (const tooling::FileByteRange &range : error.Message.Ranges)
      addSpan(finding, range);
    for (const tooling::DiagnosticMessage &note : error.Notes)
      finding.notes.push_back(this->note(note));
    if (const StringMap<tooling::Replacements> *fix = tooling::selectFirstFix(error))
      for (const auto &[file, replacements] : *fix)
        for (const tooling::Replacement &edit : replacements)
          finding.edits.push_back({absolute(edit.getFilePath()), static_cast<int>(edit.getOffset()),
                                   static_cast<int>(edit.getLength()), edit.getReplacementText().str()});
    llvm::sort(finding.edits); // a map has no order of its own
    return finding;
  }

  Note note(const tooling::DiagnosticMessage &message) { return {place(message), message.Message}; }

private:
  std::string absolute(StringRef file) {
    SmallString<256> whole(file);
    if (!whole.empty())
      fs::make_absolute(directory_, whole);
    // A folder may be a link: what lies above it, only the system knows.
    SmallString<256> real;
    if (StringRef(whole).contains("..") && !fs::real_path(whole, real))
      return real.str().str();
    path::remove_dots(whole);
    return whole.str().str();
  }

  StringRef textOf(const std::string &file) {
    auto [known, isNew] = texts_.try_emplace(file);
    if (isNew)
      if (auto buffer = MemoryBuffer::getFile(file))
        known->second = std::move(*buffer);
    return known->second ? known->second->getBuffer() : StringRef();
  }

  Place place(const tooling::DiagnosticMessage &message) {
    Place place{absolute(message.FilePath), static_cast<int>(message.FileOffset), 0, 0};
    if (place.file.empty())
      return place;
    const StringRef before = textOf(place.file).take_front(message.FileOffset);
    place.line = static_cast<int>(before.count('\n')) + 1;
    place.column = static_cast<int>(before.size() - (before.rfind('\n') + 1)) + 1; // npos + 1 is 0
    return place;
  }

  void addSpan(Finding &finding, const tooling::FileByteRange &range) {
    if (absolute(range.FilePath) != finding.at.file)
      return;
    const StringRef text = textOf(finding.at.file);
    const int lineBegin = finding.at.offset - (finding.at.column - 1);
    const int lineEnd = static_cast<int>(std::min(text.find('\n', lineBegin), text.size()));
    const int begin = std::max(static_cast<int>(range.FileOffset), lineBegin);
    const int end = std::min(static_cast<int>(range.FileOffset + range.Length), lineEnd);
    if (begin < end)
      finding.spans.push_back({begin - lineBegin + 1, end - lineBegin + 1});
  }

  std::string directory_;
  StringMap<std::unique_ptr<MemoryBuffer>> texts_;
};

class CheckAction : public ASTFrontendAction {
public:
  explicit CheckAction(tidy::ClangTidyContext &context) : factory_(context) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, StringRef file) override {
    return ownCodeOnly(compiler, factory_.createASTConsumer(compiler, file));
  }

private:
  tidy::ClangTidyASTConsumerFactory factory_;
};

class Invocation : public tooling::ToolAction {
public:
  Invocation(tidy::ClangTidyContext &context, PrecompiledHeaders *headers, Analysis &analysis)
      : context_(context), headers_(headers), analysis_(analysis) {}

  bool runInvocation(std::shared_ptr<CompilerInvocation> invocation, FileManager *files,
                     std::shared_ptr<PCHContainerOperations> containers, DiagnosticConsumer *diagnostics) override {
    // As clang-tidy does.
    invocation->getPreprocessorOpts().SetUpStaticAnalyzer = true;
    invocation->getFrontendOpts().DisableFree = true;      // this process ends soon
    invocation->getDiagnosticOpts().IgnoreWarnings = true; // those of Clang; ours do not pass there
    invocation->getDiagnosticOpts().ErrorLimit = 0;        // one wrong header must not silence the rest
    // What was meant by an unknown name is nobody's guess, and guessing may take minutes where there are several.
    invocation->getLangOpts().SpellChecking = false;
    // What Clang reads of a module, or of precompiled headers in a language that has modules, it merges by type: a
    // function for the host and its overload for devices become one. No compiler of CUDA has modules.
    if (invocation->getLangOpts().CUDA) {
      invocation->getLangOpts().CPlusPlusModules = false;
      invocation->getLangOpts().Modules = false;
    }
    if (headers_)
      analysis_.headers = headers_->addTo(*invocation, *files);
    analysis_.usesHeaders = !invocation->getPreprocessorOpts().ImplicitPCHInclude.empty();
    CompilerInstance compiler(std::move(containers));
    compiler.setInvocation(std::move(invocation));
    compiler.setFileManager(files);
    compiler.createDiagnostics(diagnostics, /*ShouldOwnClient=*/false);
    if (!compiler.hasDiagnostics())
      return false;
    // A header that is missing takes what names it along, not the whole file.
    compiler.getDiagnostics().setFatalsAsError(true);
    compiler.createSourceManager(*files);
    auto dependencies = std::make_shared<EveryFile>();
    compiler.addDependencyCollector(dependencies);
    CheckAction action(context_);
    const bool succeeded = compiler.ExecuteAction(action);
    analysis_.filesRead = dependencies->getDependencies();
    append_range(analysis_.filesRead, dependencies->missing());
    files->clearStatCache();
    return succeeded;
  }

private:
  tidy::ClangTidyContext &context_;
  PrecompiledHeaders *headers_;
  Analysis &analysis_;
};

/// One command, for one source.
class OneCommand : public tooling::CompilationDatabase {
public:
  explicit OneCommand(tooling::CompileCommand command) : command_(std::move(command)) {}
  std::vector<tooling::CompileCommand> getCompileCommands(StringRef) const override { return {command_}; }

private:
  tooling::CompileCommand command_;
};

/// The checks append what samedevice-replay takes to a file.
class Witnesses {
public:
  Witnesses() {
    if (!fs::createTemporaryFile("samedevice", "json", file_))
      setenv("SAMEDEVICE_FINDINGS", file_.c_str(), 1);
  }
  ~Witnesses() {
    if (!file_.empty())
      static_cast<void>(fs::remove(file_));
  }
  std::string text() const {
    auto buffer = MemoryBuffer::getFile(file_);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }

private:
  SmallString<128> file_;
};

void sortOut(const std::vector<ClangTidyError> &errors, Translation translation, Outcome &outcome) {
  for (const ClangTidyError &error : errors) {
    const StringRef missing = StringRef(error.Message.Message);
    if (error.DiagLevel == ClangTidyError::Error && StringRef(error.DiagnosticName).starts_with("clang-diagnostic-")) {
      // One with a name of its own is a warning that somebody wants to be an error. Nothing is missing for it.
      if (error.DiagnosticName != "clang-diagnostic-error")
        continue;
      if (missing.starts_with("'") && missing.contains("' file not found"))
        outcome.missingHeaders.push_back(missing.drop_front().take_until([](char c) { return c == '\''; }).str());
      else
        outcome.errors.push_back(translation.note(error.Message));
    } else if (error.DiagLevel == ClangTidyError::Remark) {
      outcome.givenUp.push_back(translation.note(error.Message));
    } else {
      outcome.findings.push_back(translation.finding(error));
    }
  }
}

} // namespace

std::string clangResources() {
  Dl_info library;
  if (!dladdr(reinterpret_cast<void *>(&getClangFullVersion), &library))
    return {};
  const StringRef folder = path::parent_path(library.dli_fname);
  for (StringRef below : {"clang", "../lib/clang", "../clang", "../llvm-" CLANG_VERSION_MAJOR_STRING "/lib/clang"}) {
    SmallString<256> resources(folder);
    path::append(resources, below, CLANG_VERSION_MAJOR_STRING);
    path::remove_dots(resources, /*remove_dot_dot=*/true);
    if (fs::exists(resources + "/include/stddef.h"))
      return resources.str().str();
  }
  return {};
}

static Analysis analyzeOnce(const Source &source, const tidy::ClangTidyOptions &options, PrecompiledHeaders *headers) {
  Analysis analysis;
  Outcome &outcome = analysis.outcome;
  if (!fs::exists(source.file)) {
    outcome.notAnalyzed = "there is no such file";
    return analysis;
  }
  tidy::ClangTidyContext context(
      std::make_unique<tidy::DefaultOptionsProvider>(tidy::ClangTidyGlobalOptions(), options));
  tidy::ClangTidyDiagnosticConsumer diagnostics(context);
  DiagnosticsEngine engine(new DiagnosticIDs, new DiagnosticOptions, &diagnostics, /*ShouldOwnClient=*/false);
  context.setDiagnosticsEngine(&engine);
  context.setCurrentBuildDirectory(source.directory);

  tooling::CompileCommand command(source.directory, source.file, source.arguments, "");
  OneCommand commands(command);
  tooling::ClangTool tool(commands, {source.file}, std::make_shared<PCHContainerOperations>(), filesForClang());
  tool.appendArgumentsAdjuster(tooling::getInsertArgumentAdjuster(
      options.ExtraArgsBefore.value_or(tooling::CommandLineArguments()), tooling::ArgumentInsertPosition::BEGIN));
  tool.appendArgumentsAdjuster(tooling::getInsertArgumentAdjuster(
      options.ExtraArgs.value_or(tooling::CommandLineArguments()), tooling::ArgumentInsertPosition::END));
  if (std::string resources = clangResources(); !resources.empty())
    tool.appendArgumentsAdjuster(
        tooling::getInsertArgumentAdjuster({"-resource-dir=" + resources}, tooling::ArgumentInsertPosition::BEGIN));
  tool.setDiagnosticConsumer(&diagnostics);
  tool.setPrintErrorMessage(false);

  Witnesses witnesses;
  Invocation invocation(context, headers, analysis);
  tool.run(&invocation);
  sortOut(diagnostics.take(), Translation(source.directory), outcome);
  addWitnesses(witnesses.text(), outcome.findings);
  if (analysis.filesRead.empty() && outcome.findings.empty() && outcome.errors.empty())
    outcome.notAnalyzed = "its command is none that Clang compiles with";
  return analysis;
}

Analysis analyze(const Source &source, const tidy::ClangTidyOptions &options, PrecompiledHeaders *headers) {
  Analysis analysis = analyzeOnce(source, options, headers);
  // It may be that its headers mean something else where it includes them. (What a missing header leaves undeclared
  // stays so.)
  if (analysis.usesHeaders && !analysis.headers.isSure && !analysis.outcome.errors.empty() &&
      analysis.outcome.missingHeaders.empty())
    analysis = analyzeOnce(source, options, nullptr);
  return analysis;
}

} // namespace samedevice::check
