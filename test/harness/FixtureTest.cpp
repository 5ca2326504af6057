// Every fixture, analysed with the facade headers and with real libtorch's, then fixed and analysed again.
#include "Fixture.h"
#include "Diagnostics.h"
#include "Judgement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

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

/// Where an analyser finds libtorch's names, for .cpp and for .cu files.
struct Flags {
  std::vector<std::string> cpp, cu;
};
const Flags kFacade{words(FACADE_FLAGS), words(FACADE_CU_FLAGS)};
const Flags kFacadeInDriver{words(FACADE_FLAGS "|" RESOURCE_FLAGS), words(FACADE_CU_FLAGS "|" RESOURCE_FLAGS)};
const Flags kTorch{words(TORCH_FLAGS), words(TORCH_CU_FLAGS)};

Diagnostics analyzeAll(const std::vector<std::string> &command, const std::vector<fs::path> &files,
                       const Flags &flags) {
  std::vector<fs::path> cpp, cu;
  for (const fs::path &file : files)
    (file.extension() == ".cu" ? cu : cpp).push_back(file);
  Diagnostics result = analyze(command, cpp, flags.cpp);
  result.merge(analyze(command, cu, flags.cu));
  return result;
}

std::vector<Fixture> runnable(const std::string &check) {
  std::vector<Fixture> result;
  for (const Fixture &fixture : fixtures().at(check))
    if (HAS_CUDA || !fixture.needsCuda)
      result.push_back(fixture);
  return result;
}

bool isSilent(const Fixture &fixture) { return fixture.warnings.empty(); }

/// The facade's headers. Fixtures that expect something go through clang-tidy, as copies, which applies the fix-its.
/// What they have become, and those that expect nothing, go through our own driver, which is several times as fast.
struct FacadeRun {
  explicit FacadeRun(const std::string &check) : folder(kBuild / "fixtures" / "fixed" / check) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::copy(kRoot / check, folder, fs::copy_options::recursive);
    std::vector<fs::path> copies, changed, silent;
    for (const Fixture &fixture : runnable(check))
      (isSilent(fixture) ? silent : copies).push_back(folder / fixture.path.filename());
    setenv("SAMEDEVICE_FINDINGS", findings().c_str(), 1);
    before = analyzeAll(fixing(), copies, kFacade);
    unsetenv("SAMEDEVICE_FINDINGS");
    before.merge(analyzeAll({FIXTURE_ANALYZER}, silent, kFacadeInDriver));
    for (const fs::path &copy : copies)
      if (linesOf(copy) != linesOf(kRoot / check / copy.filename()))
        changed.push_back(copy);
    after = analyzeAll({FIXTURE_ANALYZER}, changed, kFacadeInDriver);
  }

  static std::vector<std::string> fixing() {
    return {CLANG_TIDY, "-load", PLUGIN, "-load", OWN_CODE_ONLY, "--config={Checks: '-*,own-code-only,device-*'}",
            "--fix"};
  }

  fs::path findings() const { return folder / "findings.json"; }

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
  if (isNew) {
    std::vector<fs::path> paths;
    for (const Fixture &fixture : runnable(check))
      paths.push_back(fixture.path);
    run->second = analyzeAll({FIXTURE_ANALYZER}, paths, kTorch);
  }
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
  if (before == after || fixture.isKnownLimit)
    return;
  for (const Mismatch &mismatch : compareFixed(of(run.before, copy), of(run.after, copy), before, after))
    ADD_FAILURE_AT(copy.c_str(), mismatch.line) << mismatch.text;
}

using Torch = FixtureTest;
TEST_P(Torch, Fixture) {
  const Fixture &fixture = GetParam();
  if (std::string_view(TORCH_FLAGS).empty())
    GTEST_SKIP() << "no libtorch here";
  report(fixture, compare(fixture, of(torchRun(fixture.check), fixture.path), false));
}

/// What the plugin wrote of a check's fixtures, replayed on simulated GPUs: everything fails as it is claimed to, and
/// not with the fix.
using Witnesses = testing::TestWithParam<std::string>;
TEST_P(Witnesses, OfCheck) {
  const fs::path findings = facadeRun(GetParam()).findings();
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

void PrintTo(const Fixture &fixture, std::ostream *out) { *out << fixture.path.string(); }

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

std::string identifier(std::string name) {
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

std::string testName(const testing::TestParamInfo<Fixture> &info) {
  return identifier(info.param.check + "__" + info.param.name);
}

#define FOR_EVERY_FIXTURE(SUITE)                                                                                       \
  GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SUITE);                                                                \
  INSTANTIATE_TEST_SUITE_P(Every, SUITE, testing::ValuesIn(allFixtures()), testName)

FOR_EVERY_FIXTURE(WellFormed);
FOR_EVERY_FIXTURE(Facade);
FOR_EVERY_FIXTURE(Fixed);
FOR_EVERY_FIXTURE(Torch);

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
    std::cout << fs::proximate(file, SOURCE_DIR).string() << ":" << result.line_number() << ": " << text << std::endl;
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
