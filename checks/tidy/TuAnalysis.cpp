#include "TuAnalysis.h"

#include "../clang/Surroundings.h"

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
  std::weak_ptr<const TuAnalysis> analysis;
};

/// The project around the file that is analysed; nothing where it comes from no file.
std::optional<clangfront::Surroundings> surroundingsOf(const clang::ASTContext &context) {
  const clang::SourceManager &sources = context.getSourceManager();
  const auto mainFile = sources.getFileEntryRefForID(sources.getMainFileID());
  return mainFile ? std::make_optional<clangfront::Surroundings>(mainFile->getName()) : std::nullopt;
}

/// Of launchers that other files call: whether those hold a guard.
void askCallersElsewhere(clangfront::Surroundings &surroundings, TuAnalysis &analysis) {
  using Answer = clangfront::Surroundings::Answer;
  auto answerFor = [&](const analysis::Finding &finding) {
    const auto *function =
        llvm::dyn_cast_or_null<clang::FunctionDecl>(analysis.lowered.sources[finding.calledElsewhere].decl);
    if (!function || !function->getIdentifier())
      return Answer::Nothing;
    const auto bound = analysis.lowered.boundAs.find(function->getCanonicalDecl());
    return surroundings.callersOf(function->getName(), bound == analysis.lowered.boundAs.end()
                                                           ? llvm::ArrayRef<std::string>()
                                                           : llvm::ArrayRef<std::string>(bound->second));
  };
  std::vector<analysis::Finding> &findings = analysis.result.findings;
  auto isGuard = [](const analysis::Finding &finding) { return finding.check == analysis::Check::MissingGuard; };
  const bool isAboutGuards =
      !analysis.result.undecided.empty() || std::any_of(findings.begin(), findings.end(), isGuard);
  const bool isOneGpus = isAboutGuards && !analysis.result.knowsSeveralGpus && surroundings.areOfOneGpuProgram();
  findings.erase(std::remove_if(findings.begin(), findings.end(),
                                [&](const analysis::Finding &finding) {
                                  return (isGuard(finding) && isOneGpus) ||
                                         (finding.calledElsewhere && answerFor(finding) == Answer::Guarded);
                                }),
                 findings.end());
  for (analysis::Finding &finding : analysis.result.undecided)
    if (!isOneGpus && answerFor(finding) == Answer::Unguarded)
      findings.push_back(std::move(finding));
  std::stable_sort(findings.begin(), findings.end(),
                   [](const auto &first, const auto &second) { return first.at < second.at; });
}

} // namespace

std::shared_ptr<const TuAnalysis> TuAnalysis::of(clang::ASTContext &context, const clangfront::LoweringOptions &options,
                                                 bool withWitnesses) {
  // Checks are made one by one and do not know each other.
  static std::mutex mutex;
  static std::vector<Running> running;
  std::lock_guard<std::mutex> lock(mutex);
  running.erase(std::remove_if(running.begin(), running.end(), [](const Running &r) { return r.analysis.expired(); }),
                running.end());
  for (const Running &known : running)
    if (known.context == &context && known.options == options && known.withWitnesses == withWitnesses)
      if (std::shared_ptr<const TuAnalysis> shared = known.analysis.lock())
        return shared;
  auto analysis = std::make_shared<TuAnalysis>();
  std::optional<clangfront::Surroundings> surroundings = surroundingsOf(context);
  analysis->lowered = clangfront::lower(context, options, surroundings ? &*surroundings : nullptr);
  analysis->result = analysis::analyze(analysis->lowered.program, {}, withWitnesses);
  if (surroundings)
    askCallersElsewhere(*surroundings, *analysis);
  analysis->result.undecided.clear();
  running.push_back({&context, options, withWitnesses, analysis});
  return analysis;
}

} // namespace samedevice::tidy
