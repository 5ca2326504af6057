// Every fixture in clang-tidy, with libtorch's headers and with the stand-ins for them; fixed, and analysed again.
#include "Fixture.h"
#include "Diagnostics.h"
#include "Judgement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace samedevice::harness {

// NOLINTNEXTLINE(readability-identifier-naming): the name that GoogleTest looks for, here
void PrintTo(const Fixture &fixture, std::ostream *out) { *out << fixture.path.string(); }

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

/// Where an analyser finds libtorch's names, for .cpp and for .cu files.
struct Headers {
  std::vector<std::string> cpp, cu;
  bool areThere() const { return !cpp.empty(); }
};
const Headers kLibtorch{words(TORCH_FLAGS), words(TORCH_CU_FLAGS)};
const Headers kStandIns{words(STAND_IN_FLAGS), words(STAND_IN_CU_FLAGS)};
/// libtorch's own headers are the truth; the stand-ins are for machines without them.
const Headers &kBest = kLibtorch.areThere() ? kLibtorch : kStandIns;

/// `check` is named in full, as those that `device-*` does not turn on must be.
Diagnostics clangTidy(const std::string &check, const std::vector<std::string> &options,
                      const std::vector<fs::path> &files, const Headers &headers) {
  Diagnostics result;
  for (const std::string ending : {".cpp", ".cu"}) {
    std::vector<std::string> command{CLANG_TIDY,    "-load",
                                     PLUGIN,        "-load",
                                     OWN_CODE_ONLY, "--config={Checks: '-*,own-code-only,device-*," + check + "'}"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {EMPTY_FILE + ending, "--"});
    const std::vector<std::string> &flags = ending == ".cu" ? headers.cu : headers.cpp;
    command.insert(command.end(), flags.begin(), flags.end());
    std::vector<fs::path> some;
    std::ranges::copy_if(files, std::back_inserter(some),
                         [&](const fs::path &file) { return file.extension() == ending; });
    result.merge(analyze(command, some));
  }
  return result;
}

std::string identifier(std::string name) {
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

std::string identifier(const Fixture &fixture) { return identifier(fixture.check + "__" + fixture.name); }

/// Fixtures of a check that tests of this name, but for those that a filter or a shard leaves out, are about.
std::vector<fs::path> askedFor(const std::string &check, const std::string &suite) {
  std::set<std::string> names;
  const testing::UnitTest &unit = *testing::UnitTest::GetInstance();
  for (int s = 0; s < unit.total_test_suite_count(); ++s)
    if (const testing::TestSuite &tests = *unit.GetTestSuite(s); tests.name() == "Every/" + suite)
      for (int n = 0; n < tests.total_test_count(); ++n)
        if (tests.GetTestInfo(n)->should_run())
          names.insert(tests.GetTestInfo(n)->name());
  std::vector<fs::path> result;
  for (const Fixture &fixture : fixtures().at(check))
    if ((HAS_CUDA || !fixture.needsCuda) && names.contains("Fixture/" + identifier(fixture)))
      result.push_back(fixture.path);
  return result;
}

/// Copies of a check's fixtures, analysed once: what is said of them, what the fix-its make of them, the witnesses.
/// What was fixed is analysed again. Each is in a folder of its own, where it does not see what became of the others,
/// until it goes to `folder`.
struct FixingRun {
  explicit FixingRun(const std::string &check) : folder(kBuild / "fixtures" / "fixed" / check) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    std::vector<fs::path> copies, changed;
    for (const fs::path &fixture : askedFor(check, "Analyzed")) {
      copies.push_back(copyOf(fixture));
      fs::create_directories(copies.back().parent_path());
      fs::copy_file(fixture, copies.back());
    }
    setenv("SAMEDEVICE_FINDINGS", findings().c_str(), 1);
    before = clangTidy(check, {"--fix"}, copies, kBest);
    unsetenv("SAMEDEVICE_FINDINGS");
    for (const fs::path &copy : copies)
      if (linesOf(copy) != linesOf(kRoot / check / copy.filename()))
        changed.push_back(copy);
    after = clangTidy(check, {}, changed, kBest);
    for (const fs::path &copy : copies)
      fs::copy_file(copy, folder / copy.filename());
  }

  fs::path copyOf(const fs::path &fixture) const { return folder / "alone" / fixture.stem() / fixture.filename(); }

  fs::path findings() const { return folder / "findings.json"; }

  fs::path folder;
  Diagnostics before, after;
};

const FixingRun &fixingRun(const std::string &check) {
  static std::map<std::string, FixingRun> runs;
  return runs.try_emplace(check, check).first->second;
}

const Diagnostics &standInRun(const std::string &check) {
  static std::map<std::string, Diagnostics> runs;
  auto [run, isNew] = runs.try_emplace(check);
  if (isNew)
    run->second = clangTidy(check, {}, askedFor(check, "WithStandIns"), kStandIns);
  return run->second;
}

std::vector<Diagnostic> of(const Diagnostics &diagnostics, const fs::path &path) {
  auto found = diagnostics.find(path);
  return found == diagnostics.end() ? std::vector<Diagnostic>() : found->second;
}

/// A known limit may come out wrong; where it does not any more, that is said.
void report(const Fixture &fixture, const std::vector<Mismatch> &mismatches) {
  if (fixture.isKnownLimit && mismatches.empty())
    std::cout << fixture.check << "/" << fixture.name << ": comes out right; is it a limit any more?\n";
  if (!fixture.isKnownLimit)
    for (const Mismatch &mismatch : mismatches)
      ADD_FAILURE_AT(fixture.path.c_str(), mismatch.line) << mismatch.text;
}

class FixtureTest : public testing::TestWithParam<Fixture> {
protected:
  void SetUp() override {
    if (GetParam().needsCuda && !HAS_CUDA)
      GTEST_SKIP() << "no CUDA toolkit here";
  }
};

using WellFormed = FixtureTest;
TEST_P(WellFormed, Fixture) { EXPECT_EQ(GetParam().complaint(), "") << GetParam().path; }

using Analyzed = FixtureTest;
TEST_P(Analyzed, Fixture) {
  const Fixture &fixture = GetParam();
  const FixingRun &run = fixingRun(fixture.check);
  report(fixture, compare(fixture, of(run.before, run.copyOf(fixture.path))));
}

using Fixed = FixtureTest;
TEST_P(Fixed, Fixture) {
  const Fixture &fixture = GetParam();
  const FixingRun &run = fixingRun(fixture.check);
  const fs::path copy = run.copyOf(fixture.path);
  const std::vector<std::string> before = linesOf(fixture.path), after = linesOf(copy);
  if (before == after || fixture.isKnownLimit)
    return;
  for (const Mismatch &mismatch : compareFixed(of(run.before, copy), of(run.after, copy), before, after))
    ADD_FAILURE_AT(copy.c_str(), mismatch.line) << mismatch.text;
}

using WithStandIns = FixtureTest;
TEST_P(WithStandIns, Fixture) {
  const Fixture &fixture = GetParam();
  report(fixture, compare(fixture, of(standInRun(fixture.check), fixture.path)));
}

/// What the plugin wrote of a check's fixtures, replayed on simulated GPUs: everything fails as it is claimed to, and
/// not with the fix.
using Witnesses = testing::TestWithParam<std::string>;
TEST_P(Witnesses, OfCheck) {
  const fs::path findings = fixingRun(GetParam()).findings();
  if (std::string_view(REPLAY).empty() || !fs::exists(findings))
    GTEST_SKIP() << "no runtime here, or nothing was found";
  std::istringstream lines(harness::run({REPLAY, findings, "--backend", "sim"}).output);
  std::string finding;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(" "))
      finding = line;
    for (const char *failure : {": not reproduced: ", ": unsupported: ", " not resolved: "})
      if (line.find(failure) != std::string::npos)
        ADD_FAILURE_AT(findings.c_str(), 1) << finding << (line == finding ? "" : line);
  }
  EXPECT_NE(finding.find(" fixes resolve"), std::string::npos) << findings << " cannot be replayed";
  std::cout << GetParam() << ": " << finding << "\n"; // the last line counts
}

std::vector<Fixture> allFixtures() {
  std::vector<Fixture> all;
  for (const auto &[check, list] : fixtures())
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::vector<std::string> allChecks() {
  std::vector<std::string> all;
  for (const auto &[check, list] : fixtures())
    all.push_back(check);
  return all;
}

std::string testName(const testing::TestParamInfo<Fixture> &info) { return identifier(info.param); }

#define FOR_EVERY_FIXTURE(SUITE)                                                                                       \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SUITE);                                                                \
  INSTANTIATE_TEST_SUITE_P(Every, SUITE, testing::ValuesIn(allFixtures()), testName)

FOR_EVERY_FIXTURE(WellFormed);
FOR_EVERY_FIXTURE(Analyzed);
FOR_EVERY_FIXTURE(Fixed);
FOR_EVERY_FIXTURE(WithStandIns);

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Witnesses);
INSTANTIATE_TEST_SUITE_P(Every, Witnesses, testing::ValuesIn(allChecks()),
                         [](const testing::TestParamInfo<std::string> &info) { return identifier(info.param); });

/// One line for each thing that is wrong, as compilers print them.
class OneLinePrinter : public testing::EmptyTestEventListener {
  void OnTestPartResult(const testing::TestPartResult &result) override {
    if (!result.failed())
      return;
    std::string text = result.message();
    text.erase(0, text.starts_with("Failed\n") ? 7 : 0);
    const char *file = result.file_name() ? result.file_name() : "?";
    std::cout << fs::proximate(file, SOURCE_DIR).string() << ":" << result.line_number() << ": " << text << "\n"
              << std::flush;
  }
  void OnTestProgramEnd(const testing::UnitTest &unit) override {
    std::cout << unit.successful_test_count() << " passed, " << unit.failed_test_count() << " failed, "
              << unit.skipped_test_count() << " skipped\n";
  }
};

} // namespace
} // namespace samedevice::harness

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::TestEventListeners &listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new samedevice::harness::OneLinePrinter);
  return RUN_ALL_TESTS();
}
