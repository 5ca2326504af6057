#include "Run.h"

#include "Children.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"

using namespace llvm;

namespace samedevice::check {

/// The slowest source that was measured takes a tenth of it.
static constexpr std::chrono::seconds kLimit{600};

Run::Run(const Sources &sources, const std::string &checks, const std::string &cache, uint64_t cacheBytes)
    : sources_(sources), configuration_(checks), cache_(cache), cacheBytes_(cacheBytes), headers_(cache_, disk_),
      results_(cache_, disk_, headers_), facts_(cache_) {}

void Run::analyze(unsigned jobs, bool isEachAlone) {
  const unsigned width = jobs ? jobs : hardware_concurrency().compute_thread_count();
  if (!cache_.problem().empty())
    errs() << "samedevice: " << cache_.problem() << '\n';
  for (const std::string &absent : sources_.absent)
    summary_.addNotAnalyzed(absent, "there is no such file");
  prepare();
  for (const std::string &problem : configuration_.problems())
    errs() << problem << '\n';
  Works rest;
  for (Work &work : work_)
    if (!work.outcome)
      rest.push_back(&work);
  clangfront::Surroundings::writeDownWhatIsAsked();
  if (rest.size() > 1)
    for (const Work *work : rest)
      results_.knowSurroundings(work->source);
  // Where it crashes, it may have been the precompiled headers.
  analyze(analyze(rest, width, &headers_), width, nullptr);
  if (!isEachAlone)
    lookAtWholePrograms(width);
  for (Work &work : work_)
    if (work.outcome)
      take(work, std::move(*work.outcome));
  if (!lost_.empty())
    errs() << "samedevice: " << lost_ << '\n';
  if (!rest.empty())
    cache_.trimTo(cacheBytes_);
}

/// Gives them their outcomes. Returns those that crashed.
Run::Works Run::analyze(const Works &works, unsigned width, PrecompiledHeaders *headers) {
  Works crashed;
  size_t done = 0, found = 0;
  runInChildren(
      works.size(), width, kLimit,
      [&](size_t index) {
        const Work &work = *works[index];
        facts_.recordAs(work.key);
        return results_.keep(work.key, work.source, check::analyze(work.source, work.options, headers));
      },
      [&](size_t index, const ChildResult &result) {
        Work &work = *works[index];
        work.outcome = outcomeOf(result);
        note(*work.outcome);
        found += work.outcome->findings.size();
        if (!result.failure.empty() && !result.isLate)
          crashed.push_back(&work);
        showProgress(++done, works.size(), found);
      });
  return crashed;
}

void Run::note(const Outcome &outcome) {
  if (!outcome.cacheProblem.empty())
    lost_ = outcome.cacheProblem;
}

/// What there is to be done; what need not be done is taken from the cache.
void Run::prepare() {
  for (const Source &source : sources_.list) {
    Work next{source, configuration_.of(source.file), "", std::nullopt};
    if (!hasChecks(next.options)) {
      summary_.addSilenced(source.file);
      continue;
    }
    next.key = Results::keyOf(source, next.options);
    if (facts_.has(next.key))
      next.outcome = results_.find(next.key, source);
    if (next.outcome)
      summary_.addUnchanged();
    work_.push_back(std::move(next));
  }
}

/// What others know of a source may show something else in it; also others that nobody asks for, if they have not
/// changed since somebody did.
void Run::lookAtWholePrograms(unsigned width) {
  std::vector<Unit> units;
  std::vector<Work> others;
  for (Work &work : work_)
    if (work.outcome)
      units.push_back({work.source, &work.options, work.key, &*work.outcome});
  for (const Source &source : sources_.others) {
    Work other{source, configuration_.of(source.file), "", std::nullopt};
    other.key = Results::keyOf(source, other.options);
    if (hasChecks(other.options) && facts_.has(other.key) && results_.find(other.key, source))
      others.push_back(std::move(other));
  }
  for (const Work &other : others)
    units.push_back({other.source, &other.options, other.key, nullptr});
  if (units.size() < 2)
    return;
  WholePrograms programs(std::move(units), sources_.buildDirectory, cache_, results_, facts_, headers_);
  for (const std::string &problem : programs.run(width))
    errs() << "samedevice: " << problem << '\n';
  programs.leaveBehind(begin_);
  for (const Work &work : work_)
    if (work.outcome)
      note(*work.outcome);
}

void Run::take(const Work &work, Outcome outcome) {
  llvm::erase_if(outcome.findings, [&](const Finding &finding) { return !isWanted(finding.at.file, work); });
  summary_.add(work.source, outcome);
  append_range(findings_, outcome.findings);
}

bool Run::isWanted(StringRef file, const Work &work) const {
  if (!work.source.get().headers.empty())
    return is_contained(work.source.get().headers, file);
  return file == work.source.get().file || filtersHeaders(work.options) || sources_.include(file);
}

void Run::showProgress(size_t done, size_t all, size_t found) {
  if (!sys::Process::StandardErrIsDisplayed())
    return;
  errs() << "\r\033[K";
  if (done < all)
    errs() << "[" << done << "/" << all << "] " << found << " findings";
}

std::vector<Finding> Run::takeFindings() {
  sortOnce(findings_);
  return std::move(findings_);
}

std::string Run::formatStyleOf(const std::string &file) { return configuration_.of(file).FormatStyle.value_or("none"); }

} // namespace samedevice::check
