#include "MixedOperandsCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string MixedOperandsCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string name = source.name(finding.subject), subject = quoted(name, "one operand");
  const std::string met = source.isSeenFrom(finding.other, finding.at) ? source.name(finding.other) : std::string();
  if (finding.variant == "left")
    return quoted(name, "this tensor") + " stays " + on(finding.device) + ", but is used with " +
           things("a tensor", finding.otherDevice, finding.when);
  if (finding.variant == "before")
    return quoted(name, "the module") + " is copied here, " + on(finding.device) + ", before it is moved to " +
           place(finding.otherDevice) + ": the copies stay behind";
  if (finding.variant == "call") {
    const std::string callee = source.callee(finding.at), called = callee.empty() ? finding.detail : callee;
    if (!name.empty() && !met.empty() && met != name)
      return bothSides(subject, quoted(met, ""), finding) + consequence(called, finding.when);
    return quoted(name, "an argument") + " " + isWhere(finding.device, finding.when, subject) + ", but '" + called +
           "' uses it with " + things("a tensor", finding.otherDevice, finding.when);
  }
  if (finding.detail == "mutable_grad")
    return "this gradient is " + on(finding.device) + ", but its tensor is " + on(finding.otherDevice) +
           ": the optimizer's next step throws";
  const std::string other = met == name ? std::string() : met;
  const char *unnamed = finding.variant == "generator" ? "the tensor that it fills"
                        : name.empty()                 ? "another one"
                                                       : "what it meets";
  return bothSides(subject, quoted(other, unnamed), finding) + consequence(finding.detail, finding.when);
}

} // namespace samedevice::tidy
