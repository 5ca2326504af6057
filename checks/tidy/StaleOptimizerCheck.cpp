#include "StaleOptimizerCheck.h"

namespace samedevice::tidy {

std::string StaleOptimizerCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  if (finding.variant == "state")
    return quoted(source.name(finding.subject), "the module") + " is moved to " + finding.otherDevice +
           ", but the state that the optimizer made of its parameters stays on " + finding.device +
           ": build the optimizer after the move";
  bool named = !finding.detail.empty() && finding.detail.find(' ') == std::string::npos;
  return quoted(named ? finding.detail : source.name(finding.subject), "this module") +
         " is put in after the optimizer took the parameters, so the optimizer never updates it";
}

} // namespace samedevice::tidy
