#include "RawPointerCheck.h"

namespace samedevice::tidy {

std::string RawPointerCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  std::string name = quoted(source.name(finding.subject), "this pointer");
  if (finding.variant == "from-blob-device")
    return "from_blob takes " + name + " for host memory, but it points to memory " + on(finding.device);
  if (finding.variant == "from-blob-host")
    return "from_blob takes " + name + " for memory " + on(finding.otherDevice) + ", but it points to host memory" +
           whenClause(finding);
  if (finding.variant == "host-read")
    return "host access through " + name + " to memory that was allocated " + on(finding.device);
  if (finding.variant == "host-pointer")
    return name + " points to host memory, but " + finding.detail + " needs a device pointer";
  if (finding.variant == "default-tensor")
    return "tensor made without a device, so on cpu, but " + finding.detail +
           " gets its memory and needs a device pointer";
  return name + " points to memory " + on(finding.device) + ", but " + finding.detail + " needs a host pointer";
}

std::string RawPointerCheck::note(const analysis::Note &note, const analysis::Finding &finding,
                                  const SourceText &source) const {
  if (note.kind == analysis::Event::Computed)
    return "given to " + finding.detail + " here";
  if (note.kind == analysis::Event::Allocated)
    return note.device == "cpu" ? "host memory comes from here" : "device memory comes from here";
  return DeviceCheck::note(note, finding, source);
}

} // namespace samedevice::tidy
