// clangd goes through all open files when one is saved, and analyses again those of which something has changed: their
// text, their commands, the headers in front. For files that are parts of larger programs we change what the command
// says of its output, which costs an analysis, and no reading of headers.
#include "Saves.h"
#include "Clangd.h"
#include "Inbox.h"

#include "tidy/OtherUnits.h"

#include <atomic>

namespace samedevice::clangd {

namespace {

/// How often files were to be looked at again.
std::atomic<unsigned> rounds{0};
/// The next round is one that we asked for.
std::atomic<bool> isOurs{false};
Inbox *inbox = nullptr;

/// Who types and saves at once has saved what is not analysed yet. When it is, the others need another look.
void lookAgain() {
  if (inbox && !isOurs.exchange(true))
    inbox->post(
        R"({"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"file:///samedevice"}}})");
}

} // namespace

void watchSaves() { tidy::OtherUnits::ofThisProcess().onLateFacts = lookAgain; }

std::string stateOfOthers(llvm::StringRef file) {
  if (!tidy::OtherUnits::ofThisProcess().hasOthers(file))
    return {};
  return "#" + std::to_string(rounds);
}

} // namespace samedevice::clangd

using namespace samedevice;

extern "C" {

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
void __wrap__ZN5clang6clangd12ClangdServer24reparseOpenFilesIfNeededEN4llvm12function_refIFbNS2_9StringRefEEEE(
    clang::clangd::ClangdServer *server, llvm::function_ref<bool(llvm::StringRef)> filter) {
  ++clangd::rounds;
  if (!clangd::isOurs.exchange(false))
    ++tidy::OtherUnits::ofThisProcess().saves;
  __real__ZN5clang6clangd12ClangdServer24reparseOpenFilesIfNeededEN4llvm12function_refIFbNS2_9StringRefEEEE(server,
                                                                                                            filter);
}

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
std::unique_ptr<clang::clangd::Transport>
__wrap__ZN5clang6clangd16newJSONTransportEP8_IO_FILERN4llvm11raw_ostreamEPS4_bNS0_15JSONStreamStyleE(
    std::FILE *in, llvm::raw_ostream &out, llvm::raw_ostream *mirror, bool isPretty,
    clang::clangd::JSONStreamStyle style) {
  // NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
  if (style == clang::clangd::JSONStreamStyle::Standard) {
    static clangd::Inbox between(in);
    if (between.stream()) {
      clangd::inbox = &between;
      in = between.stream();
    }
  }
  return __real__ZN5clang6clangd16newJSONTransportEP8_IO_FILERN4llvm11raw_ostreamEPS4_bNS0_15JSONStreamStyleE(
      in, out, mirror, isPretty, style);
}
}
