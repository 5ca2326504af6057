#include "Names.h"

#include <algorithm>
#include <array>

namespace samedevice::facts {
namespace {

struct NamedOpcode {
  Opcode opcode;
  std::string_view text;
};

// In the order of the enumerators; a line each, so that a new one is easily put in its place.
// clang-format off
constexpr NamedOpcode kOpcodes[] = {
    {Opcode::Unknown, "unknown"},
    {Opcode::Const, "const"},
    {Opcode::Null, "null"},
    {Opcode::Copy, "copy"},
    {Opcode::Clone, "clone"},
    {Opcode::Cast, "cast"},
    {Opcode::Bind, "bind"},
    {Opcode::Assign, "assign"},
    {Opcode::Field, "field"},
    {Opcode::Element, "element"},
    {Opcode::Global, "global"},
    {Opcode::Object, "object"},
    {Opcode::List, "list"},
    {Opcode::ListAdd, "list-add"},
    {Opcode::ListClear, "list-clear"},
    {Opcode::ListDrop, "list-drop"},
    {Opcode::Size, "size"},
    {Opcode::Iterate, "iterate"},
    {Opcode::Advance, "advance"},
    {Opcode::HasNext, "has-next"},
    {Opcode::Device, "device"},
    {Opcode::DeviceMake, "device-make"},
    {Opcode::DeviceParse, "device-parse"},
    {Opcode::DeviceOf, "device-of"},
    {Opcode::CurrentDevice, "current-device"},
    {Opcode::Options, "options"},
    {Opcode::OptionsWith, "options-with"},
    {Opcode::OptionsOf, "options-of"},
    {Opcode::New, "new"},
    {Opcode::Like, "like"},
    {Opcode::Move, "move"},
    {Opcode::View, "view"},
    {Opcode::Op, "op"},
    {Opcode::SetData, "set-data"},
    {Opcode::Module, "module"},
    {Opcode::Register, "register"},
    {Opcode::Unregister, "unregister"},
    {Opcode::MoveModule, "move-module"},
    {Opcode::CloneModule, "clone-module"},
    {Opcode::LoadState, "load-state"},
    {Opcode::SaveState, "save-state"},
    {Opcode::LoadScript, "load-script"},
    {Opcode::Forward, "forward"},
    {Opcode::Parameters, "parameters"},
    {Opcode::Optimizer, "optimizer"},
    {Opcode::OptimizerAdd, "optimizer-add"},
    {Opcode::OptimizerStep, "optimizer-step"},
    {Opcode::Pointer, "pointer"},
    {Opcode::PointerOffset, "pointer-offset"},
    {Opcode::HostRead, "host-read"},
    {Opcode::HostView, "host-view"},
    {Opcode::DeviceUse, "device-use"},
    {Opcode::Allocate, "allocate"},
    {Opcode::PageLock, "page-lock"},
    {Opcode::FromBlob, "from-blob"},
    {Opcode::Memcpy, "memcpy"},
    {Opcode::Guard, "guard"},
    {Opcode::SetDevice, "set-device"},
    {Opcode::CurrentStream, "current-stream"},
    {Opcode::Launch, "launch"},
    {Opcode::Synchronize, "synchronize"},
    {Opcode::End, "end"},
    {Opcode::Call, "call"},
    {Opcode::CallValue, "call-value"},
    {Opcode::CallUnknown, "call-unknown"},
    {Opcode::IsCuda, "is-cuda"},
    {Opcode::IsCpu, "is-cpu"},
    {Opcode::SameDevice, "same-device"},
    {Opcode::Available, "available"},
    {Opcode::Not, "not"},
    {Opcode::Compare, "compare"},
    {Opcode::IsDefined, "is-defined"},
    {Opcode::Part, "part"},
};
// clang-format on

constexpr bool everyOpcodeHasItsPlace() {
  for (std::size_t i = 0; i < std::size(kOpcodes); ++i)
    if (static_cast<std::size_t>(kOpcodes[i].opcode) != i)
      return false;
  return true;
}
static_assert(everyOpcodeHasItsPlace() && kOpcodes[std::size(kOpcodes) - 1].opcode == Opcode::Part,
              "an opcode was added to Program.h: name it here, in the same order");

constexpr std::string_view kTypes[] = {"other", "tensor", "module", "device", "options",   "pointer", "bool",
                                       "int",   "string", "record", "list",   "optimizer", "guard"};
static_assert(std::size(kTypes) == static_cast<std::size_t>(Type::Guard) + 1,
              "a type was added to Program.h: name it here, in the same order");

constexpr std::string_view kFlags[] = {"non-blocking", "discarded", "rank-0",       "rank-n", "pinned",
                                       "method",       "stateless", "of-temporary", "write",  "callers-stream",
                                       "keeps-rank",   "shared",    "empty"};
static_assert(std::uint32_t{1} << (std::size(kFlags) - 1) == kEmpty,
              "a flag was added to Program.h: name it here, in the same order");

template <std::size_t N> std::optional<std::size_t> indexIn(const std::string_view (&names)[N], std::string_view text) {
  const auto *found = std::find(std::begin(names), std::end(names), text);
  if (found == std::end(names))
    return std::nullopt;
  return static_cast<std::size_t>(found - names);
}

} // namespace

std::string_view name(Opcode opcode) { return kOpcodes[static_cast<std::size_t>(opcode)].text; }

std::string_view name(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

std::string_view name(Flag flag) {
  for (std::size_t bit = 0; bit < std::size(kFlags); ++bit)
    if (flag == std::uint32_t{1} << bit)
      return kFlags[bit];
  return "?";
}

std::optional<Opcode> opcodeNamed(std::string_view text) {
  for (const NamedOpcode &entry : kOpcodes)
    if (entry.text == text)
      return entry.opcode;
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
  for (std::string_view word : {"of", "constructor", "destructor", "static", "entry", "guarded", "private"})
    if (text == word)
      return true;
  return false;
}

} // namespace samedevice::facts
