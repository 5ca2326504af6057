#include "DiscardedToCheck.h"

namespace samedevice::tidy {

std::string DiscardedToCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  if (finding.variant == "copy")
    return quoted(source.name(finding.subject), "this tensor") +
           " is a copy: moving it moves nothing else, and it is not used after this";
  std::string call = "'" + (finding.detail.empty() ? std::string("to") : finding.detail) + "'";
  return "the result of " + call + " is dropped: " + quoted(source.name(finding.subject), "the tensor") +
         " itself does not move";
}

} // namespace samedevice::tidy
