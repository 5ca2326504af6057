#include "Run.h"

#include "Children.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"

using namespace llvm;

namespace samedevice::check {

/// The slowest source that was measured takes a tenth of it.
static constexpr std::chrono::seconds kLimit{600};

static Outcome outcomeOf(const ChildResult &result) {
  Outcome outcome;
  if (!result.failure.empty())
    outcome.notAnalyzed = result.failure;
  else if (Expected<Outcome> parsed = json::parse<Outcome>(result.output))
    outcome = std::move(*parsed);
  else
    outcome.notAnalyzed = toString(parsed.takeError());
  return outcome;
}

Run::Run(const Sources &sources, const std::string &checks, const std::string &cache, uint64_t cacheBytes)
    : sources_(sources), configuration_(checks), cache_(cache), cacheBytes_(cacheBytes), headers_(cache_, disk_),
      results_(cache_, disk_, headers_) {}

void Run::analyze(unsigned jobs) {
  if (!cache_.problem().empty())
    errs() << "samedevice: " << cache_.problem() << '\n';
  for (const std::string &absent : sources_.absent)
    summary_.addNotAnalyzed(absent, "there is no such file");
  const std::vector<Work> work = prepare();
  for (const std::string &problem : configuration_.problems())
    errs() << problem << '\n';
  const unsigned width = jobs ? jobs : hardware_concurrency().compute_thread_count();
  std::vector<Work> crashed;
  analyze(work, width, &headers_, [&](const Work &work, const ChildResult &result) {
    if (result.failure.empty() || result.isLate)
      take(work, outcomeOf(result));
    else
      crashed.push_back(work);
  });
  // It may have been the precompiled headers.
  analyze(crashed, width, nullptr, [&](const Work &work, const ChildResult &result) { take(work, outcomeOf(result)); });
  if (!lost_.empty())
    errs() << "samedevice: " << lost_ << '\n';
  if (!work.empty())
    cache_.trimTo(cacheBytes_);
}

void Run::analyze(const std::vector<Work> &work, unsigned width, PrecompiledHeaders *headers,
                  function_ref<void(const Work &, const ChildResult &)> finished) {
  size_t done = 0;
  runInChildren(
      work.size(), width, kLimit,
      [&](size_t index) {
        const auto &[source, options, key] = work[index];
        Analysis analysis = check::analyze(source, options, headers);
        results_.keep(key, source, analysis);
        analysis.outcome.cacheProblem = cache_.lost();
        std::string text;
        raw_string_ostream(text) << json::Value(analysis.outcome);
        return text;
      },
      [&](size_t index, const ChildResult &result) {
        finished(work[index], result);
        showProgress(++done, work.size());
      });
}

/// What there is to be done; what need not be done is taken from the cache.
std::vector<Run::Work> Run::prepare() {
  std::vector<Work> work;
  for (const Source &source : sources_.list) {
    Work next{source, configuration_.of(source.file), ""};
    if (!hasChecks(next.options)) {
      summary_.addSilenced(source.file);
      continue;
    }
    next.key = Results::keyOf(source, next.options);
    if (std::optional<Outcome> known = results_.find(next.key, source)) {
      summary_.addUnchanged();
      take(next, std::move(*known));
    } else {
      work.push_back(std::move(next));
    }
  }
  return work;
}

void Run::take(const Work &work, Outcome outcome) {
  llvm::erase_if(outcome.findings, [&](const Finding &finding) { return !isWanted(finding.at.file, work); });
  summary_.add(work.source, outcome);
  if (!outcome.cacheProblem.empty())
    lost_ = outcome.cacheProblem;
  append_range(findings_, outcome.findings);
}

bool Run::isWanted(StringRef file, const Work &work) const {
  if (!work.source.get().headers.empty())
    return is_contained(work.source.get().headers, file);
  return file == work.source.get().file || filtersHeaders(work.options) || sources_.include(file);
}

void Run::showProgress(size_t done, size_t all) const {
  if (!sys::Process::StandardErrIsDisplayed())
    return;
  errs() << "\r\033[K";
  if (done < all)
    errs() << "[" << done << "/" << all << "] " << findings_.size() << " findings";
}

std::vector<Finding> Run::takeFindings() {
  sortOnce(findings_);
  return std::move(findings_);
}

std::string Run::formatStyleOf(const std::string &file) { return configuration_.of(file).FormatStyle.value_or("none"); }

} // namespace samedevice::check
