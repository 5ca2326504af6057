// How each enumerator of the facts is spelled in their text form, and what kind of opcode an opcode is.
#pragma once

#include "Program.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace samedevice::facts {

/// Opcodes whose rules stand together.
enum class Group : std::uint8_t { Values, Lists, Devices, Tensors, Modules, Memory, Control, Conditions };

inline constexpr std::size_t kOpcodeCount = static_cast<std::size_t>(Opcode::Reopen) + 1;
inline constexpr std::size_t kModeCount = static_cast<std::size_t>(Mode::OpenOpen) + 1;

Group groupOf(Opcode opcode);
/// All it does is to give its destination a value: where nobody looks at that, it may be left out.
bool isPure(Opcode opcode);

std::string_view name(Opcode opcode);
std::string_view name(Mode mode);
/// Whether instructions of this opcode come in this mode; all do in none.
bool takes(Opcode opcode, Mode mode);
/// Whether the word after the opcode is a mode.
bool hasModes(Opcode opcode);
/// The word after the opcode: its mode where it has one, else its text.
std::string wordOf(const Instruction &instruction);
std::string_view name(Type type);
std::string_view name(Flag flag);

std::optional<Opcode> opcodeNamed(std::string_view text);
/// Among those that the opcode takes.
std::optional<Mode> modeNamed(Opcode opcode, std::string_view text);
std::optional<Type> typeNamed(std::string_view text);
std::optional<Flag> flagNamed(std::string_view text);

/// The words that may follow a function's parameters: entry, static and so on.
bool isFunctionAttribute(std::string_view text);

} // namespace samedevice::facts
