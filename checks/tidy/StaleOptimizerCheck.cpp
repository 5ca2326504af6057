#include "StaleOptimizerCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string StaleOptimizerCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  if (finding.variant == "state")
    return quoted(source.name(finding.subject), "the module") + " is moved to " + place(finding.otherDevice) +
           ", but what the optimizer keeps for its parameters stays " + on(finding.device) +
           ": build the optimizer after the move";
  if (finding.variant == "replaced")
    return quoted(source.name(finding.subject), "this tensor") + " is replaced by a copy " + on(finding.device) +
           " after the optimizer took it, so the optimizer updates a tensor that is no longer used";
  const bool isNamed =
      !finding.detail.empty() && finding.detail.find(' ') == std::string::npos && !std::isdigit(finding.detail[0]);
  return quoted(isNamed ? finding.detail : source.name(finding.subject), "this module") +
         " is put in after the optimizer took the parameters, so the optimizer never updates it";
}

std::string StaleOptimizerCheck::note(const analysis::Note &note, const analysis::Finding &finding,
                                      const SourceText &source) const {
  if (note.kind == analysis::Event::Computed)
    return finding.variant == "state" ? "the optimizer steps here: this throws"
                                      : "the optimizer steps here, and leaves it as it is";
  return DeviceCheck::note(note, finding, source);
}

} // namespace samedevice::tidy
