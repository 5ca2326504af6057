// Runs over parts of a project, told together; and findings that are re-enacted.
#include "Checked.h"

#include "llvm/Support/JSON.h"

namespace samedevice::check {
namespace {

using namespace llvm;

const std::string kTorch = "#include <torch/torch.h>\n";
const std::string kMerge = SAMEDEVICE " merge ", kConfirm = SAMEDEVICE " confirm ";

class Parts : public Checked {
protected:
  void SetUp() override {
    Checked::SetUp();
    for (const char *name : {"a", "b", "c"})
      write(std::string(name) + ".cpp", kTorch + "#include \"both.h\"\n" + dropped(name));
    write("both.h", "#pragma once\ninline " + dropped("h"));
    write("part.cpp", kTorch + "#include <not/there.h>\n");
  }

  json::Value parsed(const std::string &name) const {
    Expected<json::Value> value = json::parse(read(name));
    EXPECT_TRUE(bool(value)) << read(name);
    return value ? std::move(*value) : json::Value(nullptr);
  }
};

TEST_F(Parts, TogetherAreTheWhole) {
  const Ran whole = checkWithFlags(". --json=whole.json --sarif=whole.sarif --gitlab=whole.gitlab");
  EXPECT_TRUE(whole.says("4 findings in 4 files")) << whole.output;
  EXPECT_TRUE(checkWithFlags(". --shard 1/3 --json=1.json").says(" in 2 files"));
  EXPECT_TRUE(checkWithFlags(". --shard 2/3 --json=2.json").says(" in 1 file"));
  EXPECT_TRUE(checkWithFlags(". --shard 3/3 --json=3.json").says(" in 1 file"));
  const Ran merged = shell(kMerge + "3.json 1.json 2.json --sarif=all.sarif --gitlab=all.gitlab --json=all.json");
  EXPECT_EQ(merged.status, 1);
  EXPECT_EQ(merged.times("both.h:2:34: warning:"), 1U) << "found in each part: " << merged.output;
  EXPECT_TRUE(merged.says("4 findings in 4 files")) << merged.output;
  EXPECT_TRUE(merged.says("no header not/there.h (part.cpp)")) << merged.output;
  EXPECT_EQ(read("all.sarif"), read("whole.sarif"));
  EXPECT_EQ(read("all.gitlab"), read("whole.gitlab"));
  shell(kMerge + "all.json --json=again.json");
  EXPECT_EQ(read("again.json"), read("all.json")) << "what is merged can be merged";
}

TEST_F(Parts, HaveOneStatus) {
  checkWithFlags("part.cpp --json=part.json");
  EXPECT_EQ(shell(kMerge + "part.json").status, 3);
  EXPECT_EQ(shell(kMerge + "part.json --fail-on=findings").status, 0);
  write("good.cpp", kTorch);
  checkWithFlags("good.cpp --json=good.json");
  EXPECT_EQ(shell(kMerge + "good.json").status, 0);
  EXPECT_EQ(shell(kMerge + "good.json part.json").status, 3);
  write("broken.json", "{\"samedevice\": 1, \"findings\": [{}]}");
  EXPECT_TRUE(shell(kMerge + "broken.json").says("broken.json")) << "whose fault it is";
  for (const char *file : {"broken.json", "nowhere.json", "a.cpp"})
    EXPECT_EQ(shell(kMerge + "good.json " + file).status, 2) << file;
  for (const char *shard : {"0/2", "3/2", "1", "a/b"})
    EXPECT_EQ(checkWithFlags(std::string("--shard=") + shard + " a.cpp").status, 2) << shard;
}

TEST_F(Parts, MayComeFromCheckoutsElsewhere) {
  for (const char *folder : {"here", "there"}) {
    for (const char *name : {"a.cpp", "b.cpp", "both.h"})
      write(std::string(folder) + "/" + name, read(name));
    write(std::string(folder) + "/.clang-tidy", "HeaderFilterRegex: '.*'\n");
    shell(std::string("git init -q ") + folder);
  }
  const std::string check = "XDG_CACHE_HOME=" CACHE " " SAMEDEVICE " check ";
  shell("cd here && " + check + "a.cpp --json=../1.json -- " + kFlags);
  shell("cd there && " + check + "b.cpp --json=../2.json -- " + kFlags);
  const Ran merged = shell("cd here && " + kMerge + "../1.json ../2.json");
  EXPECT_TRUE(merged.says("3 findings in 2 files")) << merged.output;
  EXPECT_TRUE(merged.says("\nb.cpp:3:27: warning:")) << merged.output;
}

TEST_F(Parts, GitlabReadsCodeQuality) {
  checkWithFlags("a.cpp b.cpp --gitlab=quality.json");
  const json::Value document = parsed("quality.json");
  const json::Array &issues = *document.getAsArray();
  ASSERT_EQ(issues.size(), 2U);
  const json::Object &issue = *issues[0].getAsObject();
  EXPECT_EQ(issue.getString("check_name"), "device-discarded-to");
  EXPECT_EQ(issue.getString("severity"), "major");
  EXPECT_EQ(issue.getObject("location")->getString("path"), "a.cpp");
  EXPECT_EQ(issue.getObject("location")->getObject("lines")->getInteger("begin"), 3);
  EXPECT_NE(issue.getString("fingerprint"), issues[1].getAsObject()->getString("fingerprint"));
}

TEST_F(Parts, WhatIsConfirmedIsSaidEverywhere) {
  if (!std::filesystem::exists(SAMEDEVICE "-replay"))
    GTEST_SKIP() << "samedevice-replay is not built";
  checkWithFlags("a.cpp --json=found.json");
  const Ran ran = shell(kConfirm + "found.json --backend=sim --github --sarif=c.sarif --gitlab=c.gitlab --json=c.json");
  EXPECT_EQ(ran.status, 1);
  const std::string words = "confirmed on 2 simulated GPUs: ";
  EXPECT_TRUE(ran.says("a.cpp:3:27: note: " + words)) << ran.output;
  EXPECT_TRUE(ran.says("%0A" + words)) << ran.output;
  EXPECT_TRUE(ran.says("with the fix it runs")) << ran.output;
  EXPECT_TRUE(ran.says("1 confirmed on 2 simulated GPUs\n")) << ran.output;
  for (const char *file : {"c.sarif", "c.gitlab"})
    EXPECT_NE(read(file).find(words), std::string::npos) << read(file);
  EXPECT_TRUE(shell(kMerge + "c.json").says(words)) << "the verdict is handed on";
  EXPECT_EQ(shell(kConfirm + "found.json --backend=moon").status, 2);
}

TEST_F(Parts, WhatThePluginHasWrittenCanBeConfirmed) {
  if (!std::filesystem::exists(SAMEDEVICE "-replay"))
    GTEST_SKIP() << "samedevice-replay is not built";
  const std::string document = R"({"samedevice": 1, "findings": [
{"check": "device-discarded-to", "message": "m", "file": ")" +
                               path("a.cpp") + R"(", "line": 3, "column": 27}
]}
)";
  write("plugin.json", document + document);
  const Ran ran = shell(kConfirm + "plugin.json --backend=sim");
  EXPECT_TRUE(ran.says("a.cpp:3:27: warning: m [device-discarded-to]\n" + dropped("a"))) << ran.output;
  EXPECT_TRUE(ran.says("note: unsupported on 2 simulated GPUs")) << ran.output;
  EXPECT_TRUE(ran.says("1 finding in 0 files, 1 unsupported on 2 simulated GPUs\n")) << ran.output;
}

} // namespace
} // namespace samedevice::check
