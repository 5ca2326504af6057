#include "replay/Replayer.h"

#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace samedevice::runtime;

namespace {

Finding finding(const std::string &steps, const std::string &more = "") {
  return readFindings(R"({"samedevice": 1, "findings": [{"check": "device-x", "message": "m", "file": "a.cpp", )"
                      R"("line": 1, )" +
                      more + R"("witness": {"steps": [)" + steps + "]}}]}")
      .at(0);
}

Replay onSim(const Finding &finding, ReplayOptions options = {}) {
  options.backend = "sim";
  return replay(finding, openStage(options), options);
}

constexpr char kGpu[] = R"({"do": "tensor", "id": 1, "device": "cuda:0"}, )";
constexpr char kCpu[] = R"({"do": "tensor", "id": 2}, )";
constexpr char kAdd[] =
    R"({"do": "op", "name": "add", "id": 3, "args": [{"name": "self", "id": 1}, {"name": "other", "id": 2}]})";

/// The recorded witnesses: each is confirmed by its marked step, and its fix resolves it.
class Recorded : public testing::TestWithParam<std::string> {};

TEST_P(Recorded, IsConfirmedAndResolved) {
  std::ostringstream text;
  text << std::ifstream(GetParam()).rdbuf();
  for (const Finding &finding : readFindings(text.str())) {
    const Replay result = onSim(finding);
    EXPECT_EQ(result.verdict, Verdict::Confirmed) << result.outcome.text;
    EXPECT_EQ(result.hasFixed, finding.fix);
    EXPECT_EQ(result.isResolved(), finding.fix) << result.fixed.text;
  }
}

std::vector<std::string> recordings() {
  std::vector<std::string> paths;
  for (const auto &entry : std::filesystem::directory_iterator(WITNESSES))
    paths.push_back(entry.path());
  return paths;
}

INSTANTIATE_TEST_SUITE_P(Witness, Recorded, testing::ValuesIn(recordings()), [](const auto &test) {
  std::string name = std::filesystem::path(test.param).stem();
  for (char &c : name)
    c = c == '-' ? '_' : c;
  return name;
});

TEST(Replay, SaysWhatFailedAndWhere) {
  const Replay result = onSim(finding(std::string(kGpu) + kCpu + kAdd));
  EXPECT_EQ(result.outcome.step, 2);
  EXPECT_EQ(result.outcome.text,
            "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!");
}

TEST(Replay, WhatRunsIsNotReproduced) {
  EXPECT_EQ(onSim(finding(R"({"do": "tensor", "id": 1})")).verdict, Verdict::NotReproduced);
}

TEST(Replay, ScalarsOnTheCpuAreAllowed) {
  const std::string scalar = R"({"do": "tensor", "id": 2, "rank": 0}, )";
  EXPECT_EQ(onSim(finding(kGpu + scalar + kAdd)).verdict, Verdict::NotReproduced);
}

TEST(Replay, FailureAtAnotherStepThanClaimedDoesNotCount) {
  const std::string claimed = R"(, {"do": "hostRead", "of": 1, "fails": true})";
  EXPECT_EQ(onSim(finding(std::string(kGpu) + kCpu + kAdd + claimed)).verdict, Verdict::NotReproduced);
}

TEST(Replay, WithoutAWitnessItIsUnsupported) {
  const Finding bare = readFindings(R"({"samedevice": 1, "findings": [{"check": "c", "message": "m", "file": "f",
                                    "line": 0, "unsupported": "goes through a callback"}]})")
                           .at(0);
  const Replay result = onSim(bare);
  EXPECT_EQ(result.verdict, Verdict::Unsupported);
  EXPECT_EQ(result.outcome.text, "goes through a callback");
}

TEST(Replay, MisusedValuesAreUnsupported) {
  for (const char *steps :
       {R"({"do": "tensor", "id": 1}, {"do": "moveModule", "of": 1, "device": "cpu"})",
        R"({"do": "module", "id": 1, "class": "N"}, {"do": "hostRead", "of": 1})",
        R"({"do": "op", "name": "nosuch", "args": []})",
        R"({"do": "module", "id": 1, "class": "N"}, {"do": "unregister", "parent": 1, "name": "x"})",
        R"({"do": "tensor", "id": 1}, {"do": "release", "of": 1}, {"do": "release", "of": 1},
                               {"do": "view", "id": 2, "from": 1})",
        R"({"do": "module", "id": 1, "class": "N"},
                               {"do": "register", "parent": 1, "name": "self", "child": 1})"})
    EXPECT_EQ(onSim(finding(steps)).verdict, Verdict::Unsupported) << steps;
}

TEST(Replay, MoreGpusThanThereAreIsUnsupported) {
  ReplayOptions one;
  one.devices = 1;
  EXPECT_EQ(onSim(finding(kGpu + std::string(R"({"do": "synchronize"})"), R"("devices": 2, )"), one).verdict,
            Verdict::Unsupported);
}

TEST(Replay, HugeRequestsEndInTheChild) {
  std::string steps;
  for (int i = 0; i < 9'999; ++i)
    steps += R"({"do": "allocate", "id": )" + std::to_string(i) + R"(, "where": "device"},)";
  EXPECT_NE(onSim(finding(steps + R"({"do": "synchronize"})")).verdict, Verdict::Confirmed);
}

/// libtorch's operators want types, shapes and numbers that no witness tells.
TEST(Replay, LibtorchIsGivenWhatItsOperatorsWant) {
  ReplayOptions options;
  options.backend = "torch";
  const Stage stage = openStage(options);
  if (!stage.problem.empty())
    GTEST_SKIP() << stage.problem;
  using Operator = std::pair<const char *, std::vector<std::string>>;
  for (const auto &[name, arguments] : std::vector<Operator>{{"where", {"condition", "self", "other"}},
                                                             {"index_select", {"self", "index"}},
                                                             {"gather", {"self", "index"}},
                                                             {"scatter_", {"self", "index", "src"}},
                                                             {"masked_fill", {"self", "mask"}},
                                                             {"masked_select", {"self", "mask"}},
                                                             {"embedding", {"weight", "indices"}},
                                                             {"linear", {"input", "weight", "bias"}},
                                                             {"conv2d", {"input", "weight", "bias"}},
                                                             {"bmm", {"self", "mat2"}},
                                                             {"cross", {"self", "other"}},
                                                             {"outer", {"self", "vec2"}},
                                                             {"nll_loss", {"self", "target"}},
                                                             {"searchsorted", {"sorted_sequence", "self"}},
                                                             {"layer_norm", {"input", "weight", "bias"}},
                                                             {"grid_sampler", {"input", "grid"}}})
    for (const char *device : {"cuda:0", "cpu"}) {
      std::string steps, given;
      for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string id = std::to_string(i), where = i + 1 == arguments.size() ? device : "cuda:0";
        steps.append(R"({"do": "tensor", "id": )").append(id).append(R"(, "device": ")").append(where).append("\"}, ");
        given.append(i == 0 ? "" : ", ").append(R"({"name": ")").append(arguments[i]);
        given.append(R"(", "id": )").append(id).append("}");
      }
      steps.append(R"({"do": "op", "name": ")").append(name).append(R"(", "args": [)").append(given).append("]}");
      const Replay result = replay(finding(steps), stage, options);
      const bool isFine = device == std::string("cuda:0");
      EXPECT_EQ(result.outcome.kind, isFine ? Outcome::Kind::Ran : Outcome::Kind::Failed)
          << name << " on " << device << ": " << result.outcome.text;
    }
}

/// Any steps in any order, on values of any kind: the replay may find them senseless, but must say so.
TEST(Replay, SenselessWitnessesEndInAVerdict) {
  constexpr const char *kSteps[] = {
      R"("tensor", "id": $, "device": "cuda:1")",
      R"("tensor", "id": $, "pinned": true)",
      R"("tensor", "id": $, "rank": 8)",
      R"("move", "id": $, "from": #, "device": "cpu", "nonBlocking": true)",
      R"("move", "id": $, "from": #, "device": "cuda")",
      R"("view", "id": $, "from": #, "rank": 0)",
      R"("op", "id": $, "name": "add_", "args": [{"name": "self", "id": #}, {"name": "other", "id": #}])",
      R"("op", "id": $, "name": "cat", "args": [{"name": "tensors", "ids": [#, #]}])",
      R"("op", "id": $, "name": "cat", "args": [])",
      R"("copyInto", "dst": #, "src": #)",
      R"("setData", "dst": #, "src": #)",
      R"("release", "of": #)",
      R"("module", "id": $, "class": "Linear")",
      R"("module", "id": $, "class": "Net", "state": [])",
      R"("module", "id": $, "class": "LSTM", "device": "cuda:0")",
      R"("register", "parent": #, "name": "a", "child": #)",
      R"("register", "parent": #, "name": "b", "child": #, "as": "parameter")",
      R"("register", "parent": #, "name": "weight", "child": #, "as": "buffer")",
      R"("unregister", "parent": #, "name": "a")",
      R"("parameter", "id": $, "of": #, "name": "weight")",
      R"("moveModule", "of": #, "device": "cuda:1")",
      R"("cloneModule", "id": $, "from": #)",
      R"("loadState", "of": #, "saved": "cuda:1")",
      R"("loadScript", "id": $, "device": "cuda:0")",
      R"("forward", "id": $, "of": #, "args": [#, #])",
      R"("forward", "of": #, "args": [])",
      R"("optimizer", "id": $, "of": [#, #])",
      R"("optimizerStep", "of": #, "module": #)",
      R"("pointer", "id": $, "of": #)",
      R"("allocate", "id": $, "where": "pinned")",
      R"("allocate", "id": $, "where": "symbol")",
      R"("fromBlob", "id": $, "of": #, "device": "cuda:0")",
      R"("hostRead", "of": #, "write": true)",
      R"("deviceUse", "of": #)",
      R"("memcpy", "dst": #, "src": #, "kind": "host-to-device", "nonBlocking": true)",
      R"("setDevice", "index": -1)",
      R"("setDevice", "index": 1)",
      R"("stream", "id": $)",
      R"("launch", "stream": #, "args": [#, #])",
      R"("synchronize")"};
  std::mt19937 random(1);
  for (int i = 0; i < 400; ++i) {
    std::string steps = R"({"do": "tensor", "id": 0}, {"do": "module", "id": 1, "class": "Net"})";
    int made = 2;
    for (int step = 0; step < 30; ++step) {
      const int before = made;
      steps += R"(, {"do": )";
      for (const char *c = kSteps[random() % std::size(kSteps)]; *c; ++c)
        steps += *c == '$'   ? std::to_string(made++)
                 : *c == '#' ? std::to_string(random() % static_cast<unsigned>(before))
                             : std::string(1, *c);
      steps += '}';
    }
    const std::string outcome = onSim(finding(steps)).outcome.text;
    EXPECT_NE(outcome.rfind("the replay ", 0), 0u) << outcome << " of " << steps;
    EXPECT_NE(outcome.rfind("still running", 0), 0u) << steps;
    EXPECT_NE(outcome, "SIGSEGV") << steps;
  }
}

struct Ended {
  int status;
  std::string output;
};

Ended replayProgram(const std::string &arguments) {
  FILE *pipe = popen((std::string(REPLAY) + " " + arguments + " 2>&1").c_str(), "r");
  std::string output;
  char buffer[512];
  while (std::fgets(buffer, sizeof(buffer), pipe))
    output += buffer;
  return {WEXITSTATUS(pclose(pipe)), output};
}

TEST(ReplayProgram, StatesItsStageAndItsResult) {
  const std::string path = std::string(WITNESSES) + "/device-module-after-to.json";
  const Ended text = replayProgram(path + " --backend sim");
  EXPECT_EQ(text.status, 0);
  EXPECT_NE(text.output.find("Replaying on sim: 2 simulated GPUs"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("at step 6 (forward, example.cpp:4)"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("with the fix: resolved"), std::string::npos) << text.output;
  const Ended json = replayProgram(path + " --backend sim --json --devices 3");
  EXPECT_EQ(json.status, 0);
  EXPECT_NE(json.output.find(R"("device": "3 simulated GPUs")"), std::string::npos) << json.output;
  EXPECT_NE(json.output.find(R"("verdict": "confirmed")"), std::string::npos) << json.output;
}

TEST(ReplayProgram, RefusesWhatItCannotUse) {
  EXPECT_EQ(replayProgram("").status, 2);
  EXPECT_EQ(replayProgram("/nonexistent.json").status, 2);
  EXPECT_EQ(replayProgram("x --backend moon").status, 2);
  EXPECT_EQ(replayProgram("x --devices 99").status, 2);
  EXPECT_EQ(replayProgram("x --devices").status, 2);
  EXPECT_EQ(replayProgram("--help").status, 0);
}

} // namespace
