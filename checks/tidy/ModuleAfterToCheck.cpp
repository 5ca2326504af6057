#include "ModuleAfterToCheck.h"

#include "Words.h"
#include <cctype>

namespace samedevice::tidy {

std::string ModuleAfterToCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string what = finding.variant == "tensor" ? "tensor" : "module";
  // By the name it is registered under, if there is one; else as written.
  const bool isNamed =
      !finding.detail.empty() && finding.detail.find(' ') == std::string::npos && !std::isdigit(finding.detail[0]);
  const std::string name = isNamed ? finding.detail : source.name(finding.subject);
  const std::string late = (name.empty() ? "this " + what : what + " '" + name + "'") + " is " +
                           (finding.variant == "unregistered" ? "put in" : "registered") + " after the move to " +
                           place(finding.otherDevice) + " and stays " + on(finding.device);
  return finding.variant == "unregistered" ? late + "; it is not registered, so no later 'to()' moves it" : late;
}

} // namespace samedevice::tidy
