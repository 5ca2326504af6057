// The findings file: what the plugin writes, the replayer takes.
#include "Tidy.h"

#include <sstream>

namespace {

const char *const kDropped = "void f(torch::Tensor x) { x.to(torch::kCUDA); }\n";
const char *const kChecks = "--checks='-*,device-*'";

class FindingsFile : public Plugin {
protected:
  std::string findings() const { return path("findings.json"); }
  std::string environment() const { return "SAMEDEVICE_FINDINGS=" + findings() + " "; }
  std::string written() const {
    std::ostringstream text;
    text << std::ifstream(findings()).rdbuf();
    return text.str();
  }
  /// What the replayer says of the file; empty where it was not built.
  std::string replayed() const {
    return std::string_view(REPLAY).empty() ? ""
                                            : run(std::string(REPLAY) + " " + findings() + " --backend sim").output;
  }
  void expectReplay(const std::string &line) const {
    const std::string said = replayed();
    EXPECT_TRUE(said.empty() || said.find(line) != std::string::npos) << said;
  }
};

TEST_F(FindingsFile, IsNamedByTheEnvironment) {
  run(environment() + command(kDropped, kChecks));
  EXPECT_NE(written().find("\"check\":\"device-discarded-to\""), std::string::npos) << written();
  EXPECT_NE(written().find("\"line\":2"), std::string::npos) << written();
  expectReplay("1 of 1 confirmed, 0 not reproduced, 0 unsupported, 1 of 1 fixes resolve");
}

TEST_F(FindingsFile, MemoryStaysWhereItWasAllocated) {
  // What wraps it is moved; the host's vector is not.
  const char *code =
      "#include <vector>\n"
      "torch::Tensor f(std::vector<uint8_t> &bytes) {\n"
      "  auto x = torch::from_blob(bytes.data(), {3, 4}, torch::kByte).to(torch::kCUDA, torch::kFloat);\n"
      "  return x - torch::ones({4});\n}\n";
  run(environment() + command(code, kChecks));
  EXPECT_NE(written().find("\"where\":\"host\""), std::string::npos) << written();
  EXPECT_EQ(written().find("\"where\":\"device\""), std::string::npos) << written();
  expectReplay("1 of 1 confirmed, 0 not reproduced, 0 unsupported, 1 of 1 fixes resolve");
}

TEST_F(FindingsFile, IsNamedByAnOption) {
  tidy(kDropped, "--config='{Checks: \"-*,device-*\", CheckOptions: {DeviceFindings: " + findings() + "}}'");
  expectReplay("1 of 1 confirmed");
}

TEST_F(FindingsFile, RelativeNamesBeginWhereClangTidyWasStarted) {
  run("cd " + path("") + " && SAMEDEVICE_FINDINGS=findings.json " + command(kDropped, kChecks));
  EXPECT_NE(written(), "");
}

TEST_F(FindingsFile, IsNotMadeForNothing) {
  run(environment() + command("torch::Tensor f(torch::Tensor x) { return x.to(torch::kCUDA); }\n", kChecks));
  run(environment() + command("void f(torch::Tensor x) { x.to(torch::kCUDA); } // NOLINT\n", kChecks));
  EXPECT_FALSE(std::filesystem::exists(findings()));
}

TEST_F(FindingsFile, TakesTheFindingsOfHeadersThatAreShown) {
  write("header.h", "inline void g(torch::Tensor x) { x.to(torch::kCUDA); }\n");
  const char *code = "#include \"header.h\"\nvoid f(torch::Tensor x) { g(x); }\n";
  run(environment() + command(code, std::string(kChecks) + " --header-filter='^$'"));
  EXPECT_FALSE(std::filesystem::exists(findings()));
  run(environment() + command(code, std::string(kChecks) + " --header-filter='.*'"));
  expectReplay("header.h:1: confirmed");
}

TEST_F(FindingsFile, IsSharedByManyProcesses) {
  std::string all;
  for (int i = 0; i < 4; ++i)
    all += command(kDropped, kChecks, "input" + std::to_string(i) + ".cpp") + " & ";
  run("export " + environment() + "; " + all + "wait");
  run("export " + environment() + "; " + command(kDropped, kChecks, "input0.cpp")); // again: told once
  expectReplay("4 of 4 confirmed");
}

TEST_F(FindingsFile, ThatCannotBeWrittenIsSaid) {
  const Outcome outcome = run("SAMEDEVICE_FINDINGS=" + path("") + "not/there.json " + command(kDropped, kChecks));
  EXPECT_NE(outcome.output.find("findings cannot be written"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("[device-discarded-to]"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.status, 0);
}

} // namespace
