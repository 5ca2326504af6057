// `samedevice check`: the checks over a project, as CI and people run them; and `samedevice baseline`.
#pragma once

#include "Report.h"
#include "Sources.h"

#include <string>

namespace samedevice::check {

enum class Fixing { No, InPlace, DryRun };

struct CheckOptions {
  Request request;
  std::string filesFrom; ///< a file with a name to the line; "-": standard input
  std::string diffBase;  ///< only what has changed since
  std::string checks;    ///< globs, as clang-tidy's
  std::string cache;     ///< a folder; empty: nothing is kept
  uint64_t cacheBytes = 0;
  unsigned jobs = 0; ///< processes at the same time; 0: one for each processor

  bool isEachAlone = false; ///< not what the programs show that a source is part of

  std::string shard; ///< "2/5": every fifth source, from the second on

  Formats formats;
  std::string baseline;
  std::string newBaseline; ///< to be written, with what is found
  Fixing fixing = Fixing::No;
  FailOn failOn = FailOn::Anything;
};

int runCheck(CheckOptions options);

} // namespace samedevice::check
