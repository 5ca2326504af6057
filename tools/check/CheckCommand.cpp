#include "CheckCommand.h"

#include "Baseline.h"
#include "Changes.h"
#include "Fixes.h"
#include "Run.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace samedevice::check {

namespace {

class CheckCommand {
public:
  explicit CheckCommand(CheckOptions options) : options_(std::move(options)) {
    options_.formats.printsText = options_.fixing != Fixing::DryRun; // a patch comes in its place
  }

  int operator()() {
    if (Error error = run()) {
      WithColor::error(errs(), "samedevice check") << toString(std::move(error)) << '\n';
      return Usage;
    }
    return exitStatusOf(options_.failOn, findings_, isIncomplete_);
  }

private:
  Error run() {
    if (Error error = readLists())
      return error;
    if (hasNothingToDo_) // a commit without C++ costs nothing
      return Error::success();
    Expected<Sources> sources = findSources(options_.request);
    if (!sources)
      return sources.takeError();
    if (Error error = keepShard(*sources))
      return error;
    for (const std::string &remark : sources->remarks)
      errs() << "samedevice: " << remark << '\n';
    Run run(*sources, options_.checks, options_.cache, options_.cacheBytes);
    run.analyze(options_.jobs, options_.isEachAlone);
    findings_ = run.takeFindings();
    if (!options_.newBaseline.empty())
      return newBaseline(run.summary());
    if (Error error = leaveOut(run.summary()))
      return error;
    run.summary().setFindings(findings_.size());
    if (Error error = report(options_.formats, findings_, run.summary()))
      return error;
    if (Error error = applyFixes(run))
      return error;
    run.summary().print(errs());
    isIncomplete_ = run.summary().isIncomplete();
    return Error::success();
  }

  Error readLists() {
    std::vector<std::string> &paths = options_.request.paths;
    if (!options_.filesFrom.empty()) {
      auto list = MemoryBuffer::getFileOrSTDIN(options_.filesFrom);
      if (!list)
        return createFileError(options_.filesFrom, list.getError());
      for (StringRef line : split((*list)->getBuffer(), '\n'))
        if (line = line.trim(); isSourceFile(line) || isHeaderFile(line))
          paths.push_back(line.str());
      hasNothingToDo_ = paths.empty();
    }
    if (options_.diffBase.empty())
      return Error::success();
    Expected<Changes> changes = Changes::since(options_.diffBase);
    if (!changes)
      return changes.takeError();
    changes_ = std::move(*changes);
    std::vector<std::string> changed = changes_->files();
    erase_if(changed, [&](const std::string &file) {
      return !(isSourceFile(file) || isHeaderFile(file)) || !isBelowAny(file, paths);
    });
    paths = std::move(changed);
    hasNothingToDo_ = paths.empty();
    return Error::success();
  }

  /// One after the other in turn: large files are often neighbours.
  Error keepShard(Sources &sources) const {
    if (options_.shard.empty())
      return Error::success();
    const auto [which, count] = StringRef(options_.shard).split('/');
    unsigned shard = 0, shards = 0;
    if (which.getAsInteger(10, shard) || count.getAsInteger(10, shards) || shard == 0 || shard > shards)
      return createStringError(inconvertibleErrorCode(), "--shard takes two numbers, 2/5 for the second of five");
    std::vector<Source> kept;
    for (size_t index = 0; index < sources.list.size(); ++index)
      (index % shards == shard - 1 ? kept : sources.others).push_back(std::move(sources.list[index]));
    sources.list = std::move(kept);
    return Error::success();
  }

  /// What is known, and what is older than the change that is looked at.
  Error leaveOut(Summary &summary) {
    if (!options_.baseline.empty()) {
      Expected<Baseline> baseline = Baseline::read(options_.baseline);
      if (!baseline)
        return baseline.takeError();
      baseline->removeFrom(findings_);
      summary.setBaseline(options_.baseline, baseline->known(),
                          baseline->stale([&](StringRef file) { return summary.wasAnalyzed(file); }));
    }
    if (changes_)
      erase_if(findings_, [this](const Finding &finding) {
        return !changes_->has(finding.at.file, finding.at.line) &&
               none_of(finding.notes, [this](const Note &note) { return changes_->has(note.at.file, note.at.line); });
      });
    return Error::success();
  }

  Error newBaseline(Summary &summary) {
    if (Error error = writeBaseline(findings_, options_.newBaseline))
      return error;
    summary.setFindings(findings_.size());
    summary.print(errs());
    isIncomplete_ = summary.isIncomplete();
    findings_.clear(); // they are what was asked for
    return Error::success();
  }

  Error applyFixes(Run &run) {
    if (options_.fixing == Fixing::No) {
      run.summary().setFixable(count_if(findings_, [](const Finding &finding) { return !finding.edits.empty(); }));
      return Error::success();
    }
    const Fixed fixed = fix(findings_, [&](const std::string &file) { return run.formatStyleOf(file); });
    for (const auto &[file, texts] : fixed.files) {
      if (options_.fixing == Fixing::DryRun)
        outs() << diffOf(file, texts);
      else if (Error error = writeFixed(file, texts))
        return error;
    }
    outs().flush();
    const size_t count = llvm::count(fixed.isFixed, true);
    run.summary().setFixes(count, fixed.refused, options_.fixing == Fixing::DryRun);
    if (options_.fixing == Fixing::InPlace) {
      size_t index = 0;
      erase_if(findings_, [&](const Finding &) { return fixed.isFixed[index++]; });
    }
    return Error::success();
  }

  CheckOptions options_;
  bool hasNothingToDo_ = false;
  std::optional<Changes> changes_;
  std::vector<Finding> findings_;
  bool isIncomplete_ = false;
};

} // namespace

int runCheck(CheckOptions options) { return CheckCommand(std::move(options))(); }

} // namespace samedevice::check
