#include "Fixture.h"

#include <algorithm>
#include <fstream>
#include <regex>

namespace fs = std::filesystem;

namespace samedevice::harness {
namespace {

/// `// expect: device-host-access "substring"`, `// note: "substring"`, `// fix: none`; several may share a line.
void readLine(Fixture &fixture, const std::string &text, int line) {
  if (text.find("// ") == std::string::npos)
    return; // most lines: regular expressions take their time
  if (text.find("// fix: none") != std::string::npos)
    fixture.unfixed.push_back(line);
  static const std::regex marker(R"re(// (expect|note):\s*([\w-]*)\s*(?:"((?:[^"\\]|\\.)*)")?)re");
  for (std::sregex_iterator match(text.begin(), text.end(), marker), end; match != end; ++match) {
    const Expectation expectation{line, (*match)[2], (*match)[3]};
    ((*match)[1] == "expect" ? fixture.warnings : fixture.notes).push_back(expectation);
  }
}

} // namespace

bool isFixture(const fs::path &path) { return path.extension() == ".cpp" || path.extension() == ".cu"; }

std::string Fixture::complaint() const {
  const bool isBad = name.ends_with("_bad"), isOk = name.ends_with("_ok");
  if (!isBad && !isOk)
    return "the name ends neither in _bad nor in _ok";
  if (isOk && !warnings.empty())
    return "an _ok fixture expects nothing";
  if (isBad && warnings.empty())
    return "a _bad fixture says what it expects";
  for (const Expectation &warning : warnings)
    if (!warning.check.starts_with("device-"))
      return "line " + std::to_string(warning.line) + " expects '" + warning.check + "', which is no check";
  for (const Expectation &note : notes)
    if (note.substring.empty() || !note.check.empty())
      return "line " + std::to_string(note.line) + ": a note is written // note: \"words\"";
  return {};
}

Fixture readFixture(const fs::path &path) {
  Fixture fixture;
  fixture.path = path;
  fixture.check = path.parent_path().filename();
  fixture.name = path.stem();
  fixture.isKnownLimit = fixture.name.starts_with("FP_") || fixture.name.starts_with("FN_");
  fixture.needsCuda = path.extension() == ".cu";
  static const std::regex cudaHeader(R"re(#include <(cuda|cublas|thrust|ATen/cuda|c10/cuda).*)re");
  std::ifstream in(path);
  int line = 0;
  for (std::string text; std::getline(in, text);) {
    readLine(fixture, text, ++line);
    fixture.needsCuda = fixture.needsCuda || (text.starts_with("#include") && std::regex_match(text, cudaHeader));
  }
  return fixture;
}

std::map<std::string, std::vector<Fixture>> readFixtures(const fs::path &root) {
  std::map<std::string, std::vector<Fixture>> fixtures;
  for (const fs::directory_entry &entry : fs::recursive_directory_iterator(root))
    if (isFixture(entry.path()))
      fixtures[entry.path().parent_path().filename()].push_back(readFixture(entry.path()));
  for (auto &[check, list] : fixtures)
    std::ranges::sort(list, {}, &Fixture::name);
  return fixtures;
}

} // namespace samedevice::harness
