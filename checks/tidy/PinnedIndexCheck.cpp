#include "PinnedIndexCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string PinnedIndexCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string name = finding.variant == "script" ? source.label(finding.subject) : source.name(finding.subject);
  if (finding.variant == "current")
    return "kernels are launched on " + place(finding.device) + " from here on, but " + quoted(name, "their tensor") +
           " may be on another GPU";
  const std::string met = source.isSeenFrom(finding.other, finding.at) ? source.name(finding.other) : std::string();
  const std::string subject = quoted(name, finding.variant == "script" ? "this script module" : "this tensor");
  if (finding.variant == "kept")
    return subject + " stays where the first caller's tensors are, but " +
           quoted(met.empty() ? source.name(finding.other) : met, "a later caller's tensor") + " may be on another GPU";
  const std::string fixed = finding.variant == "script"
                                ? subject + " is loaded without a device, so it is where it was saved from"
                                : subject + " is always " + on(finding.device);
  if (met.empty() || met == name)
    return fixed + ", but meets " + things("a tensor", finding.otherDevice, finding.when);
  return fixed + ", but " + quoted(met, "") + " " + isWhere(finding.otherDevice, finding.when, quoted(met, ""));
}

} // namespace samedevice::tidy
