// What the analysis costs, in instructions run: a machine's speed has nothing to do with it.
#include "Analyzed.h"

namespace samedevice::analysis {
namespace {

/// A loop over numbers, with this in its body.
std::string loopOver(const std::string &body) {
  return R"(
class Job
  field n: int
function main(x: tensor) entry
  var numbers: list of int
  numbers = list()
  var at: int
  first = iterate(numbers)
  at = copy(first)
loop:
  more = has-next(at)
  branch more body out
body:
)" + body +
         R"(
  advance(at)
  jump loop
out:
  y: tensor = op relu(x@1) @2
  return
)";
}

TEST(Work, OfALoopOverNumbersTheFirstTurnsAreToldApartAndNoMore) {
  const long steps = analyzed(loopOver("  z: tensor = op relu(x@3) @4")).steps;
  EXPECT_GT(steps, 8);
  EXPECT_LT(steps, 20);
}

TEST(Work, WhatNobodyCanReachAnyMoreKeepsNoLoopFromSettling) {
  const long steps = analyzed(loopOver("  job: record Job = object Job @5\n  many: list of int = list() @6")).steps;
  EXPECT_LT(steps, 24);
}

} // namespace
} // namespace samedevice::analysis
