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

/// A launcher that nothing here binds or calls, is given all its tensors, outputs included, and asks nothing of them: a
/// part of an operation whose entry is in another file. Where this file makes devices current, it was forgotten.
bool Report::isPartOfAnother(const Unguarded &launch) const {
  const Function &code = program_.functions[launch.root];
  const bool guardsHere =
      !program_.isHandedOn(launch.root) &&
      (evidence_.choosesDevice_ || std::any_of(evidence_.guards_.begin(), evidence_.guards_.end(),
                                               [](const auto &guard) { return !guard.second.empty(); }));
  return !guardsHere && !code.isEntry && code.cls == facts::kNone && !program_.isWholeOperation(launch.root);
}

} // namespace samedevice::analysis
