// What is kept from one run to the next, and when it is not used.
#include "Cache.h"
#include "Checked.h"
#include "Inputs.h"

namespace samedevice::check {
namespace {

namespace fs = std::filesystem;

const std::string kTorch = "#include <torch/torch.h>\n";
const std::string kHere = "--cache=cache ";

class Cached : public Checked {
protected:
  std::vector<fs::path> kept(const std::string &extension) const {
    std::vector<fs::path> files;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder_ / "cache"))
      if (entry.path().string().ends_with(extension))
        files.push_back(entry.path());
    return files;
  }

  static void overwrite(const fs::path &file, const std::string &text) { std::ofstream(file) << text; }
};

TEST_F(Cached, WhatIsUnchangedIsNotAnalysedAgain) {
  write("bad.cpp", kTorch + "#include \"own.h\"\n" + dropped());
  write("own.h", "#pragma once\n");
  const Ran first = checkWithFlags(kHere + "bad.cpp");
  const Ran second = checkWithFlags(kHere + "bad.cpp");
  EXPECT_TRUE(first.says("1 finding in 1 file,")) << first.output;
  EXPECT_TRUE(second.says("1 finding in 1 file (1 unchanged)")) << second.output;
  EXPECT_TRUE(second.says("bad.cpp:3:27: warning:")) << second.output;
  EXPECT_EQ(second.status, 1);
  write("own.h", "#pragma once\nstruct Own {};\n");
  EXPECT_FALSE(checkWithFlags(kHere + "bad.cpp").says("unchanged"));
  EXPECT_FALSE(checkWithFlags(kHere + "--checks=-device-stale-load bad.cpp").says("unchanged"));
  EXPECT_FALSE(check(kHere + "bad.cpp -- -DMORE " + kFlags).says("unchanged"));
  EXPECT_FALSE(checkWithFlags("--cache= bad.cpp").says("unchanged"));
}

TEST_F(Cached, WhatIsMissingIsLookedForAgain) {
  write("bad.cpp", kTorch + "#include <late.h>\n");
  EXPECT_EQ(check(kHere + "bad.cpp -- -Ilater " + kFlags).status, 3);
  const Ran again = check(kHere + "bad.cpp -- -Ilater " + kFlags);
  EXPECT_TRUE(again.says("no header late.h")) << again.output;
  EXPECT_TRUE(again.says("(1 unchanged)")) << again.output;
  write("later/late.h", "inline " + dropped());
  EXPECT_EQ(check(kHere + "bad.cpp -- -Ilater " + kFlags).status, 0) << "the header was not asked for";
  EXPECT_EQ(check(kHere + ". -- -Ilater " + kFlags).status, 1);
}

TEST_F(Cached, AHeaderThatIsOnlyAskedForMayComeLater) {
  write("bad.cpp", kTorch + "#if __has_include(\"own.h\")\n#include \"own.h\"\n#endif\n");
  EXPECT_EQ(checkWithFlags(kHere + "bad.cpp").status, 0);
  write("own.h", "inline " + dropped());
  EXPECT_EQ(checkWithFlags(kHere + "bad.cpp own.h").status, 1);
}

TEST_F(Cached, SourcesThatIncludeTheSameShareItPrecompiled) {
  write("a.cpp", kTorch + "#include <torch/script.h>\n" + dropped());
  write("b.cpp",
        "#include \"own.h\"\n#include <torch/script.h>\n#if 1\n#include <pybind11/pybind11.h>\n#endif\n" + dropped());
  write("own.h", "#ifndef OWN_H\n#define OWN_H\n" + kTorch + "#endif\n");
  write("c.cpp", "#define EIGEN_NO_DEBUG\n" + kTorch + dropped());
  EXPECT_TRUE(checkWithFlags(kHere + "a.cpp b.cpp").says("2 findings in 2 files"));
  EXPECT_EQ(kept(".pch").size(), 1U);
  EXPECT_TRUE(checkWithFlags(kHere + "c.cpp").says("1 finding"));
  EXPECT_EQ(kept(".pch").size(), 2U) << "a macro that comes before may change what comes after";
}

TEST_F(Cached, APrecompiledFunctionForDevicesIsNotTheHostsOfItsName) {
  write("lib/torch/part.h", "#pragma once\n__host__ inline int part(int i) { return i; }\n"
                            "__device__ inline int part(int i) { return -i; }\n");
  write("a.cu", kTorch + "#include <torch/part.h>\nint g() { return part(1); }\n" + dropped());
  const Ran ran = check(kHere + "a.cu -- -x cuda --cuda-host-only -nocudainc -nocudalib " +
                        "'-D__host__=__attribute__((host))' '-D__device__=__attribute__((device))' -isystem " +
                        path("lib") + " " + kFlags + " -std=c++20");
  EXPECT_EQ(kept(".pch").size(), 1U);
  EXPECT_TRUE(ran.says("1 finding in 1 file")) << ran.output;
  EXPECT_FALSE(ran.says("analysed in part")) << ran.output;
}

TEST_F(Cached, AHeaderOfALibraryThatChangesIsReadAgain) {
  write("lib/torch/mine.h", "#define MOVED 0\n");
  write("a.cpp", kTorch + "#include <torch/mine.h>\n#if MOVED\n" + dropped() + "#endif\n");
  const std::string command = kHere + "a.cpp -- -isystem " + path("lib") + " " + kFlags;
  EXPECT_EQ(check(command).status, 0);
  write("lib/torch/mine.h", "#define MOVED 1\n");
  EXPECT_EQ(check(command).status, 1);
}

TEST_F(Cached, DamageIsRepaired) {
  write("bad.cpp", kTorch + dropped());
  ASSERT_EQ(checkWithFlags(kHere + "bad.cpp").status, 1);
  const std::vector<fs::path> headers = kept(".pch");
  ASSERT_EQ(headers.size(), 1U);
  const auto size = fs::file_size(headers[0]);
  for (const std::string kind : {".pch", ".headers.json", ".result.json"}) {
    write("bad.cpp", kTorch + std::string("// ").append(kind).append("\n").append(dropped()));
    for (const fs::path &file : kept(kind))
      overwrite(file, "{");
    const Ran ran = checkWithFlags(kHere + "bad.cpp");
    EXPECT_EQ(ran.status, 1) << kind << "\n" << ran.output;
    EXPECT_TRUE(ran.says("1 finding in 1 file")) << kind << "\n" << ran.output;
    EXPECT_EQ(fs::file_size(headers[0]), size) << kind;
  }
}

TEST_F(Cached, ASourceWithErrorsIsReadOnce) {
  // Who reads a pipe once more waits until he is killed. It is read by Clang, and for its content to be written down.
  write("a.cpp", kTorch + "#if 1\n#include \"pipe.h\"\n#endif\nint x() { return nowhere; }\n" + dropped());
  const std::string run = std::string("timeout 60 " SAMEDEVICE " check ") + kHere + "a.cpp -- " + kFlags;
  const Ran ran = shell("mkfifo pipe.h && { (echo >pipe.h; sleep 1; echo >pipe.h) & " + run + "; }");
  EXPECT_EQ(ran.status, 1) << ran.output;
  EXPECT_TRUE(ran.says("analysed in part: a.cpp:5: use of undeclared identifier 'nowhere'")) << ran.output;
}

TEST_F(Cached, HeadersThatAConditionConfiguresAreReadAgain) {
  write("lib/torch/mine.h", "#ifndef WANTED\nint mine();\n#endif\n#ifdef WANTED\nint wanted();\n#endif\n");
  write("a.cpp",
        "#if 1\n#define WANTED\n#endif\n#include <torch/mine.h>\n" + kTorch + "int x = wanted();\n" + dropped());
  const Ran ran = check(kHere + "a.cpp -- -isystem " + path("lib") + " " + kFlags);
  EXPECT_TRUE(ran.says("1 finding in 1 file,")) << ran.output;
  EXPECT_FALSE(ran.says("in part")) << ran.output;
}

TEST_F(Cached, AFolderThatCannotBeUsedIsSaid) {
  write("cache", "a file");
  write("bad.cpp", kTorch + dropped());
  const Ran ran = checkWithFlags(kHere + "bad.cpp");
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.times("cache " + path("cache") + ": "), 1U) << ran.output;
}

TEST_F(Cached, TwoRunsAtOnceAreTwoRuns) {
  write("bad.cpp", kTorch + dropped());
  const std::string run = std::string(SAMEDEVICE " check ") + kHere + "bad.cpp -- " + kFlags;
  const Ran ran = shell("{ " + run + " & " + run + " & " + run + " & wait; }");
  EXPECT_EQ(ran.times("bad.cpp:2:27: warning:"), 3U) << ran.output;
  EXPECT_EQ(kept(".pch").size(), 1U);
  EXPECT_TRUE(kept(".lock").empty());
}

TEST_F(Cached, OneThatWasKilledLeavesNothingBroken) {
  write("bad.cpp", kTorch + dropped());
  const std::string run = std::string(SAMEDEVICE " check ") + kHere + "bad.cpp -- " + kFlags;
  shell("timeout -s KILL 0.3 " + run);
  const Ran ran = shell(run);
  EXPECT_EQ(ran.times("bad.cpp:2:27: warning:"), 1U) << ran.output;
}

TEST_F(Cached, TheOldestGoes) {
  Cache cache(path("cache"));
  for (const char *name : {"a", "b", "c"})
    cache.write(name, std::string(100, 'x'));
  cache.touch("a");
  fs::last_write_time(folder_ / "cache" / "b", fs::file_time_type::clock::now() - std::chrono::hours(1));
  cache.trimTo(250);
  EXPECT_TRUE(cache.read("a") && cache.read("c"));
  EXPECT_FALSE(cache.read("b"));
}

TEST_F(Cached, AChangeThatKeepsSizeAndTimeIsSeen) {
  write("input", "one");
  const std::vector<Input> young = Disk().record({"input"}, folder_.string());
  const auto time = fs::last_write_time(folder_ / "input");
  EXPECT_TRUE(Disk().hasUnchanged(young));
  write("input", "two");
  fs::last_write_time(folder_ / "input", time);
  EXPECT_FALSE(Disk().hasUnchanged(young)) << "it was written in the second in which it was read";
}

} // namespace
} // namespace samedevice::check
