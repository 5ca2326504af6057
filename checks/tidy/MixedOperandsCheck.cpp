#include "MixedOperandsCheck.h"

namespace samedevice::tidy {

std::string MixedOperandsCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  return quoted(source.name(finding.subject), "an operand") + " is " + on(finding.device) + ", but " +
         quoted(source.name(finding.other), "the other operand") + " is " + on(finding.otherDevice) + " in " +
         quoted(finding.detail, "this operation") + whenClause(finding);
}

} // namespace samedevice::tidy
