// What the command line of `samedevice` takes: the one list, of which the manual and the completions are made as well.
#pragma once

#include "CheckCommand.h"
#include "FactsCommand.h"
#include "Manual.h"
#include "MergeCommand.h"

#include "llvm/Support/CommandLine.h"

namespace samedevice {

extern llvm::cl::SubCommand checkCommand, baselineCommand, mergeCommand, confirmCommand, compdbCommand, factsCommand,
    linkCommand;

/// For `check` and `baseline`, but for what stands behind --.
check::CheckOptions checkOptions();
/// But for what stands behind --.
check::FactsOptions factsOptions();
check::LinkOptions linkOptions();
/// For `merge` and `confirm`.
check::MergeOptions mergeOptions();

struct CompdbOptions {
  std::string directory, output;
};
CompdbOptions compdbOptions();

/// The words that an option takes, where they are known.
std::vector<Choice> choicesOf(llvm::StringRef option);

} // namespace samedevice
