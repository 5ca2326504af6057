#include "ModuleAfterToCheck.h"

#include "Words.h"
#include <cctype>

namespace samedevice::tidy {

/// The name it is registered under, if there is one; else as it is written.
static std::string nameOf(const analysis::Finding &finding, const SourceText &source) {
  const bool isNamed =
      !finding.detail.empty() && finding.detail.find(' ') == std::string::npos && !std::isdigit(finding.detail[0]);
  return isNamed ? finding.detail : source.name(finding.subject);
}

std::string ModuleAfterToCheck::note(const analysis::Note &note, const analysis::Finding &finding,
                                     const SourceText &source) const {
  const std::string name = nameOf(finding, source);
  if (note.kind == analysis::Event::Computed && !note.subject && !name.empty())
    return "'" + name + "' is used here" + throwsHere(finding);
  return DeviceCheck::note(note, finding, source);
}

std::string ModuleAfterToCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string what = finding.variant == "tensor" ? "tensor" : "module";
  const std::string name = nameOf(finding, source);
  const std::string late = (name.empty() ? "this " + what : what + " '" + name + "'") + " is " +
                           (finding.variant == "unregistered" ? "put in" : "registered") + " after the move to " +
                           place(finding.otherDevice) + " and stays " + on(finding.device);
  return finding.variant == "unregistered" ? late + "; it is not registered, so no later 'to()' moves it" : late;
}

} // namespace samedevice::tidy
