#include "facts/Text.h"
#include "facts/Names.h"

#include <gtest/gtest.h>

namespace samedevice::facts {
namespace {

Program parsed(std::string_view text) {
  std::string error;
  std::optional<Program> program = parse(text, error);
  EXPECT_TRUE(program) << error;
  return program ? *program : Program{};
}

std::string errorOf(std::string_view text) {
  std::string error;
  EXPECT_FALSE(parse(text, error));
  return error;
}

TEST(Text, ReadsAProgramAsOneWritesIt) {
  const Program program = parsed(R"(
    program mentions-devices torch=2.14

    class Net module
      field head: module

    method Net::forward(x: tensor) -> tensor
      h = field head(this)
      y = forward forward(h, x)
      return y

    function main() entry
      net = object Net
      c = available
      branch c yes no
    yes:
      d = device cuda:1              ; the second one
      move-module(net, d) [non-blocking]
    no:
      x = new zeros [rank-n]
      y = call Net::forward(net, x@12) @13
  )");
  EXPECT_TRUE(program.mentionsDevices);
  EXPECT_EQ(program.torch, 214u);
  ASSERT_EQ(program.functions.size(), 2u);
  EXPECT_EQ(program.classes[0].methods, std::vector<FunctionId>{0});

  const Function &forward = program.functions[0];
  EXPECT_EQ(forward.cls, 0u);
  EXPECT_EQ(forward.paramCount, 2u);
  EXPECT_EQ(forward.slots[0].name, "this");
  EXPECT_EQ(forward.slots[2].type, Type::Module) << "the field's type";

  const Function &main = program.functions[1];
  EXPECT_TRUE(main.isEntry);
  ASSERT_EQ(main.blocks.size(), 3u);
  EXPECT_EQ(main.slots[0].type, Type::Module);
  EXPECT_EQ(main.blocks[0].end.kind, Terminator::Branch);
  EXPECT_EQ(main.blocks[0].end.successors, (std::vector<BlockId>{1, 2}));
  EXPECT_EQ(main.blocks[1].instructions[0].text, "cuda:1");
  EXPECT_EQ(main.blocks[1].instructions[1].flags, kNonBlocking);
  EXPECT_EQ(main.blocks[1].end.kind, Terminator::Jump) << "falls through";
  const Instruction &call = main.blocks[2].instructions[1];
  EXPECT_EQ(call.targets, std::vector<std::uint32_t>{0});
  EXPECT_EQ(call.args[1].source, 12u);
  EXPECT_EQ(call.source, 13u);
  EXPECT_EQ(main.slots[call.dest].type, Type::Tensor) << "what the function returns";
  EXPECT_EQ(main.blocks[2].end.kind, Terminator::Return);
}

TEST(Text, KeepsEveryField) {
  const std::string text = R"facts(program mentions-devices unfinished torch=1.13 global-init=init

class Base module @4
  call "Base::operator()"

class "vector<int, 2>" lambda

class "list"
  bases Base, "vector<int, 2>"
  field xs: const ref list of tensor @9
  field ys: list of module Base
  field zs: own list of own record "list"
  field ps: own record of own
  field "odd name": record "list"
  constructors f, f#2
  methods init
  move-override init
  call f#2

function init()

function f(x: const ref tensor @3, x#2: other, %2: int) -> (out: module Base @7) of "list" constructor static @8
  var y: tensor, z: string
b0:
  unreachable

function f() -> list of tensor of Base destructor entry private

function "Base::operator()"(this: ref module Base) of Base

function all(a: bool, s: string, n: int)
  var %3: tensor
  var a#2: tensor
b0:
  %3 = op operator+(self=a#2@1, "strange name"=%3, _, s@2!) [rank-0, method] @3
  a = const true
  s = const "say \"hi\"\n\\"
  n = const -3
  n = const "both" number=4
  a = compare <=(n, n)
  call f|f#2(a, s)
  %3 = object Base text="why"
  %3 = new "two words" number=7 targets=1|0
  end(a)
  branch a b1 b2 @5
b1:
  any b1 b2
b2:
  branch _ b0 b1
b3:
  return a#2 @6
b4:
  return
b5:
  jump b0

)facts";
  std::string printed = print(parsed(text));
  // `var` lines may hold several, print makes it one each.
  std::string expected = text;
  const std::string two = "  var y: tensor, z: string\n";
  expected.replace(expected.find(two), two.size(), "  var y: tensor\n  var z: string\n");
  EXPECT_EQ(printed, expected);
  EXPECT_EQ(print(parsed(printed)), printed);
}

TEST(Text, EveryOpcodeTypeAndFlagHasAName) {
  for (int i = 0; i <= static_cast<int>(Opcode::IsDefined); ++i)
    EXPECT_EQ(opcodeNamed(name(static_cast<Opcode>(i))), static_cast<Opcode>(i));
  for (int i = 0; i <= static_cast<int>(Type::Guard); ++i)
    EXPECT_EQ(typeNamed(name(static_cast<Type>(i))), static_cast<Type>(i));
  for (std::uint32_t bit = 1; bit <= kCallersStream; bit <<= 1)
    EXPECT_EQ(flagNamed(name(static_cast<Flag>(bit))), static_cast<Flag>(bit));
  EXPECT_EQ(name(Opcode::HostRead), "host-read");
  EXPECT_EQ(name(Opcode::Forward), "forward");
  EXPECT_EQ(name(Opcode::Synchronize), "synchronize");
  EXPECT_EQ(name(Opcode::CallUnknown), "call-unknown");
}

TEST(Text, ModesAreWhatTheirOpcodesTake) {
  const Program program = parsed(R"(
    function f(x: tensor, b: bool)
      p = allocate device
      memcpy host-to-device(p, p)
      c = part "open no"(b)
      assign contents(x, x)
      assign(x, x)
      y = op memcpy(x)
  )");
  const std::vector<Instruction> &code = program.functions[0].blocks[0].instructions;
  EXPECT_EQ(code[0].mode, Mode::Device);
  EXPECT_EQ(code[1].mode, Mode::HostToDevice);
  EXPECT_EQ(code[2].mode, partMode(Answer::Open, Answer::No));
  EXPECT_EQ(answerOf(code[2].mode, true), Answer::Open);
  EXPECT_EQ(answerOf(code[2].mode, false), Answer::No);
  EXPECT_EQ(code[3].mode, Mode::Contents);
  EXPECT_EQ(code[4].mode, Mode::None);
  EXPECT_EQ(code[5].mode, Mode::None);
  EXPECT_EQ(code[5].text, "memcpy");
  EXPECT_EQ(print(parsed(print(program))), print(program));
  EXPECT_TRUE(takes(Opcode::ListDrop, Mode::Back));
  EXPECT_FALSE(takes(Opcode::ListDrop, Mode::Key));
  EXPECT_FALSE(takes(Opcode::Op, Mode::Tensor));
}

TEST(Text, SaysWhatItCannotRead) {
  EXPECT_EQ(errorOf("x = new"), "line 1: expected 'program', 'class' or 'function' first");
  EXPECT_EQ(errorOf("function f()\n  x = newish"), "line 2: unknown opcode 'newish'");
  EXPECT_EQ(errorOf("function f()\n  x = move(y)"), "line 2: unknown slot 'y'");
  EXPECT_EQ(errorOf("function f()\n  call g()"), "line 2: unknown function 'g'");
  EXPECT_EQ(errorOf("function f(x: tenor)"), "line 1: unknown type 'tenor'");
  EXPECT_EQ(errorOf("function f()\n  jump there"), "line 2: unknown block 'there'");
  EXPECT_EQ(errorOf("function f()\n  return\n  launch"), "line 3: a label is missing: the block before ends above");
  EXPECT_EQ(errorOf("function f()\n  launch now [callers-stream] too"), "line 2: cannot read 'too'");
  EXPECT_EQ(errorOf("function f()\n  launch [loudly]"), "line 2: unknown flag 'loudly'");
  EXPECT_EQ(errorOf("function f()\n  p = allocate devise"), "line 2: unknown mode 'devise' of allocate");
  EXPECT_EQ(errorOf("function f()\n  p = allocate frozen"), "line 2: unknown mode 'frozen' of allocate");
}

} // namespace
} // namespace samedevice::facts
