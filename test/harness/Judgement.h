// Holds what an analyser said against what a fixture promises.
#pragma once

#include "Diagnostics.h"
#include "Fixture.h"

namespace samedevice::harness {

struct Mismatch {
  int line = 0;
  std::string text;
};

/// Warnings one for one, with what they and their notes say.
std::vector<Mismatch> compare(const Fixture &fixture, const std::vector<Diagnostic> &diagnostics);

/// After the fix-its were applied: what had one is silent, nothing is new, everything compiles. The lines of both
/// versions of the file tell which warnings are the same.
std::vector<Mismatch> compareFixed(const std::vector<Diagnostic> &before, const std::vector<Diagnostic> &after,
                                   const std::vector<std::string> &linesBefore,
                                   const std::vector<std::string> &linesAfter);

} // namespace samedevice::harness
