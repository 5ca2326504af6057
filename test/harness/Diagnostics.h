// Runs an analyser as a user would and reads what it prints.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace samedevice::harness {

struct Diagnostic {
  int line = 0;
  bool isError = false;
  std::string message;
  std::string check;
  bool isFixed = false;
  std::vector<Diagnostic> notes;
};

/// By file name, as the files were named on the command line.
using Diagnostics = std::map<std::string, std::vector<Diagnostic>>;

Diagnostics readDiagnostics(const std::string &output);

struct Outcome {
  std::string output;
  int signal = 0; ///< that ended it
};
Outcome run(const std::vector<std::string> &command);

/// `command` on all files; it reads their names from SAMEDEVICE_FIXTURES (analyzer/FileByFile.h).
Diagnostics analyze(const std::vector<std::string> &command, const std::vector<std::filesystem::path> &files);

} // namespace samedevice::harness
