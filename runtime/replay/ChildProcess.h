// Work that may crash or hang, done in a process of its own.
#pragma once

#include <functional>
#include <string>

namespace samedevice::runtime {

struct ChildResult {
  std::string text; ///< what the work returned, or wrote before it died
  int signal = 0;   ///< what killed it
  bool timedOut = false;
  bool finished = false; ///< came to its end by itself
};

/// What the work reports on its way; kept even if it dies. Only inside runInChild.
void reportFromChild(const std::string &line);

ChildResult runInChild(const std::function<void()> &work, int seconds, bool limitMemory);

} // namespace samedevice::runtime
