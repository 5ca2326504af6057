#include "Summary.h"

#include "TextReport.h"

using namespace llvm;

namespace samedevice::check {

static std::string counted(size_t count, StringRef what) {
  return (Twine(count) + " " + what + (count == 1 ? "" : "s")).str();
}

void Summary::addNotAnalyzed(StringRef file, StringRef why) { notAnalyzed_[file.str()] = why.str(); }

void Summary::add(const Source &source, const Outcome &outcome) {
  if (!outcome.notAnalyzed.empty())
    return addNotAnalyzed(source.file, outcome.notAnalyzed);
  analyzed_.insert(source.file);
  for (const std::string &header : outcome.missingHeaders)
    missingHeaders_[header].insert(source.file);
  if (outcome.missingHeaders.empty() && !outcome.errors.empty())
    errors_.emplace(source.file, outcome.errors.front());
  givenUp_.insert(outcome.givenUp.begin(), outcome.givenUp.end());
}

void Summary::setFixable(size_t count) {
  if (count)
    fixes_ = (Twine(count) + " that --fix can fix").str();
}

void Summary::setFixes(size_t count, size_t refused, bool isDryRun) {
  fixes_ = (Twine(count) + (isDryRun ? " can be fixed" : " fixed")).str();
  if (refused)
    fixes_ += (", " + Twine(refused) + " not: they overlap with others, run again").str();
}

void Summary::setBaseline(StringRef file, size_t known, std::vector<std::string> stale) {
  if (known)
    baseline_ = (Twine(known) + " known (" + shownPath(file) + ")").str();
  stale_ = std::move(stale);
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
  for (const std::string &entry : stale_)
    out << "samedevice: stale in the baseline: " << entry << '\n';
  out << counted(findings_, "finding") << " in " << counted(analyzed_.size(), "file");
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
  for (const std::string *more : {&baseline_, &fixes_})
    if (!more->empty())
      out << ", " << *more;
  if (!givenUp_.empty())
    out << ", " << counted(givenUp_.size(), "function") << " given up";
  out << '\n';
}

} // namespace samedevice::check
