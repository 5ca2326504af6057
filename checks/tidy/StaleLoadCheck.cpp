#include "StaleLoadCheck.h"

namespace samedevice::tidy {

std::string StaleLoadCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  if (finding.variant == "optimizer")
    return "loading " + quoted(source.name(finding.subject), "the optimizer") + " without a device leaves its state " +
           on(finding.device) + ", but the parameters are " + on(finding.otherDevice);
  return "loading " + quoted(source.name(finding.subject), "this") +
         " without a device puts it back where it was saved from, but it meets " +
         quoted(source.name(finding.other), "a tensor") + " " + on(finding.otherDevice) + whenClause(finding);
}

} // namespace samedevice::tidy
