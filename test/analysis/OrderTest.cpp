// Paths that meet in different places have nothing to do with each other.
#include "Analyzed.h"

namespace samedevice::analysis {
namespace {

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
