// What is said of each check: one line, and its page in docs/checks.
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace samedevice::check {

struct CheckPage {
  const char *name;
  const char *about;
  const char *page; ///< Markdown
};

llvm::ArrayRef<CheckPage> checkPages();

} // namespace samedevice::check
