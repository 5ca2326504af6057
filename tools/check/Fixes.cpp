#include "Fixes.h"

#include "Fingerprint.h"
#include "Program.h"
#include "WholeFile.h"

#include "clang/Format/Format.h"
#include "clang/Tooling/Core/Replacement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

using namespace llvm;
using namespace clang;

namespace samedevice::check {

namespace {

bool overlap(const Edit &one, const Edit &other) {
  if (one.file != other.file)
    return false;
  // Two that insert at one place have an order that nobody has chosen.
  if (one.offset == other.offset)
    return true;
  return one.offset < other.offset ? other.offset < one.offset + one.length : one.offset < other.offset + other.length;
}

/// Around what has changed only, and only where .clang-tidy asks for it.
std::string applied(const std::string &file, StringRef text, const tooling::Replacements &edits, StringRef styleName) {
  Expected<format::FormatStyle> style = format::getStyle(styleName.empty() ? "none" : styleName, file, "none");
  if (style) {
    Expected<tooling::Replacements> clean = format::cleanupAroundReplacements(text, edits, *style);
    Expected<tooling::Replacements> formatted =
        clean ? format::formatReplacements(text, *clean, *style) : clean.takeError();
    if (formatted)
      if (Expected<std::string> result = tooling::applyAllReplacements(text, *formatted))
        return *result;
      else
        consumeError(result.takeError());
    else
      consumeError(formatted.takeError());
  } else {
    consumeError(style.takeError());
  }
  return cantFail(tooling::applyAllReplacements(text, edits));
}

} // namespace

Fixed fix(ArrayRef<Finding> findings, function_ref<std::string(const std::string &)> styleOf) {
  Fixed fixed;
  std::set<Edit> accepted;
  for (const Finding &finding : findings) {
    // Two fixes may share an edit: the #include that both need.
    const bool isRefused = any_of(finding.edits, [&](const Edit &edit) {
      return !accepted.count(edit) && any_of(accepted, [&](const Edit &other) { return overlap(edit, other); });
    });
    fixed.isFixed.push_back(!finding.edits.empty() && !isRefused);
    fixed.refused += isRefused;
    if (!isRefused)
      accepted.insert(finding.edits.begin(), finding.edits.end());
  }
  std::map<std::string, tooling::Replacements> editsOf;
  for (const Edit &edit : accepted)
    consumeError(editsOf[edit.file].add(tooling::Replacement(edit.file, edit.offset, edit.length, edit.text)));
  for (const auto &[file, edits] : editsOf) {
    const std::string text = textOfFile(file);
    fixed.files[file] = {text, applied(file, text, edits, styleOf(file))};
  }
  return fixed;
}

Error writeFixed(const std::string &file, const FixedFile &fixed) {
  // A link stays one, and who may read or run the file may still do so.
  SmallString<256> real;
  if (std::error_code error = sys::fs::real_path(file, real))
    return createFileError(file, error);
  ErrorOr<sys::fs::perms> permissions = sys::fs::getPermissions(real);
  if (!permissions)
    return createFileError(file, permissions.getError());
  if (Error error = writeWhole(real, [&](raw_ostream &out) { out << fixed.after; }))
    return error;
  return errorCodeToError(sys::fs::setPermissions(real, *permissions));
}

std::string diffOf(const std::string &file, const FixedFile &fixed) {
  SmallString<128> after;
  int descriptor = 0;
  if (sys::fs::createTemporaryFile("samedevice", "fixed", descriptor, after))
    return {};
  raw_fd_ostream(descriptor, /*shouldClose=*/true) << fixed.after;
  const std::string name = relativeTo(rootOfNames(), file);
  std::string diff = ask("diff", {"-u", "--label", "a/" + name, "--label", "b/" + name, file, after.str()}).text;
  static_cast<void>(sys::fs::remove(after));
  return diff;
}

} // namespace samedevice::check
