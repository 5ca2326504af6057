#include "TextReport.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace samedevice::check {

std::string shownPath(StringRef file) {
  static const std::string here = [] {
    SmallString<256> current;
    return sys::fs::current_path(current) ? std::string() : std::string(current) + "/";
  }();
  if (!here.empty())
    file.consume_front(here);
  return file.str();
}

TextReport::TextReport(raw_ostream &out, bool hasColors) : out_(out), hasColors_(hasColors) {
  out_.enable_colors(hasColors);
}

void TextReport::print(const Place &at, const std::string &kind, const std::string &text, ArrayRef<Span> spans) {
  SourceMgr::DiagKind diagKind = kind == "note"    ? SourceMgr::DK_Note
                                 : kind == "error" ? SourceMgr::DK_Error
                                                   : SourceMgr::DK_Warning;
  std::vector<std::pair<unsigned, unsigned>> ranges;
  for (const Span &span : spans)
    ranges.emplace_back(span.begin - 1, span.end - 1);
  SourceMgr noSources;
  SMDiagnostic(noSources, SMLoc(), shownPath(at.file), static_cast<int>(at.line), static_cast<int>(at.column) - 1,
               diagKind, text, lines_.at(at), ranges)
      .print(/*ProgName=*/nullptr, out_, hasColors_);
}

void TextReport::print(const Finding &finding) {
  print(finding.at, finding.isError ? "error" : "warning",
        finding.message + " [" + finding.check + (finding.isError ? ",-warnings-as-errors]" : "]"), finding.spans);
  for (const Note &note : finding.notes)
    print(note.at, "note", note.text, {});
  if (finding.evidence.verdict)
    print(finding.at, "note", inWords(*finding.evidence.verdict), {});
}

} // namespace samedevice::check
