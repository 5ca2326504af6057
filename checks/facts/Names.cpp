#include "Names.h"

#include <algorithm>
#include <array>

namespace samedevice::facts {
namespace {

// In the order of the enumerators.
constexpr std::string_view kOpcodes[] = {"unknown",
                                         "const",
                                         "null",
                                         "copy",
                                         "clone",
                                         "bind",
                                         "assign",
                                         "field",
                                         "element",
                                         "global",
                                         "object",
                                         "list",
                                         "list-add",
                                         "list-clear",
                                         "device",
                                         "device-make",
                                         "device-parse",
                                         "device-of",
                                         "current-device",
                                         "options",
                                         "options-with",
                                         "options-of",
                                         "new",
                                         "like",
                                         "move",
                                         "view",
                                         "op",
                                         "set-data",
                                         "module",
                                         "register",
                                         "unregister",
                                         "move-module",
                                         "clone-module",
                                         "load-state",
                                         "load-script",
                                         "forward",
                                         "parameters",
                                         "optimizer",
                                         "optimizer-step",
                                         "pointer",
                                         "pointer-offset",
                                         "host-read",
                                         "host-view",
                                         "device-use",
                                         "allocate",
                                         "from-blob",
                                         "memcpy",
                                         "guard",
                                         "set-device",
                                         "current-stream",
                                         "launch",
                                         "synchronize",
                                         "end",
                                         "call",
                                         "call-value",
                                         "call-unknown",
                                         "is-cuda",
                                         "is-cpu",
                                         "same-device",
                                         "available",
                                         "not",
                                         "compare",
                                         "is-defined",
                                         "size",
                                         "iterate",
                                         "advance",
                                         "has-next",
                                         "save-state"};
static_assert(std::size(kOpcodes) == static_cast<std::size_t>(Opcode::SaveState) + 1,
              "an opcode was added to Program.h: name it here, in the same order");

constexpr std::string_view kTypes[] = {"other", "tensor", "module", "device", "options",   "pointer", "bool",
                                       "int",   "string", "record", "list",   "optimizer", "guard"};
static_assert(std::size(kTypes) == static_cast<std::size_t>(Type::Guard) + 1,
              "a type was added to Program.h: name it here, in the same order");

constexpr std::string_view kFlags[] = {"non-blocking", "discarded", "rank-0",       "rank-n", "pinned",
                                       "method",       "stateless", "of-temporary", "write",  "has-stream"};
static_assert(std::uint32_t{1} << (std::size(kFlags) - 1) == kHasStream,
              "a flag was added to Program.h: name it here, in the same order");

template <std::size_t N> std::optional<std::size_t> indexIn(const std::string_view (&names)[N], std::string_view text) {
  const auto *found = std::find(std::begin(names), std::end(names), text);
  if (found == std::end(names))
    return std::nullopt;
  return static_cast<std::size_t>(found - names);
}

} // namespace

std::string_view name(Opcode opcode) { return kOpcodes[static_cast<std::size_t>(opcode)]; }

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
  for (std::string_view word : {"of", "constructor", "destructor", "static", "entry", "private"})
    if (text == word)
      return true;
  return false;
}

} // namespace samedevice::facts
