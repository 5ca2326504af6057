#include "TuAnalysis.h"

#include "../clang/Names.h"
#include "../clang/Surroundings.h"
#include "../facts/Link.h"
#include "../facts/Object.h"
#include "../facts/Programs.h"
#include "SourceTable.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

namespace samedevice::tidy {

namespace {

/// Analyses that some check still holds on to, and what they were asked for.
struct Running {
  const clang::ASTContext *context;
  clangfront::LoweringOptions options;
  bool withWitnesses;
  FactsPlace factsAt;
  std::weak_ptr<const TuAnalysis> analysis;
};

/// Empty where what is analysed comes from no file.
std::string mainFileOf(const clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  const auto mainFile = sources.getFileEntryRefForID(sources.getMainFileID());
  return mainFile ? mainFile->getName().str() : std::string();
}

/// The project around the file that is analysed.
std::optional<clangfront::Surroundings> surroundingsOf(const clang::ASTContext &context) {
  const std::string mainFile = mainFileOf(context);
  return mainFile.empty() ? std::nullopt : std::make_optional<clangfront::Surroundings>(mainFile);
}

/// Of launchers that other files call: whether those hold a guard, or may.
void askCallersElsewhere(clangfront::Surroundings &surroundings, Analyzed &analyzed) {
  using Answer = clangfront::Surroundings::Answer;
  auto answerFor = [&](const analysis::Finding &finding) {
    if (finding.calledElsewhere == facts::kNone)
      return Answer::Nothing;
    const facts::Function &function = analyzed.program->functions[finding.calledElsewhere];
    return surroundings.callersOf(clangfront::Names::unqualified(function.name), function.boundAs);
  };
  std::vector<analysis::Finding> &findings = analyzed.result.findings;
  auto isGuard = [](const analysis::Finding &finding) { return finding.check == analysis::Check::MissingGuard; };
  const bool isAboutGuards =
      !analyzed.result.undecided.empty() || std::any_of(findings.begin(), findings.end(), isGuard);
  const bool isOneGpus = isAboutGuards && !analyzed.result.knowsSeveralGpus && surroundings.areOfOneGpuProgram();
  findings.erase(std::remove_if(findings.begin(), findings.end(),
                                [&](const analysis::Finding &finding) {
                                  const Answer answer = answerFor(finding);
                                  return (isGuard(finding) && isOneGpus) || answer == Answer::Guarded ||
                                         answer == Answer::Worker;
                                }),
                 findings.end());
  for (analysis::Finding &finding : analyzed.result.undecided)
    if (!isOneGpus && answerFor(finding) == Answer::Unguarded)
      findings.push_back(std::move(finding));
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto &first, const auto &second) { return first.at < second.at; });
}

/// The programs that a file is part of: itself alone where nobody knows of others.
std::vector<std::unique_ptr<Analyzed>> programsOf(const facts::Program &own, const std::vector<Unit> &others) {
  std::vector<const facts::Program *> units{&own};
  for (const Unit &unit : others)
    if (unit->files.empty() || own.files.empty() || unit->files.front() != own.files.front())
      units.push_back(unit.get());
  std::vector<std::unique_ptr<Analyzed>> programs;
  if (units.size() > 1)
    for (const std::vector<std::size_t> &together : facts::programsAmong(units)) {
      if (together.front() != 0) // without this file
        continue;
      auto &made = programs.emplace_back(std::make_unique<Analyzed>());
      made->linked = facts::link(units, together);
      made->units = together.size();
      made->program = &made->linked;
    }
  if (programs.empty())
    programs.emplace_back(std::make_unique<Analyzed>())->program = &own;
  return programs;
}

} // namespace

std::shared_ptr<const TuAnalysis> TuAnalysis::of(clang::ASTContext &context, const clangfront::LoweringOptions &options,
                                                 bool withWitnesses, const FactsPlace &factsAt) {
  // Checks are made one by one and do not know each other.
  static std::mutex mutex;
  static std::vector<Running> running;
  std::lock_guard<std::mutex> lock(mutex);
  running.erase(std::remove_if(running.begin(), running.end(), [](const Running &r) { return r.analysis.expired(); }),
                running.end());
  for (const Running &known : running)
    if (known.context == &context && known.options == options && known.withWitnesses == withWitnesses &&
        known.factsAt == factsAt)
      if (std::shared_ptr<const TuAnalysis> shared = known.analysis.lock())
        return shared;
  auto analysis = std::make_shared<TuAnalysis>();
  std::optional<clangfront::Surroundings> surroundings = surroundingsOf(context);
  analysis->lowered = clangfront::lower(context, options, surroundings ? &*surroundings : nullptr);
  OtherUnits &known = OtherUnits::ofThisProcess();
  std::optional<std::vector<Unit>> onDisk;
  if (factsAt.isAnywhere() && !known.record && !known.whole) // else somebody knows better
    onDisk = known.othersAt(factsAt, mainFileOf(context));
  const bool isOnDisk = onDisk.has_value();
  const std::vector<Unit> others = isOnDisk ? std::move(*onDisk) : known.units;
  if (known.record || known.whole || !others.empty() || (isOnDisk && known.remembersFiles))
    describeSources(context, analysis->lowered);
  const facts::Program &own = analysis->lowered.program;
  if (isOnDisk)
    known.remember(own);
  if (known.whole && facts::write(own) == known.whole->object) {
    analysis->programs.push_back(std::make_unique<Analyzed>());
    Analyzed &whole = *analysis->programs.back();
    whole.program = known.whole->program;
    whole.sourcesBefore = known.whole->sourcesBefore;
    whole.result = *known.whole->result;
  } else {
    analysis->programs = programsOf(own, others);
    for (const std::unique_ptr<Analyzed> &analyzed : analysis->programs)
      analyzed->result =
          analysis::analyze(*analyzed->program, analysis::Limits::ofFiles(analyzed->units), withWitnesses);
    if (known.record)
      known.record(own, analysis->programs.front()->result);
  }
  for (const std::unique_ptr<Analyzed> &analyzed : analysis->programs) {
    if (surroundings)
      askCallersElsewhere(*surroundings, *analyzed);
    analyzed->result.undecided.clear();
  }
  running.push_back({&context, options, withWitnesses, factsAt, analysis});
  return analysis;
}

} // namespace samedevice::tidy
