#include "Changes.h"

#include "Program.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace llvm;

namespace samedevice::check {

Expected<Changes> Changes::since(StringRef base) {
  const Answer root = ask("git", {"rev-parse", "--show-toplevel"});
  if (root.status != 0)
    return createStringError(inconvertibleErrorCode(), "--diff needs a git checkout");
  // A shallow clone may not have it: then the base itself has to do.
  Answer from = ask("git", {"merge-base", base, "HEAD"});
  if (from.status != 0)
    from = ask("git", {"rev-parse", "--verify", "--quiet", "--end-of-options", (base + "^{commit}").str()});
  // Before the first commit all is new.
  if (from.status != 0 && base == "HEAD")
    from = ask("git", {"hash-object", "-t", "tree", "/dev/null"});
  if (from.status != 0)
    return createStringError(inconvertibleErrorCode(), "--diff: git knows no commit '" + base + "'");
  const StringRef commit = StringRef(from.text).trim(), folder = StringRef(root.text).rtrim('\n');
  const Answer diff = ask("git", {"-C", folder, "-c", "core.quotePath=false", "diff", "-U0", "--no-color",
                                  "--no-ext-diff", "--no-prefix", "--no-renames", commit});
  if (diff.status != 0)
    return createStringError(inconvertibleErrorCode(), "git diff failed");
  Changes changes;
  changes.parse(diff.text, folder);
  const Answer unknown = ask("git", {"-C", folder, "ls-files", "-z", "--others", "--exclude-standard"});
  for (StringRef file : split(unknown.text, '\0'))
    if (!file.empty())
      changes.lines_[(folder + "/" + file).str()].emplace_back(1, std::numeric_limits<int>::max());
  return changes;
}

void Changes::parse(StringRef diff, StringRef root) {
  std::vector<std::pair<int, int>> *lines = nullptr;
  for (StringRef line : split(diff, '\n')) {
    if (line.consume_front("+++ ")) {
      line = line.rtrim("\t\r"); // git ends a name that has blanks in it with a tab
      lines = line == "/dev/null" ? nullptr : &lines_[(root + "/" + line).str()];
    } else if (line.consume_front("@@ -") && lines) {
      StringRef added = line.split(" +").second.split(' ').first;
      int first = 0, count = 1;
      const auto [begin, many] = added.split(',');
      if (begin.getAsInteger(10, first) || (!many.empty() && many.getAsInteger(10, count)) || count == 0)
        continue;
      lines->emplace_back(first, first + count - 1);
    }
  }
}

bool Changes::has(StringRef file, int line) const {
  const auto known = lines_.find(file);
  return known != lines_.end() &&
         any_of(known->second, [line](const auto &range) { return range.first <= line && line <= range.second; });
}

std::vector<std::string> Changes::files() const {
  std::vector<std::string> files;
  for (const auto &entry : lines_)
    files.push_back(entry.first().str());
  llvm::sort(files);
  return files;
}

} // namespace samedevice::check
