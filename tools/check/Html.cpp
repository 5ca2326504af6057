#include "Report.h"

#include "CheckPages.h"
#include "Fingerprint.h"
#include "Fixes.h"
#include "HtmlPage.h"
#include "SourceLines.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace llvm;

namespace samedevice::check {

namespace {

/// Everything that the page shows, as it shows it: names of files as others read them.
class PageData {
public:
  PageData(const std::vector<Finding> &findings, const Summary &summary) : root_(rootOfNames()) {
    json::Array entries;
    for (const Finding &finding : findings)
      entries.push_back(entry(finding));
    std::string words;
    raw_string_ostream stream(words);
    summary.print(stream);
    data_ = json::Object{{"summary", json::fixUTF8(StringRef(words).trim())},
                         {"findings", std::move(entries)},
                         {"files", std::move(files_)},
                         {"checks", std::move(checks_)}};
  }

  /// Where "</script>" cannot end it.
  std::string text() && {
    std::string text;
    raw_string_ostream(text) << json::Value(std::move(data_));
    std::string escaped;
    for (char c : text)
      escaped += c == '<' ? "\\u003c" : std::string(1, c);
    return escaped;
  }

private:
  json::Object entry(const Finding &finding) {
    json::Object entry = place(finding.at);
    entry["check"] = finding.check;
    entry["message"] = json::fixUTF8(finding.message);
    entry["spans"] = finding.spans;
    json::Array notes;
    for (const Note &note : finding.notes) {
      json::Object told = place(note.at);
      told["text"] = json::fixUTF8(note.text);
      notes.push_back(std::move(told));
    }
    entry["notes"] = std::move(notes);
    entry["steps"] = steps(finding);
    if (!finding.edits.empty())
      entry["patch"] = json::fixUTF8(patch(finding));
    if (finding.evidence.verdict) {
      entry["verdict"] = *finding.evidence.verdict;
      entry["words"] = json::fixUTF8(inWords(*finding.evidence.verdict));
    }
    for (const CheckPage &check : checkPages())
      if (finding.check == check.name)
        checks_[check.name] = check.page;
    return entry;
  }

  json::Object place(const Place &at) {
    return json::Object{{"file", name(at.file)}, {"line", at.line}, {"column", at.column}};
  }

  /// And the file's text is in the page.
  std::string name(const std::string &file) {
    const std::string name = json::fixUTF8(relativeTo(root_, file));
    if (!file.empty() && !files_.get(name))
      files_[name] = json::fixUTF8(lines_.textOf(file));
    return name;
  }

  json::Array steps(const Finding &finding) {
    const json::Object *witness = finding.evidence.witness.getObject("witness");
    const json::Array *known = witness ? witness->getArray("steps") : nullptr;
    json::Array steps = known ? *known : json::Array();
    for (json::Value &step : steps)
      if (json::Object *object = step.getAsObject())
        if (std::optional<StringRef> file = object->getString("file"))
          (*object)["file"] = name(file->str());
    return steps;
  }

  static std::string patch(const Finding &finding) {
    std::string patch;
    for (const auto &[file, texts] : fix(finding, [](const std::string &) { return "none"; }).files)
      patch += diffOf(file, texts);
    return StringRef(patch).rtrim().str();
  }

  const std::string root_;
  SourceLines lines_;
  json::Object files_, checks_, data_;
};

} // namespace

void printHtml(const std::vector<Finding> &findings, const Summary &summary, raw_ostream &out) {
  const auto [before, after] = htmlPage().split("@data@");
  out << before << PageData(findings, summary).text() << after;
}

} // namespace samedevice::check
