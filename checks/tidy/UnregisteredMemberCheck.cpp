#include "UnregisteredMemberCheck.h"

namespace samedevice::tidy {

std::string UnregisteredMemberCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  std::string name =
      quoted(finding.detail.empty() || finding.variant != "tensor" ? source.name(finding.subject) : finding.detail,
             "this member");
  return name + " is not registered, so 'to()' does not move it: it stays " + on(finding.device) +
         " and meets a tensor " + on(finding.otherDevice) + whenClause(finding);
}

} // namespace samedevice::tidy
