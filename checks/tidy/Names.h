// Names of checks, from the one list.
#pragma once

#include "../analysis/Findings.h"

namespace samedevice::tidy {

inline const char *checkName(analysis::Check check) {
  switch (check) {
#define CHECK(NAME, CLASS, ABOUT)                                                                                      \
  case analysis::Check::CLASS:                                                                                         \
    return NAME;
#include "Checks.def"
#undef CHECK
  }
  return "";
}

} // namespace samedevice::tidy
