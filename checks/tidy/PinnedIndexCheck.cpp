#include "PinnedIndexCheck.h"

namespace samedevice::tidy {

std::string PinnedIndexCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  if (finding.variant == "script")
    return "a script module loaded without a device is on the device it was saved from, but its input is " +
           on(finding.otherDevice) + whenClause(finding);
  if (finding.variant == "current")
    return "the kernel is pinned to " + finding.device + ", but " + quoted(source.name(finding.subject), "its tensor") +
           " may be on another GPU";
  return quoted(source.name(finding.subject), "this tensor") + " is pinned to " + finding.device + ", but " +
         quoted(source.name(finding.other), "what it meets") + " is " + on(finding.otherDevice) + whenClause(finding);
}

} // namespace samedevice::tidy
