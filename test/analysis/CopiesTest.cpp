// Asynchronous copies: which are under way, and who looks into the memory that they fill.
#include "Analyzed.h"

namespace samedevice::analysis {
namespace {

TEST(Copies, AKeptPointerSeesTheCopyIntoAView) {
  EXPECT_EQ(found(R"(
function main() entry
  d: device = device cuda:0
  x = new ones(d) [rank-n]
  buffer = new empty(_) [rank-n, pinned]
  kept = pointer data_ptr(buffer)
  part: tensor = op narrow(self=buffer) [method]
  %1: tensor = op copy_(self=part@1, src=x@2) [method, non-blocking] @3
  host-read dereference(kept@4) @5
  return
)"),
            "async-copy@3");
}

TEST(Copies, WhatWasWaitedForStaysGoodWhileTheNextIsUnderWay) {
  EXPECT_EQ(found(R"(
function main() entry
  d: device = device cuda:0
  c: device = device cpu
  x = new ones(d) [rank-n]
  previous: tensor = null
  jump loop
loop:
  next: tensor = move to(x@1, c) [non-blocking] @2
  known: bool = is-defined(previous)
  branch known read wait
read:
  host-read accessor(previous@3) @4
  jump wait
wait:
  synchronize synchronize @5
  assign(previous, next) @6
  any loop done
done:
  return
)"),
            "");
}

TEST(Copies, AFlagSaysWhetherTheyWait) {
  const std::string copy = R"(
function fetch(x: tensor, wait: bool)
  c: device = device cpu
  async = not(wait)
  host: tensor = move to(x@1, c, non_blocking=async) @2
  host-read accessor(host@3) @4
  return
function main() entry
  d: device = device cuda:0
  x = new ones(d) [rank-n]
  wait: bool = const )";
  EXPECT_EQ(found((copy + "false\n  call fetch(x, wait)\n  return\n").c_str()), "async-copy@4");
  EXPECT_EQ(found((copy + "true\n  call fetch(x, wait)\n  return\n").c_str()), "");
}

} // namespace
} // namespace samedevice::analysis
