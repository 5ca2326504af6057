// The findings file (docs/witness-format.md): what the checks write in clang-tidy, what samedevice-replay reads, and
// what one run of ours hands to the next.
#pragma once

#include "Summary.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace samedevice::check {

/// Gives the findings the witnesses that the checks have written of them.
void addWitnesses(llvm::StringRef text, std::vector<Finding> &findings);

void printFindingsFile(const std::vector<Finding> &findings, const Summary &summary, llvm::raw_ostream &out);

/// Adds what a file says. Names of files are as if it had been written here: a checkout may lie elsewhere.
llvm::Error readFindingsFile(llvm::StringRef file, std::vector<Finding> &findings, Summary &summary);

} // namespace samedevice::check
