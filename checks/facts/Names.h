// How each enumerator of the facts is spelled in their text form.
#pragma once

#include "Program.h"

#include <optional>
#include <string_view>

namespace samedevice::facts {

std::string_view name(Opcode opcode);
std::string_view name(Type type);
std::string_view name(Flag flag);

std::optional<Opcode> opcodeNamed(std::string_view text);
std::optional<Type> typeNamed(std::string_view text);
std::optional<Flag> flagNamed(std::string_view text);

/// The words that may follow a function's parameters: entry, static and so on.
bool isFunctionAttribute(std::string_view text);

} // namespace samedevice::facts
