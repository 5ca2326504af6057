#include "UnmovedModuleCheck.h"

namespace samedevice::tidy {

std::string UnmovedModuleCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  std::string name = quoted(source.name(finding.subject), "this module");
  return "module " + name + " was never moved and is " + on(finding.device) + ", but its input is " +
         on(finding.otherDevice) + whenClause(finding);
}

} // namespace samedevice::tidy
