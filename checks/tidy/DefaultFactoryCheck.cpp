#include "DefaultFactoryCheck.h"

namespace samedevice::tidy {

std::string DefaultFactoryCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  return quoted(source.name(finding.subject), "this tensor") + " is made without a device, so on cpu, and meets " +
         quoted(source.name(finding.other), "a tensor") + ", which is " + on(finding.otherDevice) + whenClause(finding);
}

} // namespace samedevice::tidy
