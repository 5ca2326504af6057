#include "Report.h"

#include "CheckPages.h"
#include "Fingerprint.h"
#include "SourceLines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace llvm;

namespace samedevice::check {

namespace {

/// Where a name goes into a URI.
std::string percentEncoded(StringRef path) {
  std::string result;
  for (char c : path)
    if (isAlnum(c) || StringRef("-._~/+").contains(c))
      result += c;
    else
      result += "%" + utohexstr(static_cast<unsigned char>(c), /*LowerCase=*/false, /*Width=*/2);
  return result;
}

class Writer {
public:
  Writer(const std::vector<Finding> &findings, raw_ostream &out)
      : findings_(findings), root_(rootOfNames()), json_(out, /*IndentSize=*/1) {}

  void write() {
    json_.object([&] {
      json_.attribute("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                                 "sarif-schema-2.1.0.json");
      json_.attribute("version", "2.1.0");
      json_.attributeArray("runs", [&] { json_.object([&] { run(); }); });
    });
  }

private:
  void run() {
    json_.attributeObject("tool", [&] {
      json_.attributeObject("driver", [&] {
        json_.attribute("name", "Samedevice");
        json_.attribute("semanticVersion", SAMEDEVICE_VERSION);
        json_.attributeArray("rules", [&] {
          for (const CheckPage &check : checkPages())
            rule(check);
        });
      });
    });
    json_.attribute("columnKind", "unicodeCodePoints");
    json_.attributeObject("originalUriBaseIds", [&] {
      json_.attributeObject("ROOT", [&] { json_.attribute("uri", "file://" + percentEncoded(root_) + "/"); });
    });
    const std::vector<std::string> fingerprints = fingerprintsOf(findings_, root_);
    json_.attributeArray("results", [&] {
      for (size_t i = 0; i < findings_.size(); ++i)
        json_.object([&] { result(findings_[i], fingerprints[i]); });
    });
  }

  void rule(const CheckPage &check) {
    json_.object([&] {
      json_.attribute("id", check.name);
      json_.attributeObject("shortDescription", [&] { json_.attribute("text", check.about); });
      json_.attributeObject("help", [&] {
        json_.attribute("text", check.page);
        json_.attribute("markdown", check.page);
      });
      json_.attributeObject("defaultConfiguration", [&] { json_.attribute("level", "warning"); });
      json_.attributeObject("properties", [&] { json_.attribute("tags", json::Array{"correctness", "pytorch"}); });
    });
  }

  void result(const Finding &finding, const std::string &fingerprint) {
    json_.attribute("ruleId", finding.check);
    const auto pages = checkPages();
    const auto *page = find_if(pages, [&](const CheckPage &page) { return finding.check == page.name; });
    if (page != pages.end())
      json_.attribute("ruleIndex", page - pages.begin());
    json_.attribute("level", finding.isError ? "error" : "warning");
    message(finding.message + (finding.evidence.verdict ? " (" + inWords(*finding.evidence.verdict) + ")" : ""));
    if (finding.evidence.verdict)
      json_.attributeObject("properties", [&] { json_.attribute("replay", *finding.evidence.verdict); });
    json_.attributeArray("locations", [&] {
      json_.object([&] { physical(finding.at, finding.spans.empty() ? 0 : finding.spans.front().end); });
    });
    json_.attributeObject("partialFingerprints", [&] { json_.attribute("samedevice/v1", fingerprint); });
    if (!finding.notes.empty())
      story(finding);
    if (!finding.edits.empty())
      fixes(finding);
  }

  void message(StringRef text) {
    json_.attributeObject("message", [&] { json_.attribute("text", json::fixUTF8(text)); });
  }

  /// The notes in their order, and then the line that it is about.
  void story(const Finding &finding) {
    json_.attributeArray("codeFlows", [&] {
      json_.object([&] {
        json_.attributeArray("threadFlows", [&] {
          json_.object([&] {
            json_.attributeArray("locations", [&] {
              for (const Note &note : finding.notes)
                step(note.at, note.text);
              step(finding.at, finding.message);
            });
          });
        });
      });
    });
    json_.attributeArray("relatedLocations", [&] {
      for (const Note &note : finding.notes)
        json_.object([&] { location(note.at, note.text); });
    });
  }

  void step(const Place &at, StringRef text) {
    json_.object([&] { json_.attributeObject("location", [&] { location(at, text); }); });
  }

  void location(const Place &at, StringRef text) {
    physical(at, 0);
    message(text);
  }

  void physical(const Place &at, int endColumn) {
    json_.attributeObject("physicalLocation", [&] {
      artifact(at.file);
      json_.attributeObject("region", [&] {
        json_.attribute("startLine", std::max(at.line, 1));
        json_.attribute("startColumn", characters(at, at.column));
        if (endColumn > at.column)
          json_.attribute("endColumn", characters(at, endColumn));
      });
    });
  }

  void artifact(const std::string &file) {
    const std::string name = relativeTo(root_, file);
    json_.attributeObject("artifactLocation", [&] {
      if (name == file) {
        json_.attribute("uri", "file://" + percentEncoded(file));
      } else {
        json_.attribute("uri", percentEncoded(name));
        json_.attribute("uriBaseId", "ROOT");
      }
    });
  }

  void fixes(const Finding &finding) {
    std::map<std::string, std::vector<Edit>> editsOf;
    for (const Edit &edit : finding.edits)
      editsOf[edit.file].push_back(edit);
    json_.attributeArray("fixes", [&] {
      json_.object([&] {
        json_.attributeArray("artifactChanges", [&] {
          for (const auto &[file, edits] : editsOf)
            json_.object([&, &file = file, &edits = edits] {
              artifact(file);
              json_.attributeArray("replacements", [&] {
                for (const Edit &edit : edits)
                  replacement(edit);
              });
            });
        });
      });
    });
  }

  void replacement(const Edit &edit) {
    json_.object([&] {
      json_.attributeObject("deletedRegion", [&] {
        position("start", edit.file, edit.offset);
        position("end", edit.file, edit.offset + edit.length);
      });
      json_.attributeObject("insertedContent", [&] { json_.attribute("text", json::fixUTF8(edit.text)); });
    });
  }

  void position(const std::string &prefix, const std::string &file, int offset) {
    const StringRef before = lines_.textOf(file).take_front(offset);
    const size_t lineBegin = before.rfind('\n') + 1; // npos + 1 is 0
    json_.attribute(prefix + "Line", static_cast<int64_t>(before.count('\n')) + 1);
    json_.attribute(prefix + "Column", codePoints(before.drop_front(lineBegin)) + 1);
  }

  /// A column in bytes as one in characters.
  int64_t characters(const Place &at, int column) {
    return codePoints(lines_.at(at).take_front(std::max(column, 1) - 1)) + 1;
  }

  static int64_t codePoints(StringRef text) {
    return count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  }

  const std::vector<Finding> &findings_;
  const std::string root_;
  SourceLines lines_;
  json::OStream json_;
};

} // namespace

void printSarif(const std::vector<Finding> &findings, raw_ostream &out) {
  Writer(findings, out).write();
  out << '\n';
}

} // namespace samedevice::check
