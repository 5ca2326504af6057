// Flags for the sources of a project that nobody has told us the compile commands of.
#pragma once

#include "Command.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace samedevice::check {

/// What is installed on this machine.
struct Machine {
  std::vector<std::string> includeDirectories; ///< of libraries
  std::vector<std::string> found;              ///< their names, for the user
  bool hasTorch = false;
  std::string nvcc = "nvcc";        ///< whose toolkit has the headers of CUDA, if any has
  std::string cudaIncludeDirectory; ///< for C++; a CUDA source gets it from there
};
Machine lookAround();

struct Project {
  std::string root;
  std::vector<std::string> files; ///< sources and headers, without those of other checkouts and build directories
  std::vector<std::string> flags; ///< its own macros, and what else is the same for all
  std::vector<std::string> includeDirectories; ///< its own
  bool isAmbiguous = false;                    ///< one name in #include lines stands for several of its headers
};

/// The folder of the project that `path` belongs to: what is under version control, or else what can be built.
std::string projectRoot(llvm::StringRef path);

Project readProject(llvm::StringRef path);

/// Headers are taken for C++ or CUDA by their names.
compdb::Command commandFor(llvm::StringRef file, const Project &project, const Machine &machine);

/// Sources and headers below a directory, sorted.
std::vector<std::string> filesBelow(llvm::StringRef directory);

/// What follows #include in a text, as far as it can be seen without compiling it; quoted ones begin with a quote.
std::vector<std::string> includesOf(llvm::StringRef text);

} // namespace samedevice::check
