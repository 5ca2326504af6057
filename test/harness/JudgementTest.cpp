// The harness judges everything else, so it is judged first.
#include "Judgement.h"

#include <gtest/gtest.h>

#include <fstream>

namespace samedevice::harness {
namespace {

Fixture fixture(const std::string &name, const std::string &text) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "device-host-access";
  std::filesystem::create_directories(folder);
  const auto path = folder / (name + ".cpp");
  std::ofstream(path) << text;
  return readFixture(path);
}

std::vector<std::string> texts(const std::vector<Mismatch> &mismatches) {
  std::vector<std::string> result;
  result.reserve(mismatches.size());
  for (const Mismatch &mismatch : mismatches)
    result.push_back(std::to_string(mismatch.line) + ": " + mismatch.text);
  return result;
}

using Texts = std::vector<std::string>;

TEST(Fixture, ReadsItsExpectations) {
  const Fixture read = fixture("reads_bad", "int x;  // note: \"moved here\"\n"
                                            "f(x);  // expect: device-host-access \"on cuda\" // fails: SIGSEGV\n"
                                            "g(x);  // expect: device-host-access // expect: device-raw-pointer\n");
  EXPECT_EQ(read.check, "device-host-access");
  EXPECT_EQ(read.complaint(), "");
  ASSERT_EQ(read.warnings.size(), 3u);
  EXPECT_EQ(read.warnings[0].line, 2);
  EXPECT_EQ(read.warnings[0].substring, "on cuda");
  EXPECT_EQ(read.warnings[2].check, "device-raw-pointer");
  ASSERT_EQ(read.notes.size(), 1u);
  EXPECT_EQ(read.notes[0].substring, "moved here");
}

TEST(Fixture, ItsNameHoldsTheTruth) {
  EXPECT_NE(fixture("half", "").complaint(), "");
  EXPECT_NE(fixture("nothing_bad", "").complaint(), "");
  EXPECT_NE(fixture("something_ok", "f();  // expect: device-host-access\n").complaint(), "");
  EXPECT_EQ(fixture("nothing_ok", "").complaint(), "");
  EXPECT_TRUE(fixture("FN_unseen_bad", "f();  // expect: device-host-access\n").isKnownLimit);
}

TEST(Diagnostics, AreReadFromWhatClangTidyPrints) {
  const Diagnostics read = readDiagnostics("2 warnings generated.\n"
                                           "a/b.cpp:12:5: warning: host reads 'x[0]' [device-host-access]\n"
                                           "   12 |   x[0];\n"
                                           "a/b.cpp:12:5: note: FIX-IT applied suggested code changes\n"
                                           "a/b.cpp:3:1: note: moved here\n"
                                           "c.cpp:1:1: fatal error: no such thing [clang-diagnostic-error]\n");
  ASSERT_EQ(read.size(), 2u);
  const Diagnostic &warning = read.at("a/b.cpp")[0];
  EXPECT_EQ(warning.line, 12);
  EXPECT_EQ(warning.message, "host reads 'x[0]'");
  EXPECT_EQ(warning.check, "device-host-access");
  EXPECT_TRUE(warning.isFixed);
  ASSERT_EQ(warning.notes.size(), 1u);
  EXPECT_EQ(warning.notes[0].line, 3);
  EXPECT_TRUE(read.at("c.cpp")[0].isError);
}

TEST(Diagnostics, ARunThatFailsAsAWholeIsEveryFilesError) {
  const Diagnostics read = analyze({"sh", "-c", "echo 'fatal error: no such header'"}, {"a.cpp", "b.cpp"});
  ASSERT_EQ(read.size(), 2u);
  EXPECT_TRUE(read.at("b.cpp")[0].isError);
}

TEST(Compare, OneForOne) {
  const Fixture bad = fixture("one_bad", "a();  // note: \"moved\"\nf();  // expect: device-host-access \"cuda\"\n");
  const Diagnostic right{
      2, false, "is on cuda:0", "device-host-access", false, {{1, false, "moved here", "", false, {}}}};
  EXPECT_EQ(texts(compare(bad, {right})), Texts{});

  Diagnostic elsewhere = right;
  elsewhere.line = 3;
  EXPECT_EQ(texts(compare(bad, {right, elsewhere})), Texts{"3: unexpected device-host-access: is on cuda:0"});
  EXPECT_EQ(texts(compare(bad, {right, right})), Texts{"2: unexpected device-host-access: is on cuda:0"})
      << "one root, one report";

  const Texts nothing{"2: not reported: device-host-access \"cuda\"", "1: no note here says \"moved\""};
  EXPECT_EQ(texts(compare(bad, {})), nothing);
}

TEST(Compare, AFixThatNobodyCanKnowIsNone) {
  const Fixture bad = fixture("unfixed_bad", "f();  // expect: device-host-access // fix: none\n");
  Diagnostic warning{1, false, "is on cuda:0", "device-host-access", false, {}};
  EXPECT_EQ(texts(compare(bad, {warning})), Texts{});
  warning.isFixed = true;
  EXPECT_EQ(texts(compare(bad, {warning})), Texts{"1: has a fix-it, where none is known to be right"});
}

TEST(CompareFixed, OnlyWhatHadNoFixMayStay) {
  const Diagnostic fixed{1, false, "m", "device-host-access", true, {}};
  const Diagnostic unfixed{2, false, "m", "device-host-access", false, {}};
  const Texts before{"f(x);", "  g(x);"}, after{"auto y = x.cpu();", "f(y);", "g(x);"};
  const Diagnostic movedDown{3, false, "m", "device-host-access", false, {}};
  const Diagnostic stillThere{2, false, "m", "device-host-access", false, {}};
  const Diagnostic broken{1, true, "does not compile", "clang-diagnostic-error", false, {}};
  EXPECT_EQ(texts(compareFixed({fixed, unfixed}, {movedDown}, before, after)), Texts{});
  EXPECT_EQ(texts(compareFixed({fixed, unfixed}, {stillThere}, before, after)),
            Texts{"2: after the fix: device-host-access: m"});
  EXPECT_EQ(texts(compareFixed({fixed}, {broken}, before, after)), Texts{"1: after the fix: error: does not compile"});
}

TEST(Run, TellsACrashFromAnExit) {
  EXPECT_EQ(run({"sh", "-c", "echo 'it''s'; exit 3"}).output, "its\n");
  EXPECT_EQ(run({"sh", "-c", "exit 3"}).signal, 0);
  EXPECT_EQ(run({"sh", "-c", "kill -SEGV $$"}).signal, 11);
}

} // namespace
} // namespace samedevice::harness
