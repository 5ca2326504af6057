// Which launches without a guard are mistakes. Nobody needs one in a program that knows a single GPU; and of a launcher
// that other files call, only they know: that is for somebody to decide who can see them.
#include "Report.h"

#include <algorithm>

namespace samedevice::analysis {

/// Other files, or Python, can call it.
bool Report::isCalledElsewhere(const Unguarded &launch) const {
  const Function &code = program_.functions[launch.root];
  return code.cls == facts::kNone && (code.isEntry || !code.isStatic);
}

/// The call that goes without a guard, where guards are the business of those who call: of this launcher's other
/// callers, or of the callers of all the launchers that there are.
const Climb *Report::callToGuard(const Unguarded &launch) const {
  auto guards = evidence_.guards_.find(launch.function);
  if (launch.calls.empty() || (guards != evidence_.guards_.end() && !guards->second.empty()))
    return nullptr;
  const Climb *forgotten = nullptr;
  for (const Climb &call : launch.calls) {
    auto guarded = evidence_.guardedCalls_.find(call.callee);
    const bool isGuardedElsewhere =
        guarded != evidence_.guardedCalls_.end() &&
        std::any_of(guarded->second.begin(), guarded->second.end(), [&](SourceId site) { return site != call.site; });
    if (isGuardedElsewhere)
      forgotten = &call;
  }
  if (!forgotten && evidence_.leavesGuardsToCallers_ && !evidence_.guardsItself_)
    forgotten = &launch.calls.front();
  return forgotten;
}

/// A launcher that nothing here binds or calls, is given all its tensors, outputs included, and asks nothing of them: a
/// part of an operation whose entry is in another file; so is a method that uses what its object has on a GPU of its
/// own. Where this file makes devices current, it was forgotten.
bool Report::isPartOfAnother(const Unguarded &launch) const {
  const Function &code = program_.functions[launch.root];
  if (!code.isEntry && program_.isHandedOn(launch.root))
    return true;
  const bool guardsHere =
      evidence_.choosesDevice_ || std::any_of(evidence_.guards_.begin(), evidence_.guards_.end(),
                                              [](const auto &guard) { return !guard.second.empty(); });
  if (guardsHere || code.isEntry)
    return false;
  return code.cls == facts::kNone ? !program_.isWholeOperation(launch.root) : launch.isOfChosen;
}

} // namespace samedevice::analysis
