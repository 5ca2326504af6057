// Our checks run by default, however fast clangd wants its checks to be.
#include "Clangd.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using clang::tidy::ClangTidyOptions;

namespace {

constexpr StringRef kOurs = "device-";

/// `-*` is said to get rid of clang-tidy's own checks. It means ours, too, where some of ours are asked for by name.
std::string withOurs(StringRef globs) {
  SmallVector<StringRef, 16> parts;
  globs.split(parts, ',', -1, /*KeepEmpty=*/false);
  std::string result = "device-*";
  for (StringRef part : parts) {
    part = part.trim();
    if (part.starts_with(kOurs))
      return globs.str();
    result += ("," + part).str();
    if (part == "-*")
      result += ",device-*";
  }
  return result;
}

void enableOurs(ClangTidyOptions &options, StringRef file) {
  __real__ZN5clang6clangd20provideDefaultChecksEv()(options, file);
  options.Checks = withOurs(options.Checks.value_or(""));
  // What is found in code that is being typed is not to be kept.
  options.CheckOptions.erase("DeviceFindings");
}

} // namespace

extern "C" {

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
std::optional<bool> __wrap__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE(StringRef check) {
  return check.starts_with(kOurs) ? true : __real__ZN5clang6clangd15isFastTidyCheckEN4llvm9StringRefE(check);
}

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
clang::clangd::TidyProviderRef __wrap__ZN5clang6clangd20provideDefaultChecksEv() { return enableOurs; }
}
