// Launches without a guard: whose mistake they are, and where they are none.
#include "Analyzed.h"

namespace samedevice::analysis {
namespace {

std::string launcher(const std::string &head, const std::string &first = "") {
  return "function " + head + " @1\n" + first + "  launch k @5\n  return\n";
}

const char *const kChecked = "  c: bool = is-cuda(x@2)\n";
const char *const kMakes = "  y: tensor = like empty_like(self=x@2) @3\n";
const char *const kGuarded = "function other(y: tensor @20) -> tensor entry @21\n  d: device = device-of(y@22)\n"
                             "  g: guard = guard(d@22) @23\n  launch k @24\n  end(g)\n  return y\n";

TEST(Guards, WhatPythonCallsNeedsOne) {
  EXPECT_EQ(found(launcher("op(x: tensor @2) entry")), "missing-guard@5");
  EXPECT_EQ(found(launcher("op(x: tensor @2) entry guarded")), "");
}

TEST(Guards, OfALauncherOfAnotherFileOnlyThatFileKnows) {
  EXPECT_EQ(found(launcher("op(x: tensor @2)")), "");
  EXPECT_EQ(found(launcher("op(x: tensor @2)", kChecked)), "missing-guard@5");
  EXPECT_EQ(found(launcher("op(x: tensor @2)", kMakes)), "missing-guard@5");
  EXPECT_EQ(found(launcher("op(x: tensor @2)") + kGuarded), "missing-guard@5");
}

TEST(Guards, AProgramOfOneGpuNeedsNone) {
  const std::string op = launcher("op(x: tensor @2)", kMakes);
  auto program = [&](const std::string &chooses) {
    return op + "function main() entry @30\n" + chooses + "  return\n";
  };
  EXPECT_EQ(found(program("  d: device = device cuda @31\n  x = new ones(d@31) [rank-n] @32\n")), "");
  EXPECT_EQ(found(program("  d: device = device cuda:1 @31\n  x = new ones(d@31) [rank-n] @32\n")), "missing-guard@5");
}

TEST(Guards, TheDeviceOfTheGradientIsNotLeftBehind) {
  EXPECT_EQ(found("class Layer @1\n  methods Layer::bwd, Layer::fwd\n\n"
                  "method Layer::bwd(dy: tensor @2) -> tensor guarded @3\n  launch k @4\n  return dy\n\n"
                  "method Layer::fwd(x: tensor @5) -> tensor @6\n  launch k @7\n  return x\n"),
            "missing-guard@7");
}

} // namespace
} // namespace samedevice::analysis
