#include "MergeCommand.h"

#include "FindingsFile.h"
#include "Replay.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace samedevice::check {

static Expected<ExitStatus> merge(const MergeOptions &options) {
  std::vector<Finding> findings;
  Summary summary;
  for (const std::string &file : options.files)
    if (Error error = readFindingsFile(file, findings, summary))
      return error;
  sortOnce(findings);
  if (options.isReplayed) {
    if (Error error = replay(findings, options.executable, options.backend))
      return error;
    summary.setVerdicts(findings);
  }
  summary.setFindings(findings.size());
  summary.setFixable(count_if(findings, [](const Finding &finding) { return !finding.edits.empty(); }));
  if (Error error = report(options.formats, findings, summary))
    return error;
  summary.print(errs());
  return exitStatusOf(options.failOn, findings, summary.isIncomplete());
}

int runMerge(const MergeOptions &options) {
  Expected<ExitStatus> status = merge(options);
  if (status)
    return *status;
  WithColor::error(errs(), "samedevice") << toString(status.takeError()) << '\n';
  return Usage;
}

} // namespace samedevice::check
