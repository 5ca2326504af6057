#include "CheckCommand.h"

#include "Children.h"
#include "Configuration.h"
#include "Results.h"
#include "Summary.h"
#include "TextReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace samedevice::check {

namespace {

/// The slowest source that was measured takes a tenth of it.
constexpr std::chrono::seconds kLimit{600};

struct Work {
  const Source &source;
  clang::tidy::ClangTidyOptions options;
  std::string key; ///< of its result
};

class Run {
public:
  explicit Run(const CheckOptions &options) : options_(options), cache_(options.cache) {}

  int operator()() {
    Expected<Sources> sources = findSources(options_.request);
    if (!sources) {
      WithColor::error(errs(), "samedevice check") << toString(sources.takeError()) << '\n';
      return Usage;
    }
    for (const std::string &remark : sources->remarks)
      errs() << "samedevice: " << remark << '\n';
    for (const std::string &absent : sources->absent)
      summary_.addNotAnalyzed(absent, "there is no such file");
    if (!cache_.problem().empty())
      errs() << "samedevice: " << cache_.problem() << '\n';
    analyzeAll(*sources);
    cache_.trimTo(options_.cacheBytes);
    report();
    return summary_.exitStatus();
  }

private:
  void analyzeAll(const Sources &sources) {
    Configuration configuration(options_.checks);
    std::vector<Work> work;
    for (const Source &source : sources.list) {
      Work next{source, configuration.of(source.file), ""};
      next.key = Results::keyOf(source, next.options);
      if (!hasChecks(next.options))
        summary_.addSilenced(source.file);
      else if (std::optional<Outcome> known = results_.find(next.key, source))
        takeKnown(next, sources, std::move(*known));
      else
        work.push_back(std::move(next));
    }
    for (const std::string &problem : configuration.problems())
      errs() << problem << '\n';
    const unsigned width = options_.jobs ? options_.jobs : hardware_concurrency().compute_thread_count();
    size_t done = 0;
    runInChildren(
        work.size(), width, kLimit,
        [&](size_t index) {
          const auto &[source, options, key] = work[index];
          const Analysis analysis = analyze(source, options, &headers_);
          results_.keep(key, source, analysis);
          std::string text;
          raw_string_ostream(text) << json::Value(analysis.outcome);
          return text;
        },
        [&](size_t index, ChildResult result) {
          take(work[index], sources, outcomeOf(std::move(result)));
          showProgress(++done, work.size());
        });
  }

  static Outcome outcomeOf(ChildResult result) {
    Outcome outcome;
    if (!result.failure.empty())
      outcome.notAnalyzed = result.failure;
    else if (Expected<Outcome> parsed = json::parse<Outcome>(result.output))
      outcome = std::move(*parsed);
    else
      outcome.notAnalyzed = toString(parsed.takeError());
    return outcome;
  }

  void takeKnown(const Work &work, const Sources &sources, Outcome outcome) {
    summary_.addUnchanged();
    take(work, sources, std::move(outcome));
  }

  void take(const Work &work, const Sources &sources, Outcome outcome) {
    erase_if(outcome.findings, [&](const Finding &finding) { return !isWanted(finding.at.file, work, sources); });
    summary_.add(work.source, outcome);
    append_range(findings_, outcome.findings);
  }

  static bool isWanted(StringRef file, const Work &work, const Sources &sources) {
    if (!work.source.headers.empty())
      return is_contained(work.source.headers, file);
    return file == work.source.file || filtersHeaders(work.options) || sources.include(file);
  }

  void showProgress(size_t done, size_t all) {
    if (!sys::Process::StandardErrIsDisplayed())
      return;
    errs() << "\r\033[K";
    if (done < all)
      errs() << "[" << done << "/" << all << "] " << findings_.size() << " findings";
  }

  void report() {
    llvm::sort(findings_);
    findings_.erase(std::unique(findings_.begin(), findings_.end()), findings_.end());
    TextReport text(outs(), sys::Process::StandardOutHasColors());
    for (const Finding &finding : findings_)
      text.print(finding);
    outs().flush();
    summary_.setFindings(findings_.size());
    summary_.print(errs());
  }

  const CheckOptions &options_;
  Cache cache_;
  Disk disk_;
  PrecompiledHeaders headers_{cache_, disk_};
  Results results_{cache_, disk_, headers_};
  std::vector<Finding> findings_;
  Summary summary_;
};

} // namespace

int runCheck(const CheckOptions &options) { return Run(options)(); }

} // namespace samedevice::check
