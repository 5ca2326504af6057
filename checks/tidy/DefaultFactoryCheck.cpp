#include "DefaultFactoryCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string DefaultFactoryCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string name = finding.variant == "options" ? source.label(finding.subject) : source.name(finding.subject);
  const std::string made = finding.variant != "options"
                               ? quoted(name, "this tensor") + " is made without a device, so on cpu"
                           : name.empty() ? std::string("these options name no device, so what they make is on cpu")
                                          : "'" + name + "' names no device, so what it makes is on cpu";
  const std::string other = source.isSeenFrom(finding.other, finding.at) ? source.name(finding.other) : std::string();
  if (other.empty() || other == name)
    return made + ", but meets " + things("a tensor", finding.otherDevice, finding.when);
  return made + ", but " + quoted(other, "") + " " + isWhere(finding.otherDevice, finding.when, quoted(other, ""));
}

} // namespace samedevice::tidy
