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
      results_(cache_, disk_, headers_), facts_(cache_) {}

void Run::analyze(unsigned jobs) {
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
  // Where it crashes, it may have been the precompiled headers.
  analyze(analyze(rest, width, &headers_), width, nullptr);
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
        return kept(work, work.key, check::analyze(work.source, work.options, headers));
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

/// In a child: as its parent reads it.
std::string Run::kept(const Work &work, const std::string &key, Analysis analysis) {
  results_.keep(key, work.source, analysis);
  analysis.outcome.cacheProblem = cache_.lost();
  std::string text;
  raw_string_ostream(text) << json::Value(analysis.outcome);
  return text;
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

/// Looks once more at sources of which others know more than they do themselves.
void Run::lookAtWholePrograms(unsigned width) {
  if (work_.size() < 2)
    return;
  std::vector<std::string> objects;
  objects.reserve(work_.size());
  for (const Work &work : work_)
    objects.push_back(facts_.of(work.key));
  WholePrograms programs(std::move(objects));
  Works rest;
  std::vector<size_t> indices;
  auto wholeKey = [&](const Work &work) { return digestOf({work.key, programs.digest()}); };
  for (size_t index : changedByWholes(programs)) {
    Work &work = work_[index];
    if (std::optional<Outcome> known = results_.find(wholeKey(work), work.source)) {
      work.outcome = std::move(known);
      continue;
    }
    rest.push_back(&work);
    indices.push_back(index);
  }
  if (!rest.empty())
    programs.read();
  runInChildren(
      rest.size(), width, kLimit,
      [&](size_t index) {
        const Work &work = *rest[index];
        programs.useAllBut(indices[index]);
        return kept(work, wholeKey(work), check::analyze(work.source, work.options, &headers_));
      },
      [&](size_t index, const ChildResult &result) {
        Outcome outcome = outcomeOf(result);
        note(outcome);
        // What is known of the source alone is better than nothing.
        if (outcome.notAnalyzed.empty())
          rest[index]->outcome = std::move(outcome);
      });
}

std::vector<size_t> Run::changedByWholes(WholePrograms &programs) {
  const std::string entry = programs.digest() + ".changed.json";
  std::vector<size_t> changed;
  auto take = [&](const json::Value &value) {
    if (const json::Array *list = value.getAsArray())
      for (const json::Value &index : *list)
        if (std::optional<int64_t> number = index.getAsInteger();
            number && *number >= 0 && size_t(*number) < work_.size())
          changed.push_back(static_cast<size_t>(*number));
  };
  if (const std::optional<json::Value> known = cache_.read(entry)) {
    take(*known);
    return changed;
  }
  programs.read(); // once for all children
  runInChildren(
      1, 1, kLimit,
      [&](size_t) {
        json::Array list;
        for (size_t index : programs.changed())
          list.push_back(static_cast<int64_t>(index));
        json::Value value(std::move(list));
        cache_.write(entry, value);
        std::string text;
        raw_string_ostream(text) << value;
        return text;
      },
      [&](size_t, const ChildResult &result) {
        Expected<json::Value> value = json::parse(result.output);
        if (result.failure.empty() && value)
          return take(*value);
        consumeError(value.takeError());
        errs() << "samedevice: the sources could not be looked at together: "
               << (result.failure.empty() ? "no answer" : result.failure) << "; each is judged alone\n";
      });
  return changed;
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
