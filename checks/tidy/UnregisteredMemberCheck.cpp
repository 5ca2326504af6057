#include "UnregisteredMemberCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string UnregisteredMemberCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string name =
      finding.detail.empty() || finding.variant == "module" ? source.name(finding.subject) : finding.detail;
  if (finding.variant == "assigned-over")
    return quoted(name, "this tensor") +
           " is assigned over, but 'to()' moves the tensor that was registered before it: " + "the new one stays " +
           on(finding.device) + ", and meets " + things("a tensor", finding.otherDevice, finding.when);
  return quoted(name, finding.variant == "tensor" ? "this tensor" : "this module") +
         " is not registered, so 'to()' leaves it " + on(finding.device) + ", but it meets " +
         things("a tensor", finding.otherDevice, finding.when);
}

} // namespace samedevice::tidy
