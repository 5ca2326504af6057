// One entry of a compilation database, and the database as a file.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace samedevice::compdb {

struct Command {
  std::string directory;
  std::string file;
  std::string output;
  std::vector<std::string> arguments; ///< the compiler first
};

/// Reads compile_commands.json: entries with `arguments`, and entries with a shell-quoted `command`.
llvm::Expected<std::vector<Command>> parseDatabase(llvm::StringRef json);

/// The nearest compile_commands.json, as clang-tidy and clangd look for it: in `directory` or its build/, then one
/// directory up. Empty where there is none.
std::string findDatabase(llvm::StringRef directory);

void printDatabase(const std::vector<Command> &commands, llvm::raw_ostream &out);

/// Splits as a POSIX shell does: quotes and backslashes, nothing expanded.
std::vector<std::string> splitShellWords(llvm::StringRef text);

} // namespace samedevice::compdb
