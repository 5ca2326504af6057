#include "UnregisteredMemberCheck.h"

namespace samedevice::tidy {

std::string UnregisteredMemberCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  std::string name =
      quoted(finding.detail.empty() || finding.variant == "module" ? source.name(finding.subject) : finding.detail,
             "this member");
  if (finding.variant == "assigned-over")
    return name + " is assigned over, but 'to()' moves the tensor that was registered before it: the new one stays " +
           on(finding.device) + " and meets a tensor " + on(finding.otherDevice) + whenClause(finding);
  return name + " is not registered, so 'to()' does not move it: it stays " + on(finding.device) +
         " and meets a tensor " + on(finding.otherDevice) + whenClause(finding);
}

} // namespace samedevice::tidy
