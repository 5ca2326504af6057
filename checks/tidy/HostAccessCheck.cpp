#include "HostAccessCheck.h"

namespace samedevice::tidy {

std::string HostAccessCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  std::string name = quoted(source.name(finding.subject), "this tensor");
  if (finding.variant == "dangling")
    return "pointer into a temporary host copy of " + quoted(source.name(finding.subject), "a tensor") +
           " that is gone at the end of the statement";
  std::string how = finding.detail.empty() ? "" : " by " + quoted(finding.detail, "");
  if (finding.detail == "dereference" || finding.detail == "accessor")
    how = "";
  if (finding.variant == "argument")
    return quoted(finding.detail, "this operator") + " wants " + name + " on cpu, but it is " + on(finding.device) +
           whenClause(finding);
  if (finding.variant == "pointer")
    return "host access" + how + " through a pointer to memory " + on(finding.device) + whenClause(finding);
  return "host access" + how + " to " + name + ", which is " + on(finding.device) + whenClause(finding);
}

} // namespace samedevice::tidy
