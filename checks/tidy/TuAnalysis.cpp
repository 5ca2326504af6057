#include "TuAnalysis.h"

#include <algorithm>
#include <mutex>
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
  analysis->lowered = clangfront::lower(context, options);
  analysis->result = analysis::analyze(analysis->lowered.program, {}, withWitnesses);
  running.push_back({&context, options, withWitnesses, analysis});
  return analysis;
}

} // namespace samedevice::tidy
