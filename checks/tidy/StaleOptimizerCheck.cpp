#include "StaleOptimizerCheck.h"

namespace samedevice::tidy {

std::string StaleOptimizerCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  bool named = !finding.detail.empty() && finding.detail.find(' ') == std::string::npos;
  return quoted(named ? finding.detail : source.name(finding.subject), "this module") +
         " is put in after the optimizer took the parameters, so the optimizer never updates it";
}

} // namespace samedevice::tidy
