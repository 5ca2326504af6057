#include "ModuleAfterToCheck.h"

namespace samedevice::tidy {

std::string ModuleAfterToCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  std::string what = finding.variant == "tensor" ? "tensor" : "module";
  std::string name = quoted(source.name(finding.subject), "this " + what);
  if (finding.variant == "unregistered")
    return "module " + name + " is put in after the move to " + finding.otherDevice + ", stays on cpu, and is not registered: " +
           "no later 'to()' reaches it";
  return what + " " + name + " is registered after the move to " + finding.otherDevice + " and stays on " + finding.device;
}

} // namespace samedevice::tidy
