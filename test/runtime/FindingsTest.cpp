#include "replay/Findings.h"
#include "replay/Json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

using namespace samedevice::runtime;

namespace {

std::string file(const std::string &steps) {
  return R"({"samedevice": 1, "findings": [{"check": "device-x", "message": "m", "file": "a.cpp", "line": 1, )"
         R"("witness": {"steps": [)" +
         steps + "]}}]}";
}

std::string problem(const std::string &text) {
  try {
    readFindings(text);
  } catch (const FindingsError &error) {
    return error.what();
  }
  return "";
}

constexpr char kTensor[] = R"({"do": "tensor", "id": 1, "device": "cuda:0", "rank": 3, "line": 7, "note": "made"})";

TEST(Json, ReadsWhatTheStandardAllows) {
  const Json json = readJson(R"( {"a": [1, -2, 3.5e2, true, false, null], "b": "x\n\u00e9\ud83d\ude00\\"} )").at(0);
  const auto &items = json.find("a")->items;
  ASSERT_EQ(items.size(), 6u);
  EXPECT_EQ(items[1].integer, -2);
  EXPECT_EQ(items[2].real, 350);
  EXPECT_TRUE(items[3].boolean);
  EXPECT_EQ(items[5].kind, Json::Kind::Null);
  EXPECT_EQ(json.find("b")->text, "x\n\xc3\xa9\xf0\x9f\x98\x80\\");
}

TEST(Json, RejectsWhatItDoesNot) {
  for (const char *text :
       {"{", "[1,]", "{\"a\":1,}", "{'a':1}", "01", "+1", ".5", "1.", "tru", "\"a", "\"\\x\"", "\"\\ud800\"", "\"\t\"",
        "{\"a\":1 \"b\":2}", "{\"a\":1,\"a\":2}", "nan", "1e999", "]", "99999999999999999999"})
    EXPECT_THROW(readJson(text), JsonError) << text;
}

TEST(Json, RejectsDeepNesting) { EXPECT_THROW(readJson(std::string(100'000, '[')), JsonError); }

TEST(Json, WritesTexts) { EXPECT_EQ(jsonString("a\"\\\n"), "\"a\\\"\\\\\\u000a\""); }

TEST(Findings, ReadsAStep) {
  const auto findings = readFindings(file(kTensor));
  ASSERT_EQ(findings.size(), 1u);
  const Step &step = findings[0].witness.steps.at(0);
  EXPECT_EQ(step.action, Action::Tensor);
  EXPECT_EQ(step.device, "cuda:0");
  EXPECT_EQ(step.rank, 3);
  EXPECT_EQ(step.line, 7);
  EXPECT_EQ(step.note, "made");
  EXPECT_FALSE(step.pinned);
}

TEST(Findings, SeveralDocumentsAreOneFileAndRepeatedFindingsOne) {
  const std::string once = file(kTensor);
  EXPECT_EQ(readFindings(once + "\n" + once).size(), 1u);
  std::string other = once;
  other.replace(other.find("a.cpp"), 5, "b.cpp");
  EXPECT_EQ(readFindings(once + other).size(), 2u);
}

TEST(Findings, WhatTheCommandAddsForItselfIsPassedOver) {
  const std::string told = R"("told": {"notes": [{"at": ["a.cpp", 1, 2, 3], "text": "x"}]}, "verdict": null)";
  EXPECT_EQ(readFindings(R"({"samedevice": 1, "findings": [{"check": "c", "message": "m", "file": "f", "line": 1, )" +
                         told + R"(}], "run": {"root": "/src"}})")
                .size(),
            1u);
}

TEST(Findings, SaysWhatIsWrong) {
  EXPECT_EQ(problem(""), "there is no findings document in it");
  EXPECT_EQ(problem("{\"samedevice\": 1,\n"), "line 2: expected '\"', but the file ends");
  EXPECT_EQ(problem(R"({"samedevice": 2, "findings": []})"),
            "written in version 2 of the format; this reads version 1");
  EXPECT_EQ(problem(R"({"findings": []})"), "\"samedevice\" is missing");
  EXPECT_EQ(problem(R"({"samedevice": 1, "findings": [], "x": 1})"), "unknown member \"x\"");
  EXPECT_EQ(problem(file(R"({"do": "explode"})")), "finding 1: step 1: unknown step \"explode\"");
  EXPECT_EQ(problem(file(R"({"do": "tensor"})")), "finding 1: step 1: \"id\" is missing");
  EXPECT_EQ(problem(file(R"({"do": "tensor", "id": "1"})")), "finding 1: step 1: \"id\" must be an integer");
  EXPECT_EQ(problem(file(R"({"do": "tensor", "id": 1, "size": 3})")), "finding 1: step 1: unknown member \"size\"");
  EXPECT_EQ(problem(file(R"({"do": "tensor", "id": 1, "device": "gpu"})")),
            "finding 1: step 1: \"gpu\" is no device: cpu, cuda or cuda:N");
  EXPECT_EQ(problem(file(R"({"do": "tensor", "id": 1, "device": "cuda:99"})")),
            "finding 1: step 1: \"cuda:99\" is no device: cpu, cuda or cuda:N");
  EXPECT_EQ(problem(file(R"({"do": "release", "of": 4})")),
            "finding 1: step 1: \"of\" uses 4, which no step before has made");
  EXPECT_EQ(problem(file(std::string(kTensor) + ", " + kTensor)), "finding 1: step 2: value 1 is made twice");
  EXPECT_EQ(problem(file(R"({"do": "allocate", "id": 1, "where": "moon"})")),
            "finding 1: step 1: \"where\" cannot be \"moon\"");
  EXPECT_EQ(problem(file(R"({"do": "tensor", "id": 1, "rank": 9})")),
            "finding 1: step 1: \"rank\" must be between 0 and 8");
  EXPECT_EQ(problem(file(R"({"do": "tensor", "id": 1, "device": "cuda:99999999999999999999"})")),
            "finding 1: step 1: \"cuda:99999999999999999999\" is no device: cpu, cuda or cuda:N");
}

TEST(Findings, HasLimits) {
  std::string steps;
  for (int i = 0; i < 10'001; ++i)
    steps += std::string(i == 0 ? "" : ",") + R"({"do": "synchronize"})";
  EXPECT_EQ(problem(file(steps)), "finding 1: more than 10000 steps");
  EXPECT_EQ(problem(file(R"({"do": "synchronize", "note": ")" + std::string(100'000, 'x') + "\"}")),
            "finding 1: step 1: \"note\" is too long");
}

/// Every recorded file, cut short or with one byte changed, is read or refused; nothing else happens.
TEST(Findings, DamagedFilesAreRefused) {
  for (const auto &entry : std::filesystem::directory_iterator(WITNESSES)) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string whole = text.str();
    const std::size_t end = whole.rfind('}');
    for (std::size_t length = 0; length < end; ++length)
      EXPECT_THROW(readFindings(whole.substr(0, length)), FindingsError) << entry.path() << " cut at " << length;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
      try {
        readFindings(damaged);
      } catch (const FindingsError &error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
  }
}

TEST(Findings, HostileSizesAreRefused) {
  const auto repeated = [](const std::string &what, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
      all += what;
    return all;
  };
  EXPECT_EQ(problem("[" + repeated("0,", 3'000'000)), "line 1: more than 2000000 values");
  EXPECT_EQ(problem(repeated("{}", 3'000'000)), "line 1: more than 2000000 values");
  EXPECT_EQ(problem(repeated("{\"a\":", 3'000'000)), "line 1: nested too deeply");
  std::string members;
  for (int i = 0; i < 200'000; ++i)
    members += "\"" + std::to_string(i) + "\": 0,";
  EXPECT_EQ(problem("{" + members), "line 1: an object of more than 100 members");
}

/// Thousands of files that were once right, each with a few pieces changed, lost, repeated or put elsewhere.
TEST(Findings, MutatedFilesAreReadOrRefused) {
  std::vector<std::string> originals;
  for (const auto &entry : std::filesystem::directory_iterator(WITNESSES)) {
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    originals.push_back(text.str());
  }
  std::mt19937 random(1);
  const auto below = [&](std::size_t end) { return random() % std::max<std::size_t>(end, 1); };
  constexpr const char *kPieces[] = {"{",
                                     "}",
                                     "[",
                                     "]",
                                     "\"",
                                     "\\",
                                     "\\ud83d",
                                     ",",
                                     ":",
                                     "-1",
                                     "1e9",
                                     "99999999999999999999",
                                     "null",
                                     "true",
                                     "\"id\": 1,",
                                     "\"cuda:15\"",
                                     "\x80",
                                     "\xff",
                                     "{\"do\": \"stream\", \"id\": 7}"};
  int refused = 0;
  constexpr int kFiles = 20'000;
  for (int i = 0; i < kFiles; ++i) {
    std::string text = originals[below(originals.size())];
    for (std::size_t change = below(4) + 1; change != 0; --change) {
      const std::size_t at = below(text.size()), length = below(40);
      switch (below(4)) {
      case 0:
        text.insert(at, kPieces[below(std::size(kPieces))]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      default:
        if (!text.empty())
          text[at] = static_cast<char>(random());
      }
    }
    try {
      readFindings(text);
    } catch (const FindingsError &) {
      ++refused;
    }
  }
  EXPECT_GT(refused, kFiles / 2);
}

} // namespace
