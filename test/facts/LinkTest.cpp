// Units joined by the names under which they know each other.
#include "facts/Link.h"
#include "facts/Programs.h"
#include "facts/Text.h"

#include <gtest/gtest.h>

#include <deque>

namespace samedevice::facts {
namespace {

/// Units as text. Their sources: @1 and @2 stand in a header of all, the rest in a file of their own.
class Units {
public:
  explicit Units(std::initializer_list<std::string> texts) {
    for (const std::string &text : texts) {
      const std::string file = "\"" + std::to_string(programs_.size()) + ".cpp\" ";
      std::string sources = "\nsources\n  @1 \"all.h\" 1 1\n  @2 \"all.h\" 2 1\n";
      for (int line = 3; line < 9; ++line)
        sources += "  @" + std::to_string(line) + " " + file + std::to_string(line) + " 1\n";
      std::string error;
      std::optional<Program> program = parse(text + sources, error);
      EXPECT_TRUE(program) << error;
      programs_.push_back(program ? *program : Program());
    }
  }

  std::vector<const Program *> all() const {
    std::vector<const Program *> list;
    list.reserve(programs_.size());
    for (const Program &program : programs_)
      list.push_back(&program);
    return list;
  }
  std::string linked() const { return print(link(all())); }

private:
  std::deque<Program> programs_;
};

bool has(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

const std::string kDeclared = "function f(x: tensor) elsewhere\n  link \"f\"\n";
const std::string kDefined = "function f(x: tensor) @3\n  link \"f\"\n  launch k @4\n  return\n";

TEST(Link, ADeclarationBecomesTheBody) {
  for (const Units &units : {Units{"function g(x: tensor) @3\n  call f(x)\n  return\n" + kDeclared, kDefined},
                             Units{kDefined, "function g(x: tensor) @3\n  call f(x)\n  return\n" + kDeclared}}) {
    const Program program = link(units.all());
    ASSERT_EQ(program.functions.size(), 2u);
    const std::string text = print(program);
    EXPECT_TRUE(has(text, "call f(x)")) << text;
    EXPECT_TRUE(has(text, "launch k")) << text;
    EXPECT_FALSE(has(text, "elsewhere")) << text;
  }
}

TEST(Link, OneFileThatShowsLibtorchsVersionSpeaksForAll) {
  EXPECT_EQ(link(Units{kDeclared, "program torch=1.13\n" + kDefined}.all()).torch, 113u);
  EXPECT_EQ(link(Units{"program torch=2.6\n" + kDeclared, kDefined}.all()).torch, 206u);
  EXPECT_EQ(link(Units{kDeclared, kDefined}.all()).torch, 0u);
}

TEST(Link, TheFirstUnitKeepsItsSources) {
  const Program program = link(Units{kDeclared, kDefined}.all());
  ASSERT_EQ(program.sources.size(), 17u);
  EXPECT_EQ(program.functions[0].source, 8u + 3u);
  EXPECT_EQ(program.files, (std::vector<std::string>{"all.h", "0.cpp", "1.cpp"}));
  EXPECT_EQ(program.files[program.sources[program.functions[0].source].file], "1.cpp");
}

TEST(Link, WhatAHeaderDefinesIsThereOnce) {
  const std::string inHeader = "function f(x: tensor) @1\n  link \"f\"\n  launch k @2\n  return\n";
  EXPECT_EQ(link(Units{inHeader, inHeader}.all()).functions.size(), 1u);
}

TEST(Link, OfTwoBodiesNobodyElseKnowsWhichItIs) {
  const std::string caller = "function g(x: tensor) @3\n  call f(x)\n  return\n";
  const Units units{caller + kDeclared, kDefined, kDefined + "function h(x: tensor) @5\n  call f(x)\n  return\n"};
  const Program program = link(units.all());
  ASSERT_EQ(program.functions.size(), 5u);
  const Instruction &unclear = program.functions[0].blocks[0].instructions[0];
  EXPECT_TRUE(program.functions[unclear.targets[0]].isElsewhere);
  const Instruction &own = program.functions[4].blocks[0].instructions[0];
  EXPECT_EQ(program.functions[own.targets[0]].source, 16u + 3u) << "its own file's";
}

TEST(Link, NamesWithoutLinkageStayApart) {
  const std::string local = "function f(x: tensor) static @3\n  g = global cache [own-name]\n  return\n";
  const Program program = link(Units{local, local}.all());
  EXPECT_EQ(program.functions.size(), 2u);
  EXPECT_NE(program.functions[0].blocks[0].instructions[0].text, program.functions[1].blocks[0].instructions[0].text);
}

TEST(Link, ClassesOfOneHeaderAreOne) {
  const std::string cls = "class Net module @1\n  link \"Net\"\n";
  const Program program =
      link(Units{cls + "  methods Net::forward\n  call Net::forward\n\nfunction Net::forward() of Net @3\n"
                       "  link \"Net::forward\"\n  return\n",
                 cls + "\nfunction main() entry @3\n  net = object Net\n  return\n"}
               .all());
  ASSERT_EQ(program.classes.size(), 1u);
  EXPECT_EQ(program.classes[0].call, 0u);
  EXPECT_EQ(program.functions[1].blocks[0].instructions[0].targets, std::vector<std::uint32_t>{0});
}

TEST(Link, ClassesOfTwoPlacesAreTwo) {
  const std::string cls = "class Net module @3\n  link \"Net\"\n";
  EXPECT_EQ(link(Units{cls, cls}.all()).classes.size(), 2u);
}

TEST(Link, GuessesGoOnceTheBodyIsThere) {
  std::string guessing = "function g(p: pointer) @3\n  call f(p)\n  device-use k targets=1(p) [guess]\n  return\n\n";
  EXPECT_TRUE(has(Units({guessing + kDeclared}).linked(), "device-use"));
  EXPECT_FALSE(has(Units({guessing + kDeclared, kDefined}).linked(), "device-use"));
}

TEST(Link, AGuessedConstructorIsReplaced) {
  const std::string cls = "class Net module @1\n  link \"Net\"\n  constructors Net::Net\n\n";
  const std::string guess = cls + "function Net::Net(this: ref module Net) of Net constructor elsewhere @1\n"
                                  "  launch guessed\n  return\n\n"
                                  "function main() entry @3\n  n = object Net\n  call Net::Net(n)\n  return\n";
  const std::string body = cls + "function Net::Net(this: ref module Net) of Net constructor @3\n  link \"Net()\"\n"
                                 "  launch real @4\n  return\n";
  const Program program = link(Units{guess, body}.all());
  EXPECT_EQ(program.classes[0].constructors.size(), 1u);
  const FunctionId called = program.functions[1].blocks[0].instructions[1].targets[0];
  EXPECT_EQ(program.functions[called].blocks[0].instructions[0].text, "real");
}

TEST(Link, AVirtualCallReachesOverridersOfOtherFiles) {
  const std::string base =
      "class Base @1\n  link \"Base\"\n\nfunction Base::f() of Base elsewhere @2\n  link \"Base::f\"\n\n";
  const Program program =
      link(Units{base + "function g() @3\n  call Base::f() [virtual]\n  return\n",
                 base + "class Heir @3\n  link \"Heir\"\n  bases Base\n\nfunction Heir::f() of Heir @4\n"
                        "  link \"Heir::f\"\n  overrides Base::f\n  return\n"}
               .all());
  const std::vector<std::uint32_t> &targets = program.functions[1].blocks[0].instructions[0].targets;
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(program.functions[targets[1]].name, "Heir::f");
}

TEST(Link, WhoIsBoundElsewhereIsAnEntry) {
  const Program program =
      link(Units{kDefined, "function f(x: tensor) entry elsewhere\n  link \"f\"\n  bound \"op\"\n"}.all());
  EXPECT_TRUE(program.functions[0].isEntry);
  EXPECT_EQ(program.functions[0].boundAs, std::vector<std::string>{"op"});
  EXPECT_FALSE(program.functions[0].blocks.empty());
}

using Groups = std::vector<std::vector<std::size_t>>;

TEST(Programs, EachMainIsOneWithWhatItReaches) {
  const std::string main = "function main() entry @3\n  call f(_)\n  return\n\n" + kDeclared;
  EXPECT_EQ(programsAmong(Units{main, kDefined, main}.all()), (Groups{{0, 1}, {1, 2}}));
}

TEST(Programs, TheRestIsWhatHangsTogether) {
  const std::string caller = "function g(x: tensor) @3\n  call f(x)\n  return\n\n" + kDeclared;
  const std::string apart = "function other() @3\n  link \"other\"\n  return\n";
  EXPECT_EQ(programsAmong(Units{caller, apart, kDefined}.all()), (Groups{{0, 2}, {1}}));
}

TEST(Programs, ALibraryServesProgramsAndModules) {
  const std::string main = "function main() entry @3\n  call f(_)\n  return\n\n" + kDeclared;
  const std::string module = "function op(x: tensor) entry @3\n  call f(x)\n  return\n\n" + kDeclared;
  EXPECT_EQ(programsAmong(Units{main, kDefined, module}.all()), (Groups{{0, 1}, {1, 2}}));
}

TEST(Programs, GlobalsHoldFilesTogether) {
  const std::string makes = "program global-init=init\n\nfunction init() static\n  g = global device\n  return\n";
  const std::string uses = "function f() @3\n  g = global device\n  return\n";
  EXPECT_EQ(programsAmong(Units{uses, makes}.all()), (Groups{{0, 1}}));
}

TEST(Programs, BodiesOfAClassHoldFilesTogether) {
  const std::string cls = "class Net module @1\n  link \"Net\"\n\n";
  const std::string body = cls + "function Net::forward() of Net @3\n  link \"Net::forward\"\n  return\n";
  const std::string main = cls + "function main() entry @3\n  net = object Net\n  return\n";
  EXPECT_EQ(programsAmong(Units{body, main}.all()), (Groups{{0, 1}}));
  const std::string inHeader = cls + "function Net::forward() of Net @2\n  link \"Net::forward\"\n  return\n";
  EXPECT_EQ(programsAmong(Units{inHeader, main}.all()), (Groups{{1}, {0}})) << "a header holds nothing together";
}

} // namespace
} // namespace samedevice::facts
