// What is found does not depend on which function, or which line, was seen first; and paths that meet in different
// places have nothing to do with each other.
#include "Analyzed.h"

namespace samedevice::analysis {
namespace {

void expectInAnyOrder(const std::string &common, const std::string &one, const std::string &other,
                      const std::string &findings) {
  EXPECT_EQ(found(common + one + other), findings);
  EXPECT_EQ(found(common + other + one), findings);
}

TEST(Order, WhatIsSavedElsewhereSaysNothingOfAFile) {
  expectInAnyOrder("", R"(
function saves() entry
  n: module = module Linear @1
  d: device = device cuda @2
  move-module(n@3, d@4) @5
  save-state(n@6) @7
  return
)",
                   R"(
function loads() entry
  n: module = module Linear @21
  d: device = device cuda @22
  move-module(n@23, d@24) @25
  load-state(n@26) @27
  x = new ones(d@28) [rank-n] @29
  y: tensor = forward forward(n@30, x@31) @32
  return
)",
                   "stale-load@27");
}

std::string reloaded(const std::string &save) {
  return R"(
function main(c: bool) entry
  n: module = module Linear @1
  d: device = device cuda @2
  move-module(n@3, d@4) @5
)" + save +
         R"(
  load-state(n@8) @9
  x = new ones(d@10) [rank-n] @11
  y: tensor = forward forward(n@12, x@13) @14
  return
)";
}

TEST(Order, WhatWasSavedOnThePathComesBackToWhereItWas) {
  EXPECT_EQ(found(reloaded("")), "stale-load@9");
  EXPECT_EQ(found(reloaded("  save-state(n@6) @7\n")), "");
  // On one path of two, which meet: nobody knows whose file it is.
  Limits limits;
  limits.statesPerPoint = 1;
  EXPECT_EQ(found(reloaded("  branch c yes go\nyes:\n  save-state(n@6) @7\n  jump go\ngo:\n"), limits), "");
}

/// Brings its argument together with a tensor of its own, to which something may have been done before.
std::string together(const std::string &done) {
  return R"(
function together(x: tensor, special: bool)
  d: device = device cuda @50
  t = new ones(_) [rank-n] @51
  branch special yes go
yes:
)" + done +
         R"(
  jump go
go:
  y: tensor = op add(self=x@52, other=t@53) [method] @54
  return
)";
}

std::string caller(const std::string &name, int at, const std::string &special) {
  auto n = [&](int more) { return std::to_string(at + more); };
  return "\nfunction " + name + "() entry\n  d: device = device cuda @" + n(0) + "\n  x = new ones(d@" + n(1) +
         ") [rank-n] @" + n(2) + "\n  s = const " + special + "\n  call together(x@" + n(3) + ", s) @" + n(4) +
         "\n  return\n";
}

TEST(Order, WhatTheHostFillsSomewhereIsRightAsItWasMade) {
  const std::string common = together("  p: pointer = pointer(t@55) @56\n  host-read(p@57) [write] @58\n");
  expectInAnyOrder(common, caller("usual", 1, "false"), caller("special", 21, "true"), "mixed-operands@54");
}

TEST(Order, WhatWasMovedInVainSomewhereIsToldThere) {
  const std::string common = together("  z: tensor = move to(t@55, d@56) [discarded] @57\n");
  expectInAnyOrder(common, caller("usual", 1, "false"), caller("special", 21, "true"), "discarded-to@57");
}

TEST(Order, AMoveBetweenTwoDevicesTellsThemApart) {
  auto program = [](const std::string &ways) {
    return R"(
program mentions-devices
function f(x: tensor @1, y: tensor @2, c: bool) entry @3
  dx: device = device-of(x@4) @5
  branch c )" +
           ways + R"(
launch:
  g = guard(dx@6) @7
  p: pointer = pointer(y@8) @9
  device-use kernel(p@10) @11
  jump done
move:
  z: tensor = move to(y@12, dx@13) @14
  jump done
done:
  return
)";
  };
  EXPECT_EQ(found(program("move launch")), "missing-guard@7");
  EXPECT_EQ(found(program("launch move")), "missing-guard@7");
}

TEST(Order, PathsThatMeetFarApartInOneFunctionAreNotOne) {
  // Blocks are told apart by more than the last byte of their number.
  std::string far = "\nfunction main(c: bool, e: bool) entry\n  d: device = device cuda @1\n"
                    "  a = new ones(_) [rank-n] @2\n  b = new ones(_) [rank-n] @3\n"
                    "  branch c first join1\nfirst:\n  a = new ones(d@4) [rank-n] @5\n  jump join1\njoin1:\n";
  for (int block = 3; block < 256; ++block) // 0, first and join1 were before
    far += "  jump l" + std::to_string(block) + "\nl" + std::to_string(block) + ":\n";
  far += "  branch e second join2\nsecond:\n  b = new ones(d@6) [rank-n] @7\n  jump filler\nfiller:\n  jump "
         "join2\njoin2:\n"
         "  t = is-cuda(a@8) @9\n  branch t yes no\nyes:\n  host-read read(b@10) @11\n  jump no\nno:\n  return\n";
  Limits limits;
  limits.statesPerPoint = 1;
  EXPECT_EQ(found(far, limits), "");
}

} // namespace
} // namespace samedevice::analysis
