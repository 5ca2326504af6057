#include "Report.h"

#include "Fingerprint.h"

#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace samedevice::check {

/// In a property of a workflow command, more has a meaning than in its text.
static std::string escaped(StringRef text, bool isProperty) {
  std::string result;
  for (char c : text) {
    switch (c) {
    case '%':
      result += "%25";
      break;
    case '\r':
      result += "%0D";
      break;
    case '\n':
      result += "%0A";
      break;
    case ':':
      result += isProperty ? "%3A" : ":";
      break;
    case ',':
      result += isProperty ? "%2C" : ",";
      break;
    default:
      result += c;
    }
  }
  return result;
}

void printGithub(const std::vector<Finding> &findings, raw_ostream &out) {
  const std::string root = rootOfNames();
  for (const Finding &finding : findings) {
    std::string text = finding.message;
    for (const Note &note : finding.notes)
      text += "\n" + relativeTo(root, note.at.file) + ":" + std::to_string(note.at.line) + ": " + note.text;
    if (finding.evidence.verdict)
      text += "\n" + inWords(*finding.evidence.verdict);
    out << "::" << (finding.isError ? "error" : "warning")
        << " file=" << escaped(relativeTo(root, finding.at.file), true) << ",line=" << finding.at.line
        << ",col=" << finding.at.column << ",title=" << escaped(finding.check, true) << "::" << escaped(text, false)
        << '\n';
  }
}

} // namespace samedevice::check
