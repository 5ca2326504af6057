#include "MissingGuardCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string MissingGuardCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string what = finding.variant == "launch"   ? "this kernel is launched on"
                           : finding.variant == "stream" ? "this stream is one of"
                                                         : "this memory is allocated on";
  return what + " the current GPU, which need not be the one that " +
         quoted(source.name(finding.subject), "its tensor") + " is on: no device guard is in force here";
}

std::string MissingGuardCheck::note(const analysis::Note &note, const analysis::Finding &finding,
                                    const SourceText &source) const {
  if (note.kind == analysis::Event::Guarded)
    return note.at > finding.at ? "this guard comes too late" : "this guard is gone by then";
  return DeviceCheck::note(note, finding, source);
}

} // namespace samedevice::tidy
