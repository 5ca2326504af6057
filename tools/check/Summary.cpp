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

void Summary::setVerdicts(const std::vector<Finding> &findings) {
  std::map<std::string, size_t> counts;
  std::string device;
  for (const Finding &finding : findings)
    if (const std::optional<Verdict> &verdict = finding.evidence.verdict) {
      ++counts[verdict->verdict];
      device = verdict->device;
    }
  for (const auto &[verdict, count] : counts)
    verdicts_ += (verdicts_.empty() ? "" : ", ") + std::to_string(count) + " " + verdict;
  if (!verdicts_.empty())
    verdicts_ += " on " + device;
}

void Summary::setBaseline(StringRef file, size_t known, std::vector<std::string> stale) {
  baseline_ = shownPath(file);
  known_ = known;
  stale_ = {stale.begin(), stale.end()};
}

void Summary::add(const Summary &other) {
  analyzed_.insert(other.analyzed_.begin(), other.analyzed_.end());
  notAnalyzed_.insert(other.notAnalyzed_.begin(), other.notAnalyzed_.end());
  for (const auto &[header, files] : other.missingHeaders_)
    missingHeaders_[header].insert(files.begin(), files.end());
  errors_.insert(other.errors_.begin(), other.errors_.end());
  givenUp_.insert(other.givenUp_.begin(), other.givenUp_.end());
  silenced_.insert(other.silenced_.begin(), other.silenced_.end());
  known_ += other.known_;
  if (!other.baseline_.empty())
    baseline_ = other.baseline_;
  stale_.insert(other.stale_.begin(), other.stale_.end());
}

/// JSON has lists only.
template <typename T> static std::vector<T> listOf(const std::set<T> &set) { return {set.begin(), set.end()}; }

template <typename T> static json::Object objectOf(const std::map<std::string, T> &map) {
  json::Object object;
  for (const auto &[name, value] : map)
    object[json::fixUTF8(name)] = value;
  return object;
}

template <typename T> static bool mapSet(json::ObjectMapper &map, StringLiteral name, std::set<T> &set) {
  std::vector<T> list;
  if (!map.map(name, list))
    return false;
  set = {list.begin(), list.end()};
  return true;
}

json::Value toJSON(const Summary &summary) {
  std::map<std::string, json::Value> missing;
  for (const auto &[header, files] : summary.missingHeaders_)
    missing.emplace(header, listOf(files));
  return json::Object{{"analyzed", listOf(summary.analyzed_)},
                      {"notAnalyzed", objectOf(summary.notAnalyzed_)},
                      {"missingHeaders", objectOf(missing)},
                      {"errors", objectOf(summary.errors_)},
                      {"givenUp", listOf(summary.givenUp_)},
                      {"silenced", listOf(summary.silenced_)},
                      {"known", static_cast<int64_t>(summary.known_)},
                      {"baseline", summary.baseline_},
                      {"stale", listOf(summary.stale_)}};
}

bool fromJSON(const json::Value &value, Summary &summary, json::Path path) {
  json::ObjectMapper map(value, path);
  std::map<std::string, std::vector<std::string>> missing;
  int64_t known = 0;
  if (!map || !mapSet(map, "analyzed", summary.analyzed_) || !map.map("notAnalyzed", summary.notAnalyzed_) ||
      !map.map("missingHeaders", missing) || !map.map("errors", summary.errors_) ||
      !mapSet(map, "givenUp", summary.givenUp_) || !mapSet(map, "silenced", summary.silenced_) ||
      !map.map("known", known) || !map.map("baseline", summary.baseline_) || !mapSet(map, "stale", summary.stale_))
    return false;
  for (const auto &[header, files] : missing)
    summary.missingHeaders_[header] = {files.begin(), files.end()};
  summary.known_ = static_cast<size_t>(known);
  return true;
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
  if (known_)
    out << ", " << known_ << " known (" << baseline_ << ")";
  for (const std::string *more : {&fixes_, &verdicts_})
    if (!more->empty())
      out << ", " << *more;
  if (!givenUp_.empty())
    out << ", " << counted(givenUp_.size(), "function") << " given up";
  out << '\n';
}

} // namespace samedevice::check
