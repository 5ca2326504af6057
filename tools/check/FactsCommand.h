// `samedevice facts`: what the front end makes of a source. `samedevice link`: what is found in the program that
// several of these make together. The two primitives of which `samedevice check` is made, for builds that spread their
// work.
#pragma once

#include "Sources.h"

namespace samedevice::check {

struct FactsOptions {
  Request request;
  std::string output; ///< of one source as an object; empty: as text, to standard output
};
int runFacts(const FactsOptions &options);

struct LinkOptions {
  std::vector<std::string> objects;
};
int runLink(const LinkOptions &options);

} // namespace samedevice::check
