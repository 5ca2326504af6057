// Every fixture, analysed with the facade headers and with real libtorch's, then fixed and analysed again.
#include "Fixture.h"
#include "Diagnostics.h"
#include "Judgement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace fs = std::filesystem;

namespace samedevice::harness {
namespace {

const fs::path kRoot = FIXTURES_DIR;
const fs::path kBuild = BINARY_DIR;

std::vector<std::string> words(const std::string &text) {
  std::vector<std::string> result;
  for (std::size_t start = 0, end; start < text.size(); start = end + 1) {
    end = std::min(text.find('|', start), text.size());
    if (end > start)
      result.push_back(text.substr(start, end - start));
  }
  return result;
}

std::vector<std::string> linesOf(const fs::path &path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

const std::map<std::string, std::vector<Fixture>> &fixtures() {
  static const auto all = readFixtures(kRoot);
  return all;
}

std::vector<fs::path> pathsOf(const std::vector<Fixture> &list) {
  std::vector<fs::path> paths;
  for (const Fixture &fixture : list)
    paths.push_back(fixture.path);
  return paths;
}

/// clang-tidy with the facade's headers, on copies of one check's fixtures: first as they are, which applies the
/// fix-its, then what they have become.
struct FacadeRun {
  explicit FacadeRun(const std::string &check) : folder(kBuild / "fixtures" / "fixed" / check) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::copy(kRoot / check, folder, fs::copy_options::recursive);
    std::vector<fs::path> copies, changed;
    for (const Fixture &fixture : fixtures().at(check))
      copies.push_back(folder / fixture.path.filename());
    before = analyze(command("--fix"), copies, words(FACADE_FLAGS));
    for (const fs::path &copy : copies)
      if (linesOf(copy) != linesOf(kRoot / check / copy.filename()))
        changed.push_back(copy);
    after = analyze(command("--quiet"), changed, words(FACADE_FLAGS));
  }

  static std::vector<std::string> command(const std::string &mode) {
    return {CLANG_TIDY, "-load", PLUGIN, "--config={Checks: '-*,device-*'}", "--quiet", mode};
  }

  fs::path folder;
  Diagnostics before, after;
};

const FacadeRun &facadeRun(const std::string &check) {
  static std::map<std::string, FacadeRun> runs;
  return runs.try_emplace(check, check).first->second;
}

/// Our own driver with libtorch's own headers, precompiled.
const Diagnostics &torchRun(const std::string &check) {
  static std::map<std::string, Diagnostics> runs;
  auto [run, isNew] = runs.try_emplace(check);
  if (isNew)
    run->second = analyze({FIXTURE_ANALYZER}, pathsOf(fixtures().at(check)), words(TORCH_FLAGS));
  return run->second;
}

std::vector<Diagnostic> of(const Diagnostics &diagnostics, const fs::path &path) {
  auto found = diagnostics.find(path);
  return found == diagnostics.end() ? std::vector<Diagnostic>() : found->second;
}

/// One line for each thing that is wrong. A known limit must come out wrong.
void report(const Fixture &fixture, const std::vector<Mismatch> &mismatches) {
  if (fixture.isKnownLimit) {
    if (mismatches.empty())
      ADD_FAILURE_AT(fixture.path.c_str(), 1) << "is no limit any more: take FP_ or FN_ from its name";
    return;
  }
  for (const Mismatch &mismatch : mismatches)
    ADD_FAILURE_AT(fixture.path.c_str(), mismatch.line) << mismatch.text;
}

class FixtureTest : public testing::TestWithParam<Fixture> {};

using WellFormed = FixtureTest;
TEST_P(WellFormed, Fixture) { EXPECT_EQ(GetParam().complaint(), "") << GetParam().path; }

using Facade = FixtureTest;
TEST_P(Facade, Fixture) {
  const Fixture &fixture = GetParam();
  const FacadeRun &run = facadeRun(fixture.check);
  report(fixture, compare(fixture, of(run.before, run.folder / fixture.path.filename()), true));
}

using Fixed = FixtureTest;
TEST_P(Fixed, Fixture) {
  const Fixture &fixture = GetParam();
  const FacadeRun &run = facadeRun(fixture.check);
  const fs::path copy = run.folder / fixture.path.filename();
  const std::vector<std::string> before = linesOf(fixture.path), after = linesOf(copy);
  if (before == after)
    return;
  for (const Mismatch &mismatch : compareFixed(of(run.before, copy), of(run.after, copy), before, after))
    ADD_FAILURE_AT(copy.c_str(), mismatch.line) << mismatch.text;
}

using Torch = FixtureTest;
TEST_P(Torch, Fixture) {
  const Fixture &fixture = GetParam();
  if (std::string_view(FIXTURE_ANALYZER).empty())
    GTEST_SKIP() << "no libtorch here";
  report(fixture, compare(fixture, of(torchRun(fixture.check), fixture.path), false));
}

void PrintTo(const Fixture &fixture, std::ostream *out) { *out << fixture.path.string(); }

std::vector<Fixture> allFixtures() {
  std::vector<Fixture> all;
  for (const auto &[check, list] : fixtures())
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::string testName(const testing::TestParamInfo<Fixture> &info) {
  std::string name = info.param.check + "__" + info.param.name;
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

#define FOR_EVERY_FIXTURE(SUITE)                                                                                       \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SUITE);                                                                \
  INSTANTIATE_TEST_SUITE_P(Every, SUITE, testing::ValuesIn(allFixtures()), testName)

FOR_EVERY_FIXTURE(WellFormed);
FOR_EVERY_FIXTURE(Facade);
FOR_EVERY_FIXTURE(Fixed);
FOR_EVERY_FIXTURE(Torch);

} // namespace
} // namespace samedevice::harness
