#include "MissingGuardCheck.h"

namespace samedevice::tidy {

std::string MissingGuardCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  return "kernel launched on the current device, which need not be that of " + quoted(source.name(finding.subject), "its tensors") +
         ": no device guard";
}

} // namespace samedevice::tidy
