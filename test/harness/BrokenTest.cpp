// Code as it looks while it is being written: fixtures cut off, with lines missing. Whatever
// Clang makes of it, the analyser comes back.
#include "Diagnostics.h"
#include "Fixture.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

namespace samedevice::harness {
namespace {

std::string textOf(const fs::path &path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The lines for which `keep(number)` holds.
template <typename Keep> std::string some(const std::string &text, Keep keep) {
  std::istringstream in(text);
  std::string kept, line;
  for (int number = 1; std::getline(in, line); ++number)
    if (keep(number))
      kept += line + "\n";
  return kept;
}

std::vector<fs::path> writeVariants(const fs::path &folder) {
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::vector<fs::path> written;
  auto write = [&](const std::string &name, const std::string &text) {
    written.push_back(folder / name);
    std::ofstream(written.back()) << text;
  };
  for (const auto &[check, fixtures] : readFixtures(FIXTURES_DIR))
    for (std::size_t n = 0; n < fixtures.size(); n += 12) {
      const Fixture &fixture = fixtures[n];
      if (fixture.needsCuda || fixture.path.extension() != ".cpp")
        continue;
      const std::string text = textOf(fixture.path), name = check + "-" + fixture.name;
      write(name + "-cut.cpp", text.substr(0, text.size() * 3 / 5));
      write(name + "-gaps.cpp", some(text, [](int number) { return number % 7 != 0; }));
    }
  return written;
}

TEST(Broken, FixturesAreNoReasonToCrashOrHang) {
  const std::vector<fs::path> files = writeVariants(fs::path(BINARY_DIR) / "fixtures" / "broken");
  ASSERT_GT(files.size(), 50u);
  const std::string empty = std::string(EMPTY_FILE) + ".cpp";
  std::vector<std::string> command{
      CLANG_TIDY, "-load", PLUGIN, "-load", OWN_CODE_ONLY, "--checks=-*,own-code-only,device-*", empty, "--"};
  std::istringstream flags(STAND_IN_FLAGS);
  for (std::string flag; std::getline(flags, flag, '|');)
    command.push_back(flag);
  int errors = 0;
  for (const auto &[file, diagnostics] : analyze(command, files))
    for (const Diagnostic &diagnostic : diagnostics) {
      errors += diagnostic.isError ? 1 : 0;
      EXPECT_EQ(diagnostic.message.find("the analyser ends"), std::string::npos) << file << ": " << diagnostic.message;
    }
  EXPECT_GT(errors, 50) << "little was broken";
}

} // namespace
} // namespace samedevice::harness
