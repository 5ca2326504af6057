#include "DiscardedToCheck.h"

namespace samedevice::tidy {

std::string DiscardedToCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  std::string call = "'" + (finding.detail.empty() ? std::string("to") : finding.detail) + "'";
  return "the result of " + call + " is dropped: " + quoted(source.name(finding.subject), "the tensor") +
         " itself does not move";
}

} // namespace samedevice::tidy
