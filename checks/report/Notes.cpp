// The notes of a story, in the order of events: what they say depends on the event alone, nearly always.
#include "Messages.h"
#include "Words.h"

#include <algorithm>

namespace samedevice::report {
using namespace analysis;

namespace {

std::string ofGuard(const Note &note, const Finding &finding) {
  const bool isLate = note.at > finding.at && finding.variant != "helper";
  return isLate ? "this guard comes too late" : "this guard is gone by then";
}

std::string ofMemory(const Note &note) {
  return (note.device.name == "cpu" ? "the host memory" : "the device memory") + std::string(" is allocated here");
}

std::string ofUse(const Note &note, const Finding &finding, const Names &names) {
  const std::string name = names.name(note.subject);
  if (finding.check == Check::MissingGuard) // which has a guard, but not for this
    return (finding.detail == "stream"       ? "this stream is one of"
            : finding.detail == "allocation" ? "this memory is allocated on"
            : names.isLaunch(note.at)        ? "this kernel is launched on"
                                             : "kernels are launched here on") +
           std::string(" the current GPU");
  if (finding.variant == "kept-memory")
    return "the kernel that gets '" + names.name(note.other) + "' is launched here";
  if (finding.check == Check::RawPointer)
    return quoted(name, "it") + " is given to " + userOf(finding) + " here";
  if (finding.check == Check::ModuleAfterTo && !note.subject)
    if (const std::string left = leftBehind(finding, names); !left.empty())
      return "'" + left + "' is used here" + throwsHere(finding);
  if (finding.variant == "state")
    return "the optimizer steps here: this throws";
  if (finding.check == Check::StaleOptimizer)
    return "the optimizer steps here, and leaves it as it is";
  if (finding.check == Check::AsyncCopy)
    return quoted(name, "it") + (finding.variant == "overwritten" ? " is written to here" : " is read here");
  // The message may be about what stands on its own line only: here both have names.
  const std::string met = names.name(note.other), what = name.empty() ? names.name(finding.subject) : name;
  const bool isConflict = finding.otherDevice.kind != Where::Unsaid || !finding.otherDevice.name.empty();
  const std::string outcome = !isConflict                   ? ""
                              : finding.variant == "kernel" ? ": the kernel gets memory of two GPUs"
                                                            : throwsHere(finding);
  if (met.empty() || met == what)
    return quoted(what, "it") + " is used here" + outcome;
  return quoted(what, "it") + " meets '" + met + "' here" + outcome;
}

/// Something does wait, but not for the copy.
bool waitsInVain(const Finding &finding) {
  return std::any_of(finding.notes.begin(), finding.notes.end(),
                     [](const Note &note) { return note.kind == Event::Kept; });
}

} // namespace

std::string note(const Note &note, const Finding &finding, const Names &names) {
  const std::string name = names.name(note.kind == Event::ModuleCreated ? note.at : note.subject);
  switch (note.kind) {
  case Event::CreatedByDefault:
    return quoted(name, "the tensor") + " is made here without a device, so on cpu";
  case Event::CreatedOn:
    return quoted(name, "the tensor") + " is made here, " + on(note.device);
  case Event::Batch:
    return quoted(name, "the batch") + " comes from a DataLoader, which hands out batches on cpu";
  case Event::ModuleCreated:
    return finding.check == Check::DiscardedTo ? "it is frozen here, where it was loaded to"
                                               : quoted(name, "the module") + " is made here, on cpu";
  case Event::Moved:
  case Event::ModuleMoved:
    return quoted(name, note.kind == Event::Moved ? "the tensor" : "the module") +
           (names.callee(note.at).ends_with("clone") ? " is copied here" : " is moved here") +
           (note.device.kind == Where::Unsaid ? "" : ", to " + place(note.device));
  case Event::Registered:
    return quoted(name, "the module") + " is registered here";
  case Event::Loaded:
    return quoted(name, "it") + " is loaded here";
  case Event::PointerTaken:
    return "the pointer to " + quoted(name, "its memory") + " is taken here";
  case Event::Wrapped:
    return "host memory is wrapped here";
  case Event::Allocated:
    return finding.check == Check::RawPointer ? ofMemory(note) : "the memory is allocated here";
  case Event::CopiedAsync:
    return std::string("the copy is started here") + (waitsInVain(finding) ? "" : ", and nothing waits for its end");
  case Event::OptimizerBuilt:
    return "the optimizer takes its parameters here";
  case Event::OptimizerStepped:
    return "the optimizer makes its state here, where the parameters are";
  case Event::Computed:
    return ofUse(note, finding, names);
  case Event::Called:
    return name.empty() ? quoted(names.callee(note.at), "it") + " is called here" : "'" + name + "' calls it here";
  case Event::Returned:
    return quoted(name, "a function") + " returns it here";
  case Event::Kept: // another launch of the same entry; the launch, where that is given its stream
    return finding.check == Check::MissingGuard    ? "so it is here"
           : finding.check == Check::DefaultStream ? "the kernel is launched here"
           : finding.check == Check::AsyncCopy     ? "what is waited for here was recorded before that copy"
                                                   : std::string();
  case Event::Guarded:
    return finding.check == Check::MissingGuard ? ofGuard(note, finding) : std::string();
  default:
    return {};
  }
}

const char *checkName(Check check) {
  switch (check) {
#define CHECK(NAME, ID, ABOUT)                                                                                         \
  case Check::ID:                                                                                                      \
    return NAME;
#include "../analysis/Checks.def"
#undef CHECK
  }
  return "";
}

} // namespace samedevice::report
