#include "StaleLoadCheck.h"

namespace samedevice::tidy {

std::string StaleLoadCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  return "loading " + quoted(source.name(finding.subject), "this") + " without a device puts it back where it was saved from, but it meets " +
         quoted(source.name(finding.other), "a tensor") + " " + on(finding.otherDevice) + whenClause(finding);
}

} // namespace samedevice::tidy
