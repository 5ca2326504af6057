#include "UnmovedModuleCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string UnmovedModuleCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  // Where it is made it may have another name than where it is used.
  std::string name = finding.variant == "used" ? std::string() : source.label(finding.at);
  if (name.empty() && source.isSeenFrom(finding.subject, finding.at))
    name = source.name(finding.subject);
  if (name.empty())
    name = source.madeAs(finding.at);
  return (name.empty() ? "this module" : "module '" + name + "'") + " is never moved and stays " + on(finding.device) +
         ", but it is given " + things("a tensor", finding.otherDevice, finding.when);
}

} // namespace samedevice::tidy
