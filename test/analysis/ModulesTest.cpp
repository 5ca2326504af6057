// Modules: replaced after the move, never moved, not registered.
#include "Analyzed.h"

namespace samedevice::analysis {
namespace {

const char *const kNet = R"(
class Net module @100
  field head: module @101
  constructors Net::Net
  methods Net::forward
  call Net::forward

method Net::Net() constructor @102
  h: module = module Linear @103
  n: string = const "head"
  r: module = register module(this, h@104, n) @105
  %1 = field head(this)
  assign(%1, r) @106
  return

method Net::forward(x: tensor @110) -> tensor @111
  %1: module = field head(this)
  y: tensor = forward forward(%1@112, x@113) @114
  return y
)";

TEST(Modules, ReplacedAfterTheMove) {
  EXPECT_EQ(found(std::string(kNet) + R"(
function main() entry
  net: module Net = object Net @1
  call Net::Net(net) @2
  d: device = device cuda @3
  move-module(net@4, d@5) @6
  h: module = module Linear @7
  n: string = const "head"
  r: module = register module(net@8, h@9, n) @10
  %1: module = field head(net)
  assign(%1@11, r@12) @13
  x = new ones(d@14) [rank-n] @15
  y: tensor = call Net::forward(net@16, x@17) @18
  return
)"),
            "module-after-to@10");
}

TEST(Modules, ReplacedAndMovedAgain) {
  EXPECT_EQ(found(std::string(kNet) + R"(
function main() entry
  net: module Net = object Net @1
  call Net::Net(net) @2
  d: device = device cuda @3
  move-module(net@4, d@5) @6
  h: module = module Linear @7
  n: string = const "head"
  r: module = register module(net@8, h@9, n) @10
  %1: module = field head(net)
  assign(%1@11, r@12) @13
  move-module(h@20, d@21) @22
  x = new ones(d@14) [rank-n] @15
  y: tensor = call Net::forward(net@16, x@17) @18
  return
)"),
            "");
}

TEST(Modules, NeverMoved) {
  EXPECT_EQ(found(std::string(kNet) + R"(
function main() entry
  net: module Net = object Net @1
  call Net::Net(net) @2
  d: device = device cuda @3
  x = new ones(d@14) [rank-n] @15
  y: tensor = call Net::forward(net@16, x@17) @18
  return
)"),
            "unmoved-module@1");
}

} // namespace
} // namespace samedevice::analysis
