// Operators: which tensors may meet, on which paths.
#include "Analyzed.h"

namespace samedevice::analysis {
namespace {

TEST(Operands, CpuMeetsCuda) {
  EXPECT_EQ(found(R"(
function main() entry
  d: device = device cuda @1
  a = new ones(_) [rank-n] @2
  b = new ones(d@1) [rank-n] @3
  c: tensor = op add(self=a@4, other=b@5) [method] @6
  return
)"),
            "mixed-operands@2");
}

TEST(Operands, ListsWithRoomTellTheirElementsApart) {
  auto program = [](const std::string &first, const std::string &second) {
    return R"(
function main() entry
  d: device = device cuda @1
  l: list of tensor = list @2
  list-add number=2(l) @3
  zero = const 0 @4
  one = const 1 @5
  a = new ones(_) [rank-n] @6
  b = new ones(d@7) [rank-n] @8
  %1: ref tensor = element(l, zero) @9
  assign(%1, a) @10
  %2: ref tensor = element(l, one) @11
  assign(%2, b) @12
  %3: ref tensor = element(l, )" +
           first + R"() @13
  %4: ref tensor = element(l, )" +
           second + R"() @14
  c: tensor = op add(self=%3@15, other=%4@16) [method] @17
  return
)";
  };
  EXPECT_EQ(found(program("zero", "one")), "mixed-operands@17");
  EXPECT_EQ(found(program("one", "one")), "");
}

TEST(Operands, ScalarOnTheCpuMayMeetCuda) {
  EXPECT_EQ(found(R"(
function main() entry
  d: device = device cuda @1
  a = new tensor(_) [rank-0] @2
  b = new ones(d@1) [rank-n] @3
  c: tensor = op add(self=a@4, other=b@5) [method] @6
  return
)"),
            "");
}

TEST(Operands, WhichPartOfAConditionFailedIsNotKnown) {
  // if (a.is_cuda() && b.is_cuda()) return; a[0];
  auto program = [](const std::string &first, const std::string &second) {
    return R"(
function f(a: tensor @1, b: tensor @2) entry
  one: bool = is-cuda(a@3)
  %1: bool = )" +
           first + R"( @50
  branch %1 more host
more:
  two: bool = is-cuda(b@4)
  %2: bool = )" +
           second + R"( @50
  branch %2 gpu host
gpu:
  return
host:
  p: pointer = pointer data_ptr(a@5) @6
  host-read dereference(p@7) @8
  return
)";
  };
  EXPECT_EQ(found(program("copy(one)", "copy(two)")), "host-access@6");
  EXPECT_EQ(found(program("part \"open no\"(one)", "part \"yes no\"(two)")), "");
  EXPECT_EQ(found(program("part \"open no\"(one)", "part \"yes open\"(two)")), "host-access@6"); // more is to come
}

TEST(Operands, BranchesOnOneConditionAgree) {
  EXPECT_EQ(found(R"(
function f(gpu: bool) entry
  d: device = device cuda @1
  a = new ones(_) [rank-n] @2
  b = new ones(_) [rank-n] @3
  branch gpu one two
one:
  %1: tensor = move to(a@4, d@5) @6
  assign(a, %1) @7
  jump two
two:
  branch gpu three four
three:
  %2: tensor = move to(b@8, d@9) @10
  assign(b, %2) @11
  jump four
four:
  c: tensor = op mm(self=a@12, mat2=b@13) @14
  return
)"),
            "");
}

TEST(Operands, OneBranchOnlyIsAMistake) {
  EXPECT_EQ(found(R"(
function f(gpu: bool) entry
  d: device = device cuda @1
  a = new ones(_) [rank-n] @2
  b = new ones(_) [rank-n] @3
  branch gpu one two
one:
  %1: tensor = move to(a@4, d@5) @6
  assign(a, %1) @7
  jump two
two:
  c: tensor = op mm(self=a@12, mat2=b@13) @14
  return
)"),
            "mixed-operands@3");
}

TEST(Operands, ADeviceParameterMayBeCuda) {
  EXPECT_EQ(found(R"(
function f(d: device @1, x: tensor @2) entry
  a: tensor = move to(x@3, d@4) @5
  b = new ones(d@6) [rank-n] @7
  ok: tensor = op mm(self=a@8, mat2=b@9) @10
  c = new ones(_) [rank-n] @11
  bad: tensor = op mm(self=a@12, mat2=c@13) @14
  return
)"),
            "default-factory@11");
}

TEST(Operands, HelpersRunInTheirCallersMemory) {
  EXPECT_EQ(found(R"(
function toGpu(t: ref tensor @1)
  d: device = device cuda @2
  %1: tensor = move to(t@3, d@4) @5
  assign(t, %1) @6
  return

function main() entry
  a = new ones(_) [rank-n] @10
  b = new ones(_) [rank-n] @11
  call toGpu(a@12) @13
  call toGpu(b@14) @15
  c: tensor = op mm(self=a@16, mat2=b@17) @18
  e = new ones(_) [rank-n] @19
  bad: tensor = op mm(self=a@20, mat2=e@21) @22
  return
)"),
            "mixed-operands@19");
}

TEST(Operands, ADroppedMoveIsReportedOnce) {
  EXPECT_EQ(found(R"(
function main() entry
  d: device = device cuda @1
  a = new ones(_) [rank-n] @2
  b = new ones(d@3) [rank-n] @4
  %1: tensor = move to(a@5, d@6) [discarded] @7
  c: tensor = op mm(self=a@16, mat2=b@17) @18
  return
)"),
            "discarded-to@7");
}

TEST(Operands, ACopyOwnsWhatTheOriginalOwns) {
  auto program = [](const std::string &owned) {
    return R"(
class Stats
  field mean: tensor

class Settings
  field stats: )" +
           owned + R"(record Stats

function main() entry
  d: device = device cuda:0
  s: record Settings = object Settings
  t: record Stats = object Stats
  %1: ref record Stats = field stats(s)
  assign(%1, t)
  %2: ref tensor = field mean(%1)
  a = new ones(_) [rank-n]
  assign(%2, a)
  copy: record Settings = clone(s)
  %3: ref record Stats = field stats(copy)
  %4: ref tensor = field mean(%3)
  moved: tensor = move to(%4@1, d@2) @3
  assign(%4, moved)
  b = new ones(_) [rank-n]
  %5: ref record Stats = field stats(s)
  %6: ref tensor = field mean(%5)
  c: tensor = op add(self=%6@4, other=b@5) [method] @6
  return
)";
  };
  EXPECT_EQ(found(program("own ")), "") << "the original stays on the host";
  EXPECT_EQ(found(program("")), "mixed-operands@6") << "both lead to one structure";
}

TEST(Operands, WhatIsTakenOutIsNoLongerFirstOrLast) {
  auto program = [](const std::string &end, const std::string &which) {
    return R"(
function main() entry
  d: device = device cuda @1
  a = new ones(_) [rank-n] @2
  b = new ones(d@3) [rank-n] @4
  w = new ones(d@5) [rank-n] @6
  l: list of tensor = list(a, b) @7
  list-drop )" +
           end + R"((l) @8
  %1: ref tensor = element )" +
           which + R"((l) @9
  c: tensor = op add(self=%1@10, other=w@11) [method] @12
  return
)";
  };
  EXPECT_EQ(found(program("front", "front")), "");
  EXPECT_EQ(found(program("back", "back")), "mixed-operands@12");
  EXPECT_EQ(found(program("", "front")), "") << "nobody knows which one";
}

} // namespace
} // namespace samedevice::analysis
