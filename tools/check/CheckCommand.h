// `samedevice check`: the checks over a project, as CI and people run them.
#pragma once

#include "Sources.h"

#include <string>

namespace samedevice::check {

struct CheckOptions {
  Request request;
  std::string checks; ///< globs, as clang-tidy's
  std::string cache;  ///< a folder; empty: nothing is kept
  uint64_t cacheBytes = 0;
  unsigned jobs = 0; ///< processes at the same time; 0: one for each processor
};

enum ExitStatus { Clean = 0, Found = 1, Usage = 2, Incomplete = 3 };

int runCheck(const CheckOptions &options);

} // namespace samedevice::check
