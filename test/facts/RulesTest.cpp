#include "facts/Rules.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace samedevice::facts {
namespace {

const OperatorRule &rule(std::string_view name, bool method, std::initializer_list<std::string_view> arguments,
                         TorchVersion version = 0) {
  const OperatorRule *found = findRule(name, method, arguments, version);
  EXPECT_TRUE(found) << name;
  static const OperatorRule none;
  return found ? *found : none;
}

TEST(Rules, TheTableIsWholeAndSorted) {
  EXPECT_GT(allRules().size(), 3353u) << "a row for each of the names";
  EXPECT_TRUE(std::ranges::is_sorted(allRules(), {}, &OperatorRule::cppName));
}

TEST(Rules, TheOverloadIsChosenByItsTensors) {
  EXPECT_EQ(rule("mul", true, {"self", "other"}).overload, "Tensor");
  EXPECT_EQ(rule("mul", true, {"self"}).overload, "Scalar");
  EXPECT_EQ(rule("clamp", false, {"self", "max"}).overload, "Tensor");
  EXPECT_EQ(rule("where", false, {"condition", "self", "other"}).rule, DeviceRule::SameScalar0);
  EXPECT_EQ(rule("lstm", false, {"input", "hx", "params"}).overload, "input");
  EXPECT_EQ(rule("batch_norm", false, {"input"}).name, "batch_norm");
}

TEST(Rules, UnknownNamesAreCounted) {
  EXPECT_EQ(rule("mul", true, {"", ""}).overload, "Tensor");
  EXPECT_EQ(rule("mul", true, {"self", ""}).overload, "Tensor");
  EXPECT_EQ(rule("mul", true, {""}).overload, "Scalar");
  EXPECT_EQ(rule("mul", true, {"x", "y"}).overload, "Tensor") << "a header's own names";
}

TEST(Rules, RolesOfArguments) {
  const OperatorRule &multiply = rule("operator*", false, {"self", "other"});
  EXPECT_EQ(multiply.argument("other")->role, ArgumentRole::Scalar0);
  EXPECT_EQ(multiply.result, ResultDevice::Common);

  const OperatorRule &put = rule("index_put_", true, {"self", "indices", "values"});
  EXPECT_EQ(put.rule, DeviceRule::Index);
  EXPECT_TRUE(put.argument("self")->isWritten);
  EXPECT_TRUE(put.argument("indices")->isList);
  EXPECT_EQ(put.argument("indices")->role, ArgumentRole::Free);
  EXPECT_EQ(put.kind, OperatorKind::InPlace);

  EXPECT_EQ(rule("lstm", false, {"data", "batch_sizes", "hx", "params"}).argument("batch_sizes")->role,
            ArgumentRole::Host);
  EXPECT_TRUE(rule("conv2d", false, {"input", "weight"}).argument("bias")->isOptional);
  EXPECT_EQ(rule("accessor", true, {"self"}).rule, DeviceRule::Host);
}

TEST(Rules, OlderVersionsHaveRulesOfTheirOwn) {
  for (TorchVersion lenient : {0u, 206u, 214u})
    EXPECT_EQ(rule("where", false, {"condition", "self", "other"}, lenient).argument("self")->role,
              ArgumentRole::Scalar0);
  EXPECT_EQ(rule("where", false, {"condition", "self", "other"}, 113).rule, DeviceRule::Same);

  EXPECT_EQ(rule("hypot", true, {"self", "other"}, 206).rule, DeviceRule::Same);
  EXPECT_EQ(rule("hypot", true, {"self", "other"}, 214).rule, DeviceRule::SameScalar0);

  EXPECT_EQ(rule("clone_out", false, {"out", "self"}, 113).argument("out")->role, ArgumentRole::Free);
  EXPECT_EQ(rule("clone_out", false, {"out", "self"}, 206).argument("out")->role, ArgumentRole::Checked);
  EXPECT_EQ(rule("clone_out", false, {"out", "self"}, 113).resultArgument, "out");
}

TEST(Rules, OutFormsSayWhereTheirResultIs) {
  const OperatorRule &out = rule("add_out", false, {"out", "self", "other"});
  EXPECT_EQ(out.kind, OperatorKind::Out);
  EXPECT_EQ(out.result, ResultDevice::Argument);
  EXPECT_EQ(out.resultArgument, "out");
}

TEST(Rules, WhatIsNoOperatorHasNoRule) { EXPECT_EQ(findRule("frobnicate", false, {}, 0), nullptr); }

} // namespace
} // namespace samedevice::facts
