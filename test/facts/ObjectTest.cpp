// Facts as objects: what is written is read again, and what nobody has written is refused.
#include "facts/Object.h"
#include "facts/Text.h"

#include <gtest/gtest.h>

#include <random>

namespace samedevice::facts {
namespace {

const char *const kProgram = R"facts(
  program mentions-devices unfinished torch=2.6 global-init=init

  class Net module @1
    link "c:@S@Net"
    field head: module Net @2
    constructors Net::Net
    methods Net::forward
    call Net::forward

  function init() static
    g = global cache [own-name]
    x = new zeros [rank-n] @3
    assign(g, x@3) @3
    return

  method Net::forward(x: tensor @2) -> tensor @1
    link "c:@S@Net@F@forward"
    overrides base
    bound "forward"
    h = field head(this)
    y: tensor = forward forward(h, x@2) @3
    c = available
    branch c yes no
  yes:
    n = const -5
    s = const "text"
    jump no
  no:
    return y

  constructor Net::Net() elsewhere @1
    return

  function base(x: ref tensor) elsewhere
    link "base"

  function main() entry
    net = object Net
    y = call Net::forward(net, _) [virtual] @3
    call base(y!)
    device-use k targets=3(y) [guess]

  sources
    @1 "net.h" 3 1 name="Net"
    @2 "net.h" 4 3 member=Net label="x"
    @3 "net.cpp" 5 3 in=main made-as="Net()" callee="forward"
)facts";

Program program() {
  std::string error;
  std::optional<Program> parsed = parse(kProgram, error);
  EXPECT_TRUE(parsed) << error;
  return parsed ? *parsed : Program();
}

TEST(Object, IsWhatWasWritten) {
  const Program written = program();
  std::string error;
  const std::optional<Program> seen = read(write(written), error);
  ASSERT_TRUE(seen) << error;
  const Program again = seen.value_or(Program());
  EXPECT_EQ(print(again), print(written));
  EXPECT_EQ(write(again), write(written));
  EXPECT_LT(write(written).size(), print(written).size() * 2 / 3);
}

TEST(Object, OfAnotherVersionSaysSo) {
  std::string error;
  EXPECT_FALSE(read("", error));
  EXPECT_EQ(error, "it holds no facts");
  EXPECT_FALSE(read("{\"json\": true}", error));
  EXPECT_EQ(error, "it holds no facts");
  std::string object = write(Program());
  object[object.find('\n') + 1] ^= 1;
  EXPECT_FALSE(read(object, error));
  EXPECT_EQ(error, "another version wrote it");
}

TEST(Object, CutShortItIsRefused) {
  const std::string object = write(program());
  for (std::size_t length = 0; length < object.size(); ++length) {
    std::string error;
    EXPECT_FALSE(read(object.substr(0, length), error)) << length;
    EXPECT_FALSE(error.empty());
  }
  std::string error;
  EXPECT_FALSE(read(object + '\0', error)) << "and so is one with more behind it";
}

TEST(Object, WhateverTheBytesAreItHoldsOrIsRefused) {
  const std::string object = write(program());
  std::mt19937 random(42);
  auto below = [&](std::size_t size) { return static_cast<std::size_t>(random() % size); };
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = object;
    for (std::size_t edits = 1 + below(4); edits; --edits) {
      const std::size_t at = 20 + below(damaged.size() - 20); // what is before is the version
      switch (below(4)) {
      case 0:
        damaged[at] = static_cast<char>(random());
        break;
      case 1:
        damaged.erase(at, 1 + below(8));
        break;
      case 2:
        damaged.insert(at, 1 + below(8), static_cast<char>(random()));
        break;
      default:
        damaged.replace(at, 1, "\xff\xff\xff\xff\x0f"); // a number as large as there is
      }
      if (damaged.size() < 30)
        damaged = object;
    }
    std::string error;
    if (std::optional<Program> seen = read(damaged, error)) {
      ++accepted;
      ASSERT_EQ(fault(*seen), "");
      print(*seen);
    } else {
      ASSERT_FALSE(error.empty());
    }
  }
  EXPECT_GT(accepted, 0) << "a changed letter in a name";
}

TEST(Object, ReferencesMustLeadSomewhere) {
  auto isRefused = [](auto damage) {
    Program damaged = program();
    damage(damaged);
    std::string error;
    return !read(write(damaged), error) && error == "it refers to what is not there";
  };
  EXPECT_FALSE(isRefused([](Program &) {}));
  EXPECT_TRUE(isRefused([](Program &p) { p.globalInits[0] = 17; }));
  EXPECT_TRUE(isRefused([](Program &p) { p.classes[0].methods[0] = 17; }));
  EXPECT_TRUE(isRefused([](Program &p) { p.functions[1].blocks[0].end.successors[0] = 17; }));
  EXPECT_TRUE(isRefused([](Program &p) { p.functions[1].blocks[0].instructions[0].args[0].slot = 170; }));
  EXPECT_TRUE(isRefused([](Program &p) { p.functions[1].blocks[0].instructions[1].dest = 170; }));
  EXPECT_TRUE(isRefused([](Program &p) { p.functions[4].blocks[0].instructions[1].targets[0] = 17; }));
  EXPECT_TRUE(isRefused([](Program &p) { p.functions[4].blocks[0].instructions[1].targets.clear(); }));
  EXPECT_TRUE(isRefused([](Program &p) { p.functions[4].blocks[0].instructions[1].source = 17; }));
  EXPECT_TRUE(isRefused([](Program &p) { p.functions[4].blocks[0].instructions[1].mode = Mode::Frozen; }));
  EXPECT_TRUE(isRefused([](Program &p) { p.sources[3].file = 17; }));
  EXPECT_TRUE(isRefused([](Program &p) { p.functions[0].paramCount = 17; }));
}

} // namespace
} // namespace samedevice::facts
