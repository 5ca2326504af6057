#include "Fingerprint.h"

#include "Inputs.h"
#include "Program.h"
#include "SourceLines.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <map>

using namespace llvm;

namespace samedevice::check {

std::vector<std::string> fingerprintsOf(ArrayRef<Finding> findings, StringRef root) {
  SourceLines lines;
  std::map<std::string, int> seen;
  std::vector<std::string> fingerprints;
  for (const Finding &finding : findings) {
    SmallVector<StringRef, 32> words; // what a formatter changes makes no difference
    const std::string line = lines.at(finding.at).str();
    SplitString(line, words);
    const std::string what =
        digestOf({finding.check, relativeTo(root, finding.at.file), finding.message, join(words, " ")});
    fingerprints.push_back(what + ":" + std::to_string(++seen[what]));
  }
  return fingerprints;
}

std::string rootOfNames() {
  const Answer root = ask("git", {"rev-parse", "--show-toplevel"});
  if (root.status == 0)
    return StringRef(root.text).rtrim('\n').str();
  SmallString<256> current;
  return sys::fs::current_path(current) ? std::string() : std::string(current);
}

std::string relativeTo(StringRef root, StringRef file) {
  StringRef rest = file;
  return !root.empty() && rest.consume_front(root) && rest.consume_front("/") ? rest.str() : file.str();
}

} // namespace samedevice::check
