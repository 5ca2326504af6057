#include "Judgement.h"

#include <algorithm>
#include <set>

namespace samedevice::harness {
namespace {

bool matches(const Expectation &expected, const Diagnostic &diagnostic) {
  return expected.line == diagnostic.line && expected.check == diagnostic.check &&
         diagnostic.message.find(expected.substring) != std::string::npos;
}

bool hasNote(const std::vector<Diagnostic> &diagnostics, const Expectation &expected) {
  for (const Diagnostic &diagnostic : diagnostics)
    for (const Diagnostic &note : diagnostic.notes)
      if (note.line == expected.line && note.message.find(expected.substring) != std::string::npos)
        return true;
  return false;
}

std::string quoted(const std::string &text) { return text.empty() ? "" : " \"" + text + "\""; }

std::string describe(const Diagnostic &diagnostic) {
  return (diagnostic.isError ? "error: " : diagnostic.check + ": ") + diagnostic.message;
}

/// The line without what fix-its leave alone: its indentation.
std::string trimmed(const std::vector<std::string> &lines, int line) {
  const std::string &text = line >= 1 && line <= std::ssize(lines) ? lines[line - 1] : std::string();
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

} // namespace

std::vector<Mismatch> compare(const Fixture &fixture, const std::vector<Diagnostic> &diagnostics) {
  std::vector<Mismatch> result;
  std::vector<bool> seen(fixture.warnings.size());
  for (const Diagnostic &diagnostic : diagnostics) {
    std::size_t found = 0;
    while (found < seen.size() && (seen[found] || !matches(fixture.warnings[found], diagnostic)))
      ++found;
    if (found < seen.size())
      seen[found] = true;
    else
      result.push_back({diagnostic.line, "unexpected " + describe(diagnostic)});
    if (diagnostic.isFixed && std::ranges::count(fixture.unfixed, diagnostic.line))
      result.push_back({diagnostic.line, "has a fix-it, where none is known to be right"});
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (!seen[i])
      result.push_back({fixture.warnings[i].line,
                        "not reported: " + fixture.warnings[i].check + quoted(fixture.warnings[i].substring)});
  for (const Expectation &note : fixture.notes)
    if (!hasNote(diagnostics, note))
      result.push_back({note.line, "no note here says" + quoted(note.substring)});
  return result;
}

std::vector<Mismatch> compareFixed(const std::vector<Diagnostic> &before, const std::vector<Diagnostic> &after,
                                   const std::vector<std::string> &linesBefore,
                                   const std::vector<std::string> &linesAfter) {
  std::multiset<std::pair<std::string, std::string>> unfixed;
  for (const Diagnostic &diagnostic : before)
    if (!diagnostic.isFixed)
      unfixed.emplace(diagnostic.check, trimmed(linesBefore, diagnostic.line));
  std::vector<Mismatch> result;
  for (const Diagnostic &diagnostic : after) {
    auto same = unfixed.find({diagnostic.check, trimmed(linesAfter, diagnostic.line)});
    if (same != unfixed.end())
      unfixed.erase(same);
    else
      result.push_back({diagnostic.line, "after the fix: " + describe(diagnostic)});
  }
  return result;
}

} // namespace samedevice::harness
