// What all forms of output are made of.
#pragma once

#include "Finding.h"

#include "llvm/Support/raw_ostream.h"

namespace samedevice::check {

/// The findings file of samedevice-replay. `witnesses`: what the checks have written for each source.
void printFindingsFile(const std::vector<Finding> &findings, const std::vector<std::string> &witnesses,
                       llvm::raw_ostream &out);

/// SARIF 2.1.0, for GitHub's code scanning and others.
void printSarif(const std::vector<Finding> &findings, llvm::raw_ostream &out);

/// Workflow commands: GitHub shows them at the lines of a pull request.
void printGithub(const std::vector<Finding> &findings, llvm::raw_ostream &out);

} // namespace samedevice::check
