// A text, checked by all checks in this process, with clang-tidy's library.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>
#include <vector>

namespace samedevice::mutants {

struct Outcome {
  bool compiles = false;
  std::string firstError;
  unsigned firstErrorLine = 0;
  struct Finding {
    std::string check;
    std::string line; ///< the text of the line
    unsigned number;
    std::string message;
  };
  std::vector<Finding> findings;
};

/// What Clang does about a missing header, and about a twentieth error.
enum class Errors {
  AllTold,  ///< as `samedevice check` and editors have it
  CutShort, ///< clang-tidy's way: it tells of no other, and leaves out all the more
};

/// The command of a compiler's driver, as its front end takes it; null where it cannot be understood.
std::shared_ptr<clang::CompilerInvocation> readCommand(const std::vector<std::string> &command);

/// The same by Clang alone: whose fault it is.
void compile(llvm::StringRef text, const std::string &file, const clang::CompilerInvocation &command);

Outcome check(llvm::StringRef text, const std::string &file, const clang::CompilerInvocation &command, Errors errors);

} // namespace samedevice::mutants
