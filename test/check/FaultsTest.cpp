// What goes wrong around an analysis: one clear line each, and nothing is lost.
#include "Checked.h"

namespace samedevice::check {
namespace {

namespace fs = std::filesystem;

const std::string kTorch = "#include <torch/torch.h>\n";

class Faults : public Checked {
protected:
  /// `command` with a folder "small" that holds so much. No status where that cannot be had here.
  std::optional<Ran> inSmall(const std::string &size, const std::string &command) const {
    fs::create_directory(folder_ / "small");
    for (const std::string enter : {"unshare -m ", "unshare -rm "}) {
      const std::string mount = std::string("mount -t tmpfs -o size=").append(size).append(" none small");
      if (shell(enter + mount).status == 0)
        return shell(
            std::string(enter).append("sh -c '").append(mount).append(" && { ").append(command).append("; }'"));
    }
    return std::nullopt;
  }
};

TEST_F(Faults, AFullDiskIsSaidAndNothingIsMissing) {
  write("a.cpp", kTorch + dropped("a"));
  write("b.cpp", kTorch + dropped("b"));
  const std::string run = std::string(SAMEDEVICE " check . --cache=small -- ") + kFlags;
  for (const char *size : {"4k", "1m"}) { // for nothing; for the results, but not for the headers
    const std::optional<Ran> ran = inSmall(size, run);
    if (!ran)
      GTEST_SKIP() << "a small disk cannot be mounted here";
    EXPECT_EQ(ran->status, 1) << ran->output;
    EXPECT_TRUE(ran->says("2 findings in 2 files")) << ran->output;
    EXPECT_EQ(ran->times("cache " + path("small") + ": No space left on device; not all is kept\n"), 1U) << ran->output;
  }
}

TEST_F(Faults, AFullDiskTakesNoSourceAndNoReportAlong) {
  write("a.cpp", kTorch + dropped());
  const std::string check = SAMEDEVICE " check --cache= small/a.cpp ", flags = std::string(" -- ") + kFlags;
  const std::string fill = "cp a.cpp small/a.cpp; echo old >small/report; cat /dev/zero 2>/dev/null >small/rest; ";
  const std::optional<Ran> fixed =
      inSmall("64k", fill + check + "--fix" + flags + "; echo $?; cat small/a.cpp; ls small");
  if (!fixed)
    GTEST_SKIP() << "a small disk cannot be mounted here";
  EXPECT_TRUE(fixed->says("No space left on device")) << fixed->output;
  EXPECT_TRUE(fixed->says("\n2\n" + read("a.cpp") + "a.cpp\nreport\nrest\n")) << fixed->output;
  const Ran reported =
      inSmall("64k", fill + check + "--json small/report" + flags + "; echo $?; cat small/report").value_or(Ran());
  EXPECT_TRUE(reported.says("small/report': No space left on device")) << reported.output;
  EXPECT_TRUE(reported.says("\n2\nold\n")) << reported.output;
}

TEST_F(Faults, AReportMayGoIntoAPipe) {
  write("a.cpp", kTorch + dropped());
  const Ran ran =
      shell(std::string(SAMEDEVICE " check --cache= a.cpp --json /dev/stdout -- ") + kFlags + " 2>&1 | cat");
  EXPECT_TRUE(ran.says("{\"samedevice\": 1")) << ran.output;
}

TEST_F(Faults, ACacheOfAnotherVersionIsLeftAlone) {
  write("a.cpp", kTorch + dropped());
  fs::create_directory(folder_ / "bin");
  fs::copy_file(SAMEDEVICE, folder_ / "bin/samedevice");
  fs::last_write_time(folder_ / "bin/samedevice", fs::file_time_type::clock::now() - std::chrono::hours(1));
  const std::string arguments = std::string(" check --cache=cache a.cpp -- ") + kFlags;
  EXPECT_TRUE(shell(SAMEDEVICE + arguments).says("1 finding in 1 file,"));
  const Ran other = shell("bin/samedevice" + arguments);
  EXPECT_TRUE(other.says("1 finding in 1 file,")) << "not what another program has found: " << other.output;
  EXPECT_TRUE(shell(SAMEDEVICE + arguments).says("(1 unchanged)"));
  EXPECT_TRUE(shell("bin/samedevice" + arguments).says("(1 unchanged)"));
}

TEST_F(Faults, EntriesThatSaySomethingElseAreMadeAgain) {
  write("a.cpp", kTorch + dropped());
  const std::string arguments = "--cache=cache a.cpp";
  checkWithFlags(arguments);
  for (const fs::directory_entry &entry : fs::directory_iterator(folder_ / "cache"))
    if (entry.path().extension() == ".json")
      std::ofstream(entry.path()) << R"({"inputs": [], "outcome": 1})";
  EXPECT_TRUE(checkWithFlags(arguments).says("1 finding in 1 file,"));
  EXPECT_TRUE(checkWithFlags(arguments).says("(1 unchanged)"));
}

TEST_F(Faults, ASourceThatIsGoneMeanwhileIsSaid) {
  write("first.cpp", "#include \"pipe.h\"\n" + kTorch + dropped("a"));
  write("gone.cpp", kTorch + dropped("b"));
  const Ran ran =
      shell(std::string("mkfifo pipe.h && { (sleep 1; rm gone.cpp; echo >pipe.h; sleep 1; echo >pipe.h) & " SAMEDEVICE
                        " check --cache= -j1 first.cpp gone.cpp -- ") +
            kFlags + "; kill %1 2>/dev/null; }");
  EXPECT_TRUE(ran.says("first.cpp:3:27: warning:")) << ran.output;
  EXPECT_TRUE(ran.says("not analysed: gone.cpp: there is no such file\n")) << ran.output;
  EXPECT_TRUE(ran.says("1 finding in 1 file, 1 not analysed")) << ran.output;
}

TEST_F(Faults, WhatCrashesOnlyPrecompiledIsAnalysedWithout) {
  write("lib/torch/crash.h", "#if !__has_include(__BASE_FILE__)\n#pragma clang __debug crash\n#endif\n");
  write("a.cpp", kTorch + "#include <torch/crash.h>\n" + dropped());
  const Ran ran = check("--cache=cache a.cpp -- -isystem " + path("lib") + " " + kFlags);
  EXPECT_EQ(ran.status, 1) << ran.output;
  EXPECT_TRUE(ran.says("a.cpp:3:27: warning:")) << ran.output;
  EXPECT_FALSE(ran.says("not analysed")) << ran.output;
}

TEST_F(Faults, WhoIsKilledTakesItsChildrenAlong) {
  write("a.cpp", "#include \"pipe.h\"\n" + kTorch);
  const Ran ran =
      shell(std::string("mkfifo pipe.h && { timeout -s KILL 1 " SAMEDEVICE " check --cache= a.cpp -- ") + kFlags +
            "; sleep 0.2; for p in /proc/[0-9]*; do [ \"$(readlink $p/cwd)\" = \"$PWD\" ] && "
            "tr '\\0' ' ' <$p/cmdline | grep '^" SAMEDEVICE "'; done; echo end; }");
  EXPECT_TRUE(ran.says("end\n")) << ran.output;
  EXPECT_FALSE(ran.says(SAMEDEVICE)) << ran.output;
}

} // namespace
} // namespace samedevice::check
