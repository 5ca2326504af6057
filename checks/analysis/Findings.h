// What the analysis found: which mistake, where, and the story behind it, in terms of source ids. The words are
// the checks' business (checks/tidy), the re-enactment the runtime's.
#pragma once

#include "../facts/Program.h"
#include "Limits.h"
#include "Value.h"
#include "Witness.h"

#include <string>
#include <vector>

namespace samedevice::analysis {

enum class Check : std::uint8_t {
#define CHECK(NAME, ID, ABOUT) ID,
#include "Checks.def"
#undef CHECK
};

/// Whether a check is off, but for what is certain, until somebody names it in full: most of what it finds goes wrong
/// only in company.
constexpr bool isByName(Check check) {
  switch (check) {
#define CHECK(NAME, ID, ABOUT)
#define CHECK_BY_NAME(NAME, ID, ABOUT) case Check::ID:
#include "Checks.def"
#undef CHECK
    return true;
  default:
    return false;
  }
}

/// Where something is, as a person would say it.
struct Where {
  enum Kind : std::uint8_t {
    Unsaid,   ///< somewhere: nobody can say where
    Device,   ///< `name` is the device: "cpu", "cuda", "cuda:1"
    Chosen,   ///< what `name` says, a device, options or a string that someone picks; without a name: so chosen
    Picked,   ///< the GPU whose index `name` is
    Callers,  ///< where the caller has the tensor or module `name`
    Owners,   ///< where the objects of the class `name` were moved to
    Recorded, ///< where a file was saved from
  };
  Kind kind = Unsaid;
  std::string name;
  bool isCuda = false; ///< a GPU, whichever: only which one it is was chosen

  friend bool operator==(const Where &a, const Where &b) { return a.kind == b.kind && a.name == b.name; }
  friend bool operator!=(const Where &a, const Where &b) { return !(a == b); }
};

/// Of two places one of which is a symbol: what that must be, so that they differ.
enum class When : std::uint8_t { Always, IfCuda, IfCpu, IfAnotherGpu };

struct Note {
  Event::Kind kind;
  SourceId at = 0;
  SourceId subject = 0;
  Where device;
  SourceId other = 0; ///< what the subject meets
};

/// Something that the code around a fix can name, and that is where the culprit should have been.
struct Home {
  SourceId source = 0;   ///< a parameter, a variable or a member, as it was declared
  bool isModule = false; ///< it is where its parameters are
};

struct Fix {
  enum Kind : std::uint8_t {
    None,
    MoveWithSister,    ///< `subject->to(..)` after one of the moves `sisters`; else as MoveModuleAfter
    MoveModuleAfter,   ///< statement `subject->to(device);` after the statement at `at`
    AppendTo,          ///< `.to(device)` after the expression at `at`
    HostCopy,          ///< the tensor `at`, whose memory is taken at `subject`, is copied to the host before
    AssignResult,      ///< `subject = ` before the expression at `at`
    AddDevice,         ///< the factory call at `at` gets the device
    Register,          ///< what is stored in a member at `at` is registered, too
    SynchronizeBefore, ///< the host waits before the statement at `at`
    CopyBlocking,      ///< the copy `subject` is no asynchronous one; or the host waits before the statement at `at`
    IndexOf,           ///< the device at `at` becomes that of the parameter `subject`
    GuardBefore,       ///< a device guard for `subject` before the statement at `at`
    MoveGuard,         ///< one of the guards `sisters` is made to hold at `at`, or there is another
    LoadOnto,          ///< the load at `at` gets the device, or what it filled is moved after it
    SetData,           ///< what is assigned at `at` goes into the tensor that is there
    ReplaceDevice,     ///< the device that is written at `at` becomes another
    KeepNumber,        ///< the device at `at` is given as a whole, not its type() alone
    AddParameters,     ///< the optimizer `subject` is given what was put in at `at`
    ByReference,       ///< what is assigned to at `at` is meant to be what it was copied from
    MemcpyKind,        ///< the copy at `at` finds out its direction by itself
    CurrentStream,     ///< the launch or call at `at` gets PyTorch's current stream, for `subject` if that is written
    BlobOptions,       ///< from_blob at `at` is told where its memory is
  };
  Kind kind = None;
  SourceId at = 0;
  SourceId subject = 0;
  SourceId device = 0;     ///< an expression to reuse: of type Device, or with DeviceOf, of which to take the device
  bool deviceOf = false;   ///< `device` names a tensor: its .device() is meant
  SourceId module = 0;     ///< one that `at` is handed to, and that is where it should be with all it has
  std::vector<Home> homes; ///< for where `device` cannot be used: what else is at hand, the best first
  std::string text;        ///< what is written instead
  std::vector<SourceId> sisters; ///< moves of other modules, to where this one should have gone as well; guards
};

/// Another edit that would do, offered with the note that stands at `note`.
struct Alternative {
  SourceId note = 0;
  Fix fix;
};

struct Finding {
  Check check;
  std::string variant; ///< which of the check's messages
  SourceId at = 0;
  SourceId use = 0;     ///< where it fails, if it is told elsewhere: where it was made for that
  SourceId subject = 0; ///< the culprit, as written
  Where device;         ///< where it is
  SourceId other = 0;   ///< what it meets
  Where otherDevice;
  When when = When::Always; ///< it fails
  std::string detail;       ///< the operator, the class, the consumer
  std::vector<Note> notes;  ///< in the order of events
  Fix fix;
  std::vector<Alternative> alternatives;
  facts::FunctionId calledElsewhere =
      facts::kNone; ///< of which nobody here says with which device current it is called
  Witness witness;  ///< empty unless asked for
};

/// What could not be finished, and why; shown on demand only (DeviceRemarks).
struct Remark {
  SourceId at = 0;
  std::string text;
};

struct Result {
  std::vector<Finding> findings;
  std::vector<Finding> undecided; ///< mistakes if callers in other files hold no guard
  std::vector<Remark> remarks;
  bool knowsSeveralGpus = false; ///< what is bound for others, or chooses between GPUs
  long steps = 0;                ///< instructions that were run: what it cost
};

Result analyze(const facts::Program &program, const Limits &limits = {}, bool withWitnesses = false);

} // namespace samedevice::analysis
