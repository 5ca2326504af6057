// A check's name leads to its page.
#include "Clangd.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace {

/// Pages are installed with the program; files:// needs nothing to be served.
std::string pageOf(StringRef check) {
  SmallString<256> page(sys::fs::getMainExecutable(nullptr, nullptr));
  sys::path::append(page, "..", "..", "share", "samedevice");
  sys::path::append(page, "checks", check + ".md");
  sys::path::remove_dots(page, /*remove_dot_dot=*/true);
  return sys::fs::exists(page) ? ("file://" + page).str() : std::string();
}

void linkToPage(json::Object &diagnostic) {
  const std::optional<StringRef> code = diagnostic.getString("code");
  if (!code || !code->starts_with("device-"))
    return;
  if (std::string page = pageOf(*code); !page.empty())
    diagnostic["codeDescription"] = json::Object{{"href", page}};
  else
    diagnostic.erase("codeDescription"); // clangd would name a page of clang-tidy's
}

json::Value withLinks(json::Value message) {
  if (json::Object *object = message.getAsObject())
    if (json::Array *diagnostics = object->getArray("diagnostics"))
      for (json::Value &diagnostic : *diagnostics)
        if (json::Object *fields = diagnostic.getAsObject())
          linkToPage(*fields);
  return message;
}

} // namespace

extern "C" {

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
json::Value __wrap__ZN5clang6clangd6toJSONERKNS0_24PublishDiagnosticsParamsE(
    const clang::clangd::PublishDiagnosticsParams &params) {
  return withLinks(__real__ZN5clang6clangd6toJSONERKNS0_24PublishDiagnosticsParamsE(params));
}

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
json::Value __wrap__ZN5clang6clangd6toJSONERKNS0_10CodeActionE(const clang::clangd::CodeAction &action) {
  return withLinks(__real__ZN5clang6clangd6toJSONERKNS0_10CodeActionE(action));
}
}
