#include "DiscardedToCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string DiscardedToCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string name = source.name(finding.subject);
  if (finding.variant == "copy")
    return quoted(name, "this tensor") + " is a copy that is not used again: moving it moves nothing else";
  if (finding.variant == "frozen")
    return quoted(name, "this script") + " is frozen: its weights are constants, which 'to' does not move";
  return "the result of '" + (finding.detail.empty() ? std::string("to") : finding.detail) +
         "' is dropped: " + quoted(name, "the tensor") + " itself does not move";
}

std::string DiscardedToCheck::note(const analysis::Note &note, const analysis::Finding &finding,
                                   const SourceText &source) const {
  if (note.kind == analysis::Event::ModuleCreated)
    return "it is frozen here, where it was loaded to";
  return DeviceCheck::note(note, finding, source);
}

} // namespace samedevice::tidy
