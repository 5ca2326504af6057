#include "DiscardedToCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string DiscardedToCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string name = source.name(finding.subject);
  if (finding.variant == "copy")
    return quoted(name, "this tensor") + " is a copy that is not used again: moving it moves nothing else";
  return "the result of '" + (finding.detail.empty() ? std::string("to") : finding.detail) +
         "' is dropped: " + quoted(name, "the tensor") + " itself does not move";
}

} // namespace samedevice::tidy
