// Other programs that we ask.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace samedevice::check {

struct Answer {
  std::string text;
  int status = -1; ///< not to be started: below 0
};

/// What `program`, looked up in $PATH, writes to its standard output. Its complaints are not for the user.
Answer ask(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments);

/// Empty where it cannot be read.
std::string textOfFile(llvm::StringRef file);

} // namespace samedevice::check
