// `samedevice merge` and `samedevice confirm`: what other runs have found, told together; and re-enacted before.
#pragma once

#include "Report.h"

#include <string>
#include <vector>

namespace samedevice::check {

struct MergeOptions {
  std::vector<std::string> files; ///< findings files; "-": standard input
  Formats formats;
  FailOn failOn = FailOn::Anything;
  bool isReplayed = false;
  std::string backend;    ///< of samedevice-replay
  std::string executable; ///< our own
};

int runMerge(const MergeOptions &options);

} // namespace samedevice::check
