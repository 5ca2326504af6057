// The rules of ops.tsv in PyTorch's words.
#include "device_rules/DeviceRules.h"

#include <gtest/gtest.h>

#include <vector>

using namespace samedevice::runtime;

namespace {

constexpr Device kCpu, kGpu{0}, kOther{1};

/// PyTorch 1.13 calls the function around a kernel wrapper_mm, 2.6 wrapper_CUDA_mm.
std::string ofAnyVersion(std::string text) {
  const std::string newer = "wrapper_CUDA_";
  if (const std::size_t at = text.find(newer); at != std::string::npos)
    text.replace(at, newer.size(), "wrapper_");
  return text;
}

std::string refusal(const char *name, bool method, std::vector<Operand> operands, unsigned torch = 0) {
  std::vector<std::string_view> names;
  names.reserve(operands.size());
  for (const Operand &operand : operands)
    names.push_back(operand.name);
  const auto *rule = samedevice::facts::findRule(name, method, names, torch);
  if (!rule)
    return "no rule";
  try {
    checkDevices(*rule, operands);
  } catch (const DeviceError &error) {
    return ofAnyVersion(error.what());
  }
  return "";
}

const std::string kTwo = "Expected all tensors to be on the same device, but found at least two devices, ";

TEST(DeviceRules, SayItAsPyTorchDoes) {
  EXPECT_EQ(refusal("add", true, {{"self", kGpu, 2}, {"other", kCpu, 2}}), kTwo + "cuda:0 and cpu!");
  EXPECT_EQ(refusal("add", true, {{"self", kCpu, 2}, {"other", kGpu, 2}}), kTwo + "cuda:0 and cpu!");
  EXPECT_EQ(refusal("add", true, {{"self", kGpu, 2}, {"other", kOther, 2}}), kTwo + "cuda:0 and cuda:1!");
  EXPECT_EQ(refusal("mm", false, {{"self", kGpu, 2}, {"mat2", kCpu, 2}}),
            kTwo + "cuda:0 and cpu! (when checking argument for argument mat2 in method wrapper_mm)");
  EXPECT_EQ(refusal("index_select", true, {{"self", kGpu, 2}, {"index", kCpu, 1}}),
            kTwo + "cuda:0 and cpu! (when checking argument for argument index in method wrapper__index_select)");
  EXPECT_EQ(refusal("index", true, {{"self", kCpu, 2}, {"indices", kGpu, 1}}),
            "indices should be either on cpu or on the same device as the indexed tensor (cpu)");
  EXPECT_EQ(refusal("masked_fill", true, {{"self", kGpu, 2}, {"mask", kCpu, 2}}),
            "expected self and mask to be on the same device, but got mask on cpu and self on cuda:0");
}

TEST(DeviceRules, LetThrough) {
  EXPECT_EQ(refusal("add", true, {{"self", kGpu, 2}, {"other", kCpu, 0}}), "");
  EXPECT_EQ(refusal("copy_", true, {{"self", kGpu, 2}, {"src", kCpu, 2}}), "");
  EXPECT_EQ(refusal("index", true, {{"self", kGpu, 2}, {"indices", kCpu, 1}}), "");
  EXPECT_EQ(refusal("mm", false, {{"self", kOther, 2}, {"mat2", kOther, 2}}), "");
}

TEST(DeviceRules, InPlaceSelfIsNoScalar) {
  EXPECT_NE(refusal("add_", true, {{"self", kCpu, 0}, {"other", kGpu, 2}}), "");
}

TEST(DeviceRules, OlderVersionsRefuseOtherThings) {
  const std::vector<Operand> operands = {{"condition", kGpu, 2}, {"self", kGpu, 2}, {"other", kCpu, 0}};
  EXPECT_EQ(refusal("where", false, operands), "");
  EXPECT_NE(refusal("where", false, operands, 113), "");
}

TEST(DeviceRules, ResultIsWhereTheWorkIsDone) {
  const std::vector<Operand> operands = {{"self", kCpu, 0}, {"other", kOther, 2}};
  const std::vector<std::string_view> names = {"self", "other"};
  EXPECT_EQ(resultDevice(*samedevice::facts::findRule("mul", true, names, 0), operands), kOther);
}

} // namespace
