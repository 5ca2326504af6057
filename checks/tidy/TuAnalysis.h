// One translation unit, lowered and analysed once for all checks.
#pragma once

#include "../analysis/Findings.h"
#include "../clang/Lowering.h"

#include <memory>

namespace samedevice::tidy {

struct TuAnalysis {
  clangfront::Lowered lowered;
  analysis::Result result;

  /// The analysis of this translation unit; checks that run on it at the same time share one.
  static std::shared_ptr<const TuAnalysis> of(clang::ASTContext &context, const clangfront::LoweringOptions &options,
                                              bool withWitnesses);
};

} // namespace samedevice::tidy
