#include "HostAccessCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string HostAccessCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string name = source.name(finding.subject);
  if (finding.variant == "dangling")
    return "this pointer looks into " + quoted(name, "a temporary host copy") +
           ", a temporary that is gone at the end of the statement";
  const std::string tensor = quoted(name, "this tensor");
  if (finding.variant == "kernels")
    return tensor + " is accessed on the host, but its memory goes to " + quoted(finding.detail, "a kernel") + ", too";
  if (finding.variant == "argument")
    return tensor + " " + isWhere(finding.device, finding.when, tensor) + ", but " +
           quoted(finding.detail, "this operator") + " needs it on cpu";
  const bool isDirect = finding.detail.empty() || finding.detail == "dereference" || finding.detail == "accessor";
  const std::string accessed =
      isDirect ? "but is accessed on the host" : "but " + quoted(finding.detail, "") + " accesses it on the host";
  if (finding.variant == "pointer")
    return quoted(name, "this pointer") + " points to " + things("memory", finding.device, finding.when) + ", " +
           accessed;
  return tensor + " " + isWhere(finding.device, finding.when, tensor) + ", " + accessed;
}

} // namespace samedevice::tidy
