// The findings: gathered while functions run, weighed when all have run.
#pragma once

#include "Evidence.h"
#include "Findings.h"
#include "ProgramIndex.h"

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace samedevice::analysis {

class Reenactment;
class State;

/// A call that handed a culprit in. It is the caller's mistake if the callee is right for its other callers, or says
/// in its code what it expects.
struct Climb {
  FunctionId callee = 0;
  SourceId site = 0;
  SourceId subject = 0, other = 0; ///< what the caller gave: the culprit, and what it meets; 0: that is no argument
  std::string name;                ///< of the callee
  bool isContract = false;         ///< the callee asks where it is
  bool bringsBoth = false;         ///< the caller gave both, or feeds a module, which takes what it gets
  Fix fix;                         ///< if it is the caller's mistake
  bool isOfPointer = false;        ///< it was an address that came in
  bool isKeeper = false;           ///< `subject` is the object that keeps the culprit
  bool isForHost = false;          ///< the callee reads it on the host: others bring it there first
  SourceId made = 0;               ///< where the caller makes the culprit, for this call alone
};

/// What a finding depends on that is not known before everything was run: other roots, and later lines, have a say.
struct Proviso {
  SymbolId callersTensor = 0;            ///< whose device it depends on; 0: nobody's
  const Event *story = nullptr;          ///< how the culprit came to be
  const Event *other = nullptr;          ///< how came to be what a tensor meets that somebody has put on the CPU
  const Event *made = nullptr;           ///< the culprit's making, if that is what was wrong
  SourceId use = 0;                      ///< the operation that failed
  bool withoutGpu = false;               ///< so on a machine that has none
  SymbolId onHost = 0;                   ///< goes wrong only where this one is on the CPU
  std::pair<SymbolId, SymbolId> apart{}; ///< devices that may differ, if anything was moved between them (0: the CPU)
  SourceId madeFor = 0;                  ///< where the culprit is made, if it is made for this use alone
  std::vector<Climb> climbs;             ///< calls that may be to blame, from the inside out
  std::vector<Climb> puttingIn;          ///< calls that led to where a child was put in too late, from the inside out

  /// The same conditions, whatever the story.
  friend bool operator<(const Proviso &a, const Proviso &b) {
    const SourceId calledA = a.climbs.empty() ? 0 : a.climbs.back().site;
    const SourceId calledB = b.climbs.empty() ? 0 : b.climbs.back().site;
    const SourceId putA = a.puttingIn.empty() ? 0 : a.puttingIn.front().site;
    const SourceId putB = b.puttingIn.empty() ? 0 : b.puttingIn.front().site;
    return std::tie(a.callersTensor, a.made, a.onHost, a.withoutGpu, a.apart, calledA, putA) <
           std::tie(b.callersTensor, b.made, b.onHost, b.withoutGpu, b.apart, calledB, putB);
  }
};
struct Found {
  Finding finding;
  SourceId root;       ///< where the mistake was made
  FunctionId function; ///< one root, one report in each
  Proviso proviso;
};

/// A launch without a guard.
struct Unguarded {
  FunctionId root, function; ///< where execution started, and where the tensor was given
  std::size_t finding;       ///< which one
  std::vector<Climb> calls;  ///< from the root, from the inside out
  bool isOfChosen = false;   ///< for memory on a GPU that was chosen by its number, and not for a caller's tensor
};

/// Tells a reenactment what to play.
using Scene = std::function<void(Reenactment &)>;

class Report {
public:
  Report(const ProgramIndex &program, Evidence &evidence, bool withWitnesses)
      : program_(program), evidence_(evidence), withWitnesses_(withWitnesses) {}

  /// `root`: where the mistake was made; one root, one report in each `function`.
  void add(Finding finding, SourceId root, FunctionId function, const State &state, const Scene &scene,
           const Proviso &proviso);
  std::size_t count() const { return found_.size(); }
  /// All that was reported, also what was known before.
  std::size_t failures() const { return failures_; }
  void noteUnguarded(const Unguarded &launch) { unguarded_.push_back(launch); }

  /// While a class is run: functions that were run before were judged by what their callers give, and only leave what
  /// they leave.
  void setJudged(std::vector<char> functions) { judged_ = std::move(functions); }
  bool isJudged(FunctionId function) const { return function < judged_.size() && judged_[function]; }
  /// Such a one runs: there is nothing more to report.
  void setSilent(bool silent) { isSilent_ = silent; }

  /// What the user may want to know: a function was not followed to its end.
  void remarkCut(const Function &function);
  std::size_t remarks() const { return result_.remarks.size(); }
  void forgetRemarks(std::size_t all) { result_.remarks.resize(all); }

  /// What stands, when all have run.
  Result finish();

private:
  bool stands(const Found &found) const;
  bool isToldElsewhere(const Found &found) const;
  /// Whether other calls of this function went well; for those `between` two GPUs, also others from the same place.
  bool worksElsewhere(FunctionId function, SourceId but, bool between) const;
  bool climb(Finding &finding, const std::vector<Climb> &calls) const;
  static void moveOut(Finding &finding, const Climb &call, Event::Kind inside = Event::Computed);
  const Climb *callThatIsLate(const Found &found) const;
  void tellWhereUsed();
  void blameIdleHelper(Finding &finding, const Function &code) const;
  // Guards.cpp
  bool isPartOfAnother(const Unguarded &launch) const;
  bool isCalledElsewhere(const Unguarded &launch) const;
  const Climb *callToGuard(const Unguarded &launch) const;

  const ProgramIndex &program_;
  Evidence &evidence_;
  const bool withWitnesses_;
  Result result_;
  std::set<std::tuple<Check, bool, SourceId, SourceId, FunctionId, Proviso>> reported_;
  std::vector<Found> found_;
  std::vector<Unguarded> unguarded_;
  std::set<SourceId> failWithGpu_; ///< operations
  std::size_t failures_ = 0;
  std::vector<char> judged_;
  bool isSilent_ = false;
};

} // namespace samedevice::analysis
