#include "ModuleAfterToCheck.h"

#include <cctype>

namespace samedevice::tidy {

std::string ModuleAfterToCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  std::string what = finding.variant == "tensor" ? "tensor" : "module";
  // By the name it is registered under, if there is one; else as written.
  bool named =
      !finding.detail.empty() && finding.detail.find(' ') == std::string::npos && !std::isdigit(finding.detail[0]);
  std::string name = quoted(named ? finding.detail : source.name(finding.subject), "of this line");
  std::string where = finding.otherDevice.empty() ? "to another device" : "to " + finding.otherDevice;
  if (finding.variant == "unregistered")
    return "module " + name + " is put in after the move " + where +
           ", stays on cpu, and is not registered: " + "no later 'to()' reaches it";
  return what + " " + name + " is registered after the move " + where + " and stays on " + finding.device;
}

} // namespace samedevice::tidy
