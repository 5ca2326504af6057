// Texts, checked by all checks with clang-tidy's library, each in a process of its own.
#pragma once

#include "clang/Frontend/CompilerInvocation.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace samedevice::mutants {

struct Outcome {
  bool compiles = true;
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

/// By Clang alone: whose fault it is.
void compile(llvm::StringRef text, const std::string &file, const clang::CompilerInvocation &command);

/// Compiles each of `texts` in the place of `file`. `begun` and `found` are called in the text's own process, `ended`
/// in this one, with what waitpid says.
struct Listener {
  std::function<void(size_t)> begun;
  std::function<void(size_t, const Outcome &)> found;
  std::function<void(size_t, int)> ended;
};
void checkEach(const std::vector<std::string> &texts, const std::string &file, const std::string &emptyFile,
               const clang::CompilerInvocation &command, Errors errors, const Listener &listener);

} // namespace samedevice::mutants
