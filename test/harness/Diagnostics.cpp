#include "Diagnostics.h"

#include <cstdio>
#include <regex>
#include <sstream>
#include <sys/wait.h>

namespace fs = std::filesystem;

namespace samedevice::harness {
namespace {

std::string shellQuoted(const std::string &word) {
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

} // namespace

Outcome run(const std::vector<std::string> &command) {
  std::string line;
  for (const std::string &word : command)
    line += shellQuoted(word) + " ";
  Outcome outcome;
  // A shell of its own would hide the signal behind its own exit status.
  std::FILE *pipe = popen(("exec " + line + " 2>/dev/null").c_str(), "r");
  char buffer[4096];
  while (std::size_t count = std::fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, count);
  const int status = pclose(pipe);
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return outcome;
}

Diagnostics readDiagnostics(const std::string &output) {
  static const std::regex pattern(R"((.+?):(\d+):\d+: (?:fatal )?(warning|error|note): (.*?)(?: \[([\w.,-]+)\])?)");
  Diagnostics result;
  Diagnostic *last = nullptr;
  std::istringstream in(output);
  for (std::string text; std::getline(in, text);) {
    std::smatch match;
    if (!std::regex_match(text, match, pattern))
      continue;
    Diagnostic diagnostic{std::stoi(match[2]), match[3] == "error", match[4], match[5], false, {}};
    if (match[3] != "note")
      last = &result[match[1]].emplace_back(std::move(diagnostic));
    else if (last && diagnostic.message == "FIX-IT applied suggested code changes")
      last->isFixed = true;
    else if (last)
      last->notes.push_back(std::move(diagnostic));
  }
  return result;
}

Diagnostics analyze(const std::vector<std::string> &command, const std::vector<fs::path> &files) {
  if (files.empty())
    return {};
  std::string named;
  for (const fs::path &file : files)
    named += file.string() + "\n";
  setenv("SAMEDEVICE_FIXTURES", named.c_str(), 1);
  const Outcome outcome = run(command);
  unsetenv("SAMEDEVICE_FIXTURES");
  Diagnostics result = readDiagnostics(outcome.output);
  // What is wrong with the run as a whole, a stale precompiled header for one, is wrong with every file.
  static const std::regex nowhere(R"((^|\n)((fatal )?error: [^\n]*))");
  std::smatch match;
  std::string complaint;
  if (std::regex_search(outcome.output, match, nowhere))
    complaint = match[2];
  else if (outcome.signal)
    complaint = "the analyser ends with signal " + std::to_string(outcome.signal);
  if (!complaint.empty())
    for (const fs::path &file : files)
      result[file].push_back({1, true, complaint, "", false, {}});
  return result;
}

} // namespace samedevice::harness
