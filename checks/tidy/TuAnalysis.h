// One translation unit, lowered and analysed once for all checks.
#pragma once

#include "../analysis/Findings.h"
#include "../clang/Lowering.h"

#include <atomic>
#include <memory>

namespace samedevice::tidy {

struct TuAnalysis {
  clangfront::Lowered lowered;
  analysis::Result result;

  /// True once: what could not be finished is the same to all checks, and one of them says it.
  bool saysRemarks() const { return !remarksSaid_.exchange(true); }

  /// The analysis of this translation unit; checks that run on it at the same time share one, where their options do
  /// not tell them apart.
  static std::shared_ptr<const TuAnalysis> of(clang::ASTContext &context, const clangfront::LoweringOptions &options,
                                              bool withWitnesses);

private:
  mutable std::atomic<bool> remarksSaid_ = false;
};

} // namespace samedevice::tidy
