#include "StaleLoadCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string StaleLoadCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string name = source.name(finding.subject);
  if (finding.variant == "optimizer")
    return quoted(name, "the optimizer") + " is loaded without a device, so its state is " + on(finding.device) +
           ", but the parameters are " + on(finding.otherDevice);
  return quoted(name, "this") +
         " is loaded without a device, so it goes back to where it was saved from, but it meets " +
         things("a tensor", finding.otherDevice, finding.when);
}

} // namespace samedevice::tidy
