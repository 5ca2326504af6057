#include "Names.h"

#include <algorithm>
#include <array>

namespace samedevice::facts {
namespace {

constexpr std::string_view kOpcodes[] = {
#define OPCODE(name, text, group, effect) text,
#include "Opcodes.def"
};
static_assert(std::size(kOpcodes) == kOpcodeCount, "the last of Opcodes.def is not the one that Names.h counts to");

enum Effect : bool { Acts, Pure };
constexpr struct {
  Group group;
  Effect effect;
} kKinds[] = {
#define OPCODE(name, text, group, effect) {Group::group, effect},
#include "Opcodes.def"
};

constexpr std::string_view kModes[] = {
    "",
#define MODE(name, text) text,
#include "Modes.def"
};
static_assert(std::size(kModes) == kModeCount, "the last of Modes.def is not the one that Names.h counts to");

constexpr struct {
  Opcode opcode;
  Mode first, last;
} kModesOf[] = {
    {Opcode::Assign, Mode::Contents, Mode::Contents},
    {Opcode::ListAdd, Mode::Others, Mode::Each},
    {Opcode::ListDrop, Mode::Front, Mode::Back},
    {Opcode::Element, Mode::Front, Mode::Key},
    {Opcode::Iterate, Mode::Key, Mode::Somewhere},
    {Opcode::Register, Mode::Module, Mode::Push},
    {Opcode::Parameters, Mode::Parameters, Mode::Children},
    {Opcode::CloneModule, Mode::Frozen, Mode::Frozen},
    {Opcode::Allocate, Mode::Host, Mode::Symbol},
    {Opcode::Memcpy, Mode::HostToHost, Mode::SomeDirection},
    {Opcode::Guard, Mode::Broken, Mode::Engine},
    {Opcode::IsDefined, Mode::Tensor, Mode::Tensor},
    {Opcode::Compute, Mode::Plus, Mode::Remainder},
    {Opcode::Compare, Mode::Equal, Mode::GreaterEqual},
    {Opcode::Part, Mode::YesYes, Mode::OpenOpen},
    {Opcode::Asked, Mode::Equal, Mode::GreaterEqual},
};

constexpr std::string_view kTypes[] = {"other", "tensor", "module", "device", "options",   "pointer", "bool",
                                       "int",   "string", "record", "list",   "optimizer", "guard"};
static_assert(std::size(kTypes) == static_cast<std::size_t>(Type::Guard) + 1,
              "a type was added to Program.h: name it here, in the same order");

constexpr std::string_view kFlags[] = {
    "non-blocking", "discarded",      "rank-0",     "rank-n", "pinned", "method",  "stateless", "of-temporary",
    "write",        "callers-stream", "keeps-rank", "shared", "empty",  "guarded", "virtual",   "guess",
    "own-name",     "batch",          "draws",      "plain",  "untold", "thread",  "omitted"};
static_assert(std::uint32_t{1} << (std::size(kFlags) - 1) == kLastFlag,
              "a flag was added to Program.h: name it here, in the same order");

template <std::size_t N> std::optional<std::size_t> indexIn(const std::string_view (&names)[N], std::string_view text) {
  const auto *found = std::find(std::begin(names), std::end(names), text);
  if (found == std::end(names))
    return std::nullopt;
  return static_cast<std::size_t>(found - names);
}

} // namespace

std::string_view name(Opcode opcode) { return kOpcodes[static_cast<std::size_t>(opcode)]; }

Group groupOf(Opcode opcode) { return kKinds[static_cast<std::size_t>(opcode)].group; }

bool isPure(Opcode opcode) { return kKinds[static_cast<std::size_t>(opcode)].effect == Pure; }

std::string_view name(Mode mode) { return kModes[static_cast<std::size_t>(mode)]; }

bool takes(Opcode opcode, Mode mode) {
  return mode == Mode::None || std::any_of(std::begin(kModesOf), std::end(kModesOf), [&](const auto &some) {
           return some.opcode == opcode && some.first <= mode && mode <= some.last;
         });
}

bool hasModes(Opcode opcode) {
  return std::any_of(std::begin(kModesOf), std::end(kModesOf), [&](const auto &some) { return some.opcode == opcode; });
}

std::string wordOf(const Instruction &instruction) {
  return instruction.mode == Mode::None ? instruction.text : std::string(name(instruction.mode));
}

std::string_view name(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

std::string_view name(Flag flag) {
  for (std::size_t bit = 0; bit < std::size(kFlags); ++bit)
    if (flag == std::uint32_t{1} << bit)
      return kFlags[bit];
  return "?";
}

std::optional<Opcode> opcodeNamed(std::string_view text) {
  if (auto index = indexIn(kOpcodes, text))
    return static_cast<Opcode>(*index);
  return std::nullopt;
}

std::optional<Mode> modeNamed(Opcode opcode, std::string_view text) {
  for (const auto &some : kModesOf)
    for (auto mode = static_cast<std::size_t>(some.first);
         some.opcode == opcode && mode <= static_cast<std::size_t>(some.last); ++mode)
      if (kModes[mode] == text)
        return static_cast<Mode>(mode);
  return std::nullopt;
}

std::optional<Type> typeNamed(std::string_view text) {
  if (auto index = indexIn(kTypes, text))
    return static_cast<Type>(*index);
  return std::nullopt;
}

std::optional<Flag> flagNamed(std::string_view text) {
  if (auto index = indexIn(kFlags, text))
    return static_cast<Flag>(std::uint32_t{1} << *index);
  return std::nullopt;
}

bool isFunctionAttribute(std::string_view text) {
  for (std::string_view word :
       {"of", "constructor", "destructor", "static", "entry", "guarded", "private", "elsewhere"})
    if (text == word)
      return true;
  return false;
}

} // namespace samedevice::facts
