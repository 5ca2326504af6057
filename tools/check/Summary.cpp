#include "Summary.h"

#include "CheckCommand.h"
#include "TextReport.h"

using namespace llvm;

namespace samedevice::check {

void Summary::addNotAnalyzed(StringRef file, StringRef why) { notAnalyzed_[file.str()] = why.str(); }

void Summary::add(const Source &source, const Outcome &outcome) {
  if (!outcome.notAnalyzed.empty())
    return addNotAnalyzed(source.file, outcome.notAnalyzed);
  ++analyzed_;
  for (const std::string &header : outcome.missingHeaders)
    missingHeaders_[header].insert(source.file);
  if (outcome.missingHeaders.empty() && !outcome.errors.empty())
    errors_.emplace(source.file, outcome.errors.front());
  givenUp_.insert(outcome.givenUp.begin(), outcome.givenUp.end());
}

static std::string counted(size_t count, StringRef what) {
  return (Twine(count) + " " + what + (count == 1 ? "" : "s")).str();
}

void Summary::print(raw_ostream &out) const {
  for (const auto &[file, why] : notAnalyzed_)
    out << "samedevice: not analysed: " << shownPath(file) << ": " << why << '\n';
  for (const auto &[file, error] : errors_)
    out << "samedevice: analysed in part: " << shownPath(error.at.file.empty() ? file : error.at.file) << ":"
        << error.at.line << ": " << error.text << '\n';
  for (const auto &[header, files] : missingHeaders_) {
    out << "samedevice: analysed in part: no header " << header << " (" << shownPath(*files.begin());
    if (files.size() > 1)
      out << " and " << counted(files.size() - 1, "other");
    out << ")\n";
  }
  for (const Note &remark : givenUp_)
    out << "samedevice: given up: " << shownPath(remark.at.file) << ":" << remark.at.line << ": " << remark.text
        << '\n';
  out << counted(findings_, "finding") << " in " << counted(analyzed_, "file");
  if (unchanged_)
    out << " (" << unchanged_ << " unchanged)";
  if (!notAnalyzed_.empty())
    out << ", " << notAnalyzed_.size() << " not analysed";
  std::set<std::string> inPart;
  for (const auto &[file, error] : errors_)
    inPart.insert(file);
  for (const auto &[header, files] : missingHeaders_)
    inPart.insert(files.begin(), files.end());
  if (!inPart.empty())
    out << ", " << inPart.size() << " analysed in part";
  if (!silenced_.empty())
    out << ", " << silenced_.size() << " left out (no device-* check in their .clang-tidy)";
  if (!givenUp_.empty())
    out << ", " << counted(givenUp_.size(), "function") << " given up";
  out << '\n';
}

int Summary::exitStatus() const {
  if (findings_)
    return Found;
  return notAnalyzed_.empty() && errors_.empty() && missingHeaders_.empty() ? Clean : Incomplete;
}

} // namespace samedevice::check
