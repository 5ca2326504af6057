#include "Report.h"

#include "Fingerprint.h"

using namespace llvm;

namespace samedevice::check {

void printGitlab(const std::vector<Finding> &findings, raw_ostream &out) {
  const std::string root = rootOfNames();
  const std::vector<std::string> fingerprints = fingerprintsOf(findings, root);
  json::OStream json(out, /*IndentSize=*/1);
  json.array([&] {
    for (size_t i = 0; i < findings.size(); ++i) {
      const Finding &finding = findings[i];
      // The list in a merge request shows the description alone; the story is for who opens it.
      std::string description = finding.message, story;
      if (finding.evidence.verdict)
        description += " (" + inWords(*finding.evidence.verdict) + ")";
      for (const Note &note : finding.notes)
        story += "- " + relativeTo(root, note.at.file) + ":" + std::to_string(note.at.line) + ": " + note.text + "\n";
      json.value(
          json::Object{{"type", "issue"},
                       {"check_name", finding.check},
                       {"description", json::fixUTF8(description)},
                       {"content", json::Object{{"body", json::fixUTF8(story)}}},
                       {"categories", json::Array{"Bug Risk"}},
                       {"severity", finding.isError ? "critical" : "major"},
                       {"fingerprint", fingerprints[i]},
                       {"location", json::Object{{"path", json::fixUTF8(relativeTo(root, finding.at.file))},
                                                 {"lines", json::Object{{"begin", std::max(finding.at.line, 1)}}}}}});
    }
  });
  out << '\n';
}

} // namespace samedevice::check
