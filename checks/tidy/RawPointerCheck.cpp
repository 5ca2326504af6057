#include "RawPointerCheck.h"

#include "Words.h"

namespace samedevice::tidy {

/// A function by its name, a role ("the source of a device-to-host copy") as it is.
static std::string userOf(const analysis::Finding &finding) {
  return finding.detail.find(' ') == std::string::npos ? quoted(finding.detail, "it") : finding.detail;
}

std::string RawPointerCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  const std::string name = quoted(source.name(finding.subject), "this pointer");
  const std::string user = userOf(finding);
  const std::string memory = things("memory", finding.device, finding.when);
  if (finding.variant == "from-blob-device")
    return "'from_blob' takes " + name + " for host memory, but it points to " + memory;
  if (finding.variant == "from-blob-host")
    return "'from_blob' takes " + name + " for " + things("memory", finding.otherDevice, finding.when) +
           ", but it points to host memory";
  if (finding.variant == "host-read")
    return name + " points to " + memory + ", but is accessed on the host";
  if (finding.variant == "host-pointer")
    return name + " points to host memory, but " + user + " needs device memory";
  if (finding.variant == "default-result")
    return quoted(source.label(finding.at), "what this returns") + " is on cpu, but " + user +
           " needs its memory on the device";
  if (finding.variant == "default-tensor")
    return quoted(source.label(finding.at), "this tensor") + " is made without a device, so on cpu, but " + user +
           " needs its memory on the device";
  return name + " points to " + memory + ", but " + user + " needs host memory";
}

std::string RawPointerCheck::note(const analysis::Note &note, const analysis::Finding &finding,
                                  const SourceText &source) const {
  if (note.kind == analysis::Event::Computed)
    return quoted(source.name(note.subject), "it") + " is given to " + userOf(finding) + " here";
  if (note.kind == analysis::Event::Allocated)
    return (note.device.name == "cpu" ? "the host memory" : "the device memory") + std::string(" is allocated here");
  return DeviceCheck::note(note, finding, source);
}

} // namespace samedevice::tidy
