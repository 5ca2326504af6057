// What other programs read, and what is written into files.
#include "Checked.h"

#include "llvm/Support/JSON.h"

namespace samedevice::check {
namespace {

using namespace llvm;

const std::string kTorch = "#include <torch/torch.h>\n";

class Output : public Checked {
protected:
  /// The findings on standard output are asked for as JSON.
  json::Value parsed(const Ran &ran) const {
    Expected<json::Value> value = json::parse(StringRef(ran.output).substr(0, ran.output.rfind("\n}") + 2));
    if (!value) {
      ADD_FAILURE() << toString(value.takeError()) << "\n" << ran.output;
      return nullptr;
    }
    return *value;
  }
};

TEST_F(Output, ReplayTakesIt) {
  write("a.cpp", kTorch + "#include \"both.h\"\n" + dropped("a"));
  write("b.cpp", kTorch + "#include \"both.h\"\n" + dropped("b") + "void n(torch::Tensor x) { x.cuda(); } // NOLINT\n");
  write("both.h", "inline " + dropped("h"));
  checkWithFlags(". --json=findings.json");
  Expected<json::Value> value = json::parse(read("findings.json"));
  ASSERT_TRUE(bool(value)) << read("findings.json");
  const json::Array &findings = *value->getAsObject()->getArray("findings");
  ASSERT_EQ(findings.size(), 3U) << "what is told, each once";
  for (const json::Value &finding : findings)
    EXPECT_TRUE(finding.getAsObject()->getObject("witness")) << read("findings.json");
  checkWithFlags(". --json=again.json"); // from the cache
  EXPECT_EQ(read("again.json"), read("findings.json"));
}

TEST_F(Output, SarifSaysAllOfIt) {
  write("my file.cpp", kTorch + "void f() {\n"
                                "  /* \xC3\xA4 */ auto x = torch::zeros({2}, torch::kCUDA);\n"
                                "  /* \xC3\xA4 */ auto y = torch::zeros({2});\n"
                                "  auto z = x + y;\n}\n");
  const json::Value document = parsed(checkWithFlags("'my file.cpp' --sarif=- 2>/dev/null"));
  const json::Object &run = *document.getAsObject()->getArray("runs")->front().getAsObject();
  const json::Object &driver = *run.getObject("tool")->getObject("driver");
  ASSERT_EQ(run.getArray("results")->size(), 1U);
  const json::Object &result = *run.getArray("results")->front().getAsObject();
  const auto rule = static_cast<size_t>(result.getInteger("ruleIndex").value_or(0));
  const json::Object &named = *(*driver.getArray("rules"))[rule].getAsObject();
  EXPECT_EQ(named.getString("id"), result.getString("ruleId"));
  EXPECT_TRUE(named.getObject("help")->getString("markdown").value_or("").starts_with("# device-"));
  const json::Object &place = *result.getArray("locations")->front().getAsObject()->getObject("physicalLocation");
  EXPECT_EQ(place.getObject("artifactLocation")->getString("uri"), "my%20file.cpp");
  const json::Object &flow = *result.getArray("codeFlows")->front().getAsObject();
  const json::Array &steps = *flow.getArray("threadFlows")->front().getAsObject()->getArray("locations");
  EXPECT_GE(steps.size(), 2U);
  const json::Object &first = *steps.front().getAsObject()->getObject("location")->getObject("physicalLocation");
  EXPECT_EQ(first.getObject("region")->getInteger("startLine"), 3);
  EXPECT_EQ(first.getObject("region")->getInteger("startColumn"), 20) << "in characters";
  const json::Object &change =
      *result.getArray("fixes")->front().getAsObject()->getArray("artifactChanges")->front().getAsObject();
  EXPECT_EQ(change.getArray("replacements")->size(), 1U);
}

TEST_F(Output, SarifIsAsItsSchemaWantsIt) {
  const char *schema = std::getenv("SAMEDEVICE_SARIF_SCHEMA"); // sarif-schema-2.1.0.json, as OASIS publishes it
  if (!schema || shell("python3 -c 'import jsonschema'").status != 0)
    GTEST_SKIP() << "SAMEDEVICE_SARIF_SCHEMA names no file, or Python has no jsonschema";
  write("a.cpp", kTorch + dropped() +
                     "void g() {\n  auto x = torch::zeros({2}, torch::kCUDA);\n"
                     "  auto y = torch::zeros({2});\n  auto z = x + y;\n}\n");
  checkWithFlags("a.cpp --sarif=a.sarif --json=a.json");
  shell(SAMEDEVICE " confirm a.json --sarif=b.sarif");
  write("validate.py", "import json, jsonschema, sys\n"
                       "schema, *files = [json.load(open(name)) for name in sys.argv[1:]]\n"
                       "for file in files:\n"
                       "  assert file['runs'][0]['results']\n"
                       "  jsonschema.Draft4Validator(schema).validate(file)\n");
  const Ran ran = shell(std::string("python3 validate.py ") + schema + " a.sarif b.sarif");
  EXPECT_EQ(ran.status, 0) << ran.output;
}

TEST_F(Output, GithubShowsItAtTheLine) {
  write("a,b.cpp", kTorch + dropped());
  const Ran ran = checkWithFlags("--github a,b.cpp");
  EXPECT_TRUE(ran.says("\n::warning file=a%2Cb.cpp,line=2,col=27,title=device-discarded-to::the result of"))
      << ran.output;
}

TEST_F(Output, FixesAreApplied) {
  write("a.cpp", kTorch + "#include \"both.h\"\n" + dropped("a"));
  write("b.cpp", kTorch + "#include \"both.h\"\n");
  write("both.h", "#pragma once\ninline " + dropped("h"));
  std::filesystem::permissions(path("both.h"), std::filesystem::perms(0640));
  const std::string before = read("both.h");
  const Ran dry = checkWithFlags(". --fix=dry-run");
  EXPECT_EQ(dry.status, 1);
  EXPECT_TRUE(dry.says("--- a/both.h\n+++ b/both.h\n")) << dry.output;
  EXPECT_TRUE(dry.says("2 can be fixed")) << dry.output;
  EXPECT_EQ(read("both.h"), before);
  const Ran fixed = checkWithFlags(". --fix");
  EXPECT_EQ(fixed.status, 0) << fixed.output;
  EXPECT_TRUE(fixed.says("2 fixed")) << fixed.output;
  EXPECT_EQ(read("both.h"), "#pragma once\ninline void h(torch::Tensor x) { x = x.to(torch::kCUDA); }\n");
  EXPECT_EQ(std::filesystem::status(path("both.h")).permissions(), std::filesystem::perms(0640));
  EXPECT_TRUE(shell("printf '%s' \"$(ls)\"").says("a.cpp\nb.cpp\nboth.h")) << "nothing is left lying about";
}

TEST_F(Output, ABaselineIsLeftAlone) {
  write("a.cpp", kTorch + dropped("old"));
  EXPECT_EQ(shell(std::string(SAMEDEVICE " baseline --cache= a.cpp -o known.json -- ") + kFlags).status, 0);
  write("a.cpp", kTorch + "\n\n" + dropped("young") + dropped("old"));
  const Ran ran = checkWithFlags("--baseline known.json a.cpp");
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(ran.says("a.cpp:4:31: warning:")) << ran.output;
  EXPECT_TRUE(ran.says("1 finding in 1 file, 1 known (known.json), 1 that --fix can fix\n")) << ran.output;
  write("a.cpp", kTorch);
  const Ran fixed = checkWithFlags("--baseline known.json a.cpp");
  EXPECT_EQ(fixed.status, 0);
  EXPECT_TRUE(fixed.says("stale in the baseline: a.cpp:2 device-discarded-to\n")) << fixed.output;
  write("known.json", "{}");
  EXPECT_EQ(checkWithFlags("--baseline known.json a.cpp").status, 2);
}

TEST_F(Output, WhatFailsIsTheUsersChoice) {
  write("bad.cpp", kTorch + dropped());
  write("part.cpp", kTorch + "#include <not/there.h>\n");
  EXPECT_EQ(checkWithFlags("--fail-on=errors bad.cpp").status, 0);
  EXPECT_EQ(checkWithFlags("--fail-on=nothing bad.cpp").status, 0);
  EXPECT_EQ(checkWithFlags("--fail-on=findings bad.cpp").status, 1);
  EXPECT_EQ(checkWithFlags("--fail-on=findings part.cpp").status, 0);
}

class Commits : public Output {
protected:
  void commit() {
    const Ran ran = shell("git init -q 2>&1; git add -A && git -c user.name=n -c user.email=e commit -qm m");
    ASSERT_EQ(ran.status, 0) << ran.output;
  }
};

TEST_F(Commits, OnlyWhatHasChangedIsTold) {
  write("a.cpp", kTorch + dropped("a"));
  write("b.cpp", kTorch + dropped("b"));
  shell("git init -q");
  EXPECT_TRUE(checkWithFlags("--diff HEAD").says("2 findings in 2 files")) << "all is new before the first commit";
  write("c.cpp", kTorch + "void c() {\n  auto x = torch::zeros({2}, torch::kCUDA);\n  auto y = torch::zeros({2});\n"
                          "  auto z = x + y;\n}\n");
  commit();
  EXPECT_EQ(checkWithFlags("--diff HEAD").output, "") << "nothing has changed, nothing is done";
  write("a.cpp", kTorch + dropped("a") + dropped("more"));
  write("new.cpp", kTorch + dropped("n"));
  write("README", "text\n");
  const Ran ran = checkWithFlags("--diff HEAD");
  EXPECT_TRUE(ran.says("a.cpp:3:30: warning:")) << ran.output;
  EXPECT_TRUE(ran.says("new.cpp:2:27: warning:")) << ran.output;
  EXPECT_TRUE(ran.says("2 findings in 2 files")) << ran.output;
  commit();
  write("c.cpp", kTorch + "void c() {\n  auto x = torch::zeros({2}, torch::kCUDA);\n  auto y = torch::zeros({2});\n"
                          "  auto z = y + x;\n}\n");
  const Ran note = checkWithFlags("--diff HEAD");
  EXPECT_TRUE(note.says("1 finding in 1 file")) << "the warning is elsewhere, its story is here: " << note.output;
  EXPECT_EQ(checkWithFlags("--diff nothing-like-it").status, 2);
  EXPECT_TRUE(checkWithFlags("--diff HEAD~1 a.cpp").says("1 finding in 1 file"));
}

TEST_F(Output, PathsMayComeFromAList) {
  write("a.cpp", kTorch + dropped("a"));
  const Ran ran = shell(
      std::string("printf 'a.cpp\\nREADME\\n' | XDG_CACHE_HOME=" CACHE " " SAMEDEVICE " check --files-from - -- ") +
      kFlags);
  EXPECT_TRUE(ran.says("1 finding in 1 file")) << ran.output;
  EXPECT_EQ(shell("true | " SAMEDEVICE " check --files-from - --").output, "");
}

} // namespace
} // namespace samedevice::check
