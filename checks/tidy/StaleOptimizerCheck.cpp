#include "StaleOptimizerCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string StaleOptimizerCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  if (finding.variant == "state")
    return quoted(source.name(finding.subject), "the module") + " is moved to " + place(finding.otherDevice) +
           ", but what the optimizer keeps for its parameters stays " + on(finding.device) +
           ": build the optimizer after the move";
  if (finding.variant == "replaced")
    return quoted(source.name(finding.subject), "this tensor") + " is replaced by a copy " + on(finding.device) +
           " after the optimizer took it, so the optimizer updates a tensor that is no longer used";
  const bool isNamed = !finding.detail.empty() && finding.detail.find(' ') == std::string::npos;
  return quoted(isNamed ? finding.detail : source.name(finding.subject), "this module") +
         " is put in after the optimizer took the parameters, so the optimizer never updates it";
}

} // namespace samedevice::tidy
