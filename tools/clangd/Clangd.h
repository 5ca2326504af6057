// What we know of clangd without its headers: functions that it calls, which we put ourselves in front of. The linker
// (--wrap) gives each call of `f` to __wrap_f, and calls `f` itself __real_f.
#pragma once

#include "clang-tidy/ClangTidyOptions.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/Support/JSON.h"

#include <cstdio>
#include <memory>
#include <optional>

namespace clang::clangd {
int clangdMain(int argc, char *argv[]);
class CommandMangler;
class ClangdServer;
class Transport {
public:
  virtual ~Transport() = default;
};
enum JSONStreamStyle { Standard, Delimited };
struct PublishDiagnosticsParams;
struct CodeAction;
/// Changes the options of clang-tidy for a file.
using TidyProviderRef = llvm::function_ref<void(tidy::ClangTidyOptions &options, llvm::StringRef file)>;
} // namespace clang::clangd

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's names.
extern "C" {
// std::optional<bool> isFastTidyCheck(StringRef check): nothing where clangd's table does not have it.
std::optional<bool> __real__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE(llvm::StringRef check);

// TidyProviderRef provideDefaultChecks(): the last word on which checks run.
clang::clangd::TidyProviderRef __real__ZN5clang6clangd20provideDefaultChecksEv();

// void CommandMangler::operator()(CompileCommand &command, StringRef file) const: every command passes here.
void __real__ZNK5clang6clangd14CommandManglerclERNS_7tooling14CompileCommandEN4llvm9StringRefE(
    const clang::clangd::CommandMangler *mangler, clang::tooling::CompileCommand &command, llvm::StringRef file);

// void ClangdServer::reparseOpenFilesIfNeeded(function_ref<bool(StringRef)> filter): after a save, for the most part.
void __real__ZN5clang6clangd12ClangdServer24reparseOpenFilesIfNeededEN4llvm12function_refIFbNS2_9StringRefEEEE(
    clang::clangd::ClangdServer *server, llvm::function_ref<bool(llvm::StringRef)> filter);

// std::unique_ptr<Transport> newJSONTransport(...): what reads and writes the editor's messages.
std::unique_ptr<clang::clangd::Transport>
__real__ZN5clang6clangd16newJSONTransportEP8_IO_FILERN4llvm11raw_ostreamEPS4_bNS0_15JSONStreamStyleE(
    std::FILE *in, llvm::raw_ostream &out, llvm::raw_ostream *mirror, bool isPretty,
    clang::clangd::JSONStreamStyle style);

// json::Value toJSON(...): what is sent to the editor.
llvm::json::Value
__real__ZN5clang6clangd6toJSONERKNS0_24PublishDiagnosticsParamsE(const clang::clangd::PublishDiagnosticsParams &params);
llvm::json::Value __real__ZN5clang6clangd6toJSONERKNS0_10CodeActionE(const clang::clangd::CodeAction &action);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
