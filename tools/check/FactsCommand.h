// `samedevice facts`: what the front end makes of a source. `samedevice link`: what is found in the program that
// several of these make together. The two primitives of which `samedevice check` is made, for builds that spread their
// work.
#pragma once

#include "Report.h"
#include "Sources.h"

namespace samedevice::check {

struct FactsOptions {
  Request request;
  std::string output; ///< of one source as an object; empty: as text, to standard output
  /// Beside what the compiler makes of it, with `.facts` behind. For builds: that nothing is known ends none.
  bool isBesideObject = false;
};
int runFacts(const FactsOptions &options);

struct LinkOptions {
  std::vector<std::string> objects;
  std::string checks; ///< globs, as clang-tidy's
  FailOn failOn = FailOn::Anything;
};
int runLink(const LinkOptions &options);

} // namespace samedevice::check
