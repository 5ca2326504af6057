#include "TuAnalysis.h"

#include <map>
#include <mutex>

namespace samedevice::tidy {

std::shared_ptr<const TuAnalysis> TuAnalysis::of(clang::ASTContext &context, const clangfront::LoweringOptions &options,
                                                 bool withWitnesses) {
  // Checks are made one by one and do not know each other. Kept only as long as one of them holds on to it.
  static std::mutex mutex;
  static std::map<const clang::ASTContext *, std::weak_ptr<const TuAnalysis>> running;
  std::lock_guard<std::mutex> lock(mutex);
  std::weak_ptr<const TuAnalysis> &entry = running[&context];
  if (std::shared_ptr<const TuAnalysis> known = entry.lock())
    return known;
  auto analysis = std::make_shared<TuAnalysis>();
  analysis->lowered = clangfront::lower(context, options);
  analysis->result = analysis::analyze(analysis->lowered.program, {}, withWitnesses);
  entry = analysis;
  std::shared_ptr<const TuAnalysis> shared = analysis;
  for (auto it = running.begin(); it != running.end();)
    it = it->second.expired() ? running.erase(it) : std::next(it);
  return shared;
}

} // namespace samedevice::tidy
