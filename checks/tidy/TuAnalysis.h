// One translation unit, lowered and analysed once for all checks.
#pragma once

#include "../analysis/Findings.h"
#include "../clang/Lowering.h"
#include "OtherUnits.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace samedevice::tidy {

/// A program that the file at hand is part of, and what was found in it.
struct Analyzed {
  facts::Program linked; ///< empty where the file is all there is
  const facts::Program *program = nullptr;
  std::size_t units = 1;             ///< files that it is linked of
  facts::SourceId sourcesBefore = 0; ///< the ids of this file's own sources come behind so many
  analysis::Result result;
};

struct TuAnalysis {
  clangfront::Lowered lowered;
  std::vector<std::unique_ptr<Analyzed>> programs; ///< one, unless several programs share the file

  /// True once: what could not be finished is the same to all checks, and one of them says it.
  bool saysRemarks() const { return !remarksSaid_.exchange(true); }

  /// The analysis of this translation unit; checks that run on it at the same time share one, where their options do
  /// not tell them apart.
  static std::shared_ptr<const TuAnalysis> of(clang::ASTContext &context, const clangfront::LoweringOptions &options,
                                              bool withWitnesses, const FactsPlace &factsAt = {});

private:
  mutable std::atomic<bool> remarksSaid_ = false;
};

} // namespace samedevice::tidy
