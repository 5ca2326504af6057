#include "MissingGuardCheck.h"

namespace samedevice::tidy {

std::string MissingGuardCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  std::string what = finding.variant == "launch"   ? "kernel is launched on"
                     : finding.variant == "stream" ? "stream is taken from"
                                                   : "memory is allocated on";
  return what + " the current device, which need not be that of " +
         quoted(source.name(finding.subject), "the tensors") + ": there is no device guard before it";
}

std::string MissingGuardCheck::note(const analysis::Note &note, const analysis::Finding &finding,
                                    const SourceText &source) const {
  if (note.kind == analysis::Event::Guarded)
    return note.at > finding.at ? "the guard comes only here" : "the guard here is not in force there";
  return DeviceCheck::note(note, finding, source);
}

} // namespace samedevice::tidy
