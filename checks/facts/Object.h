// Facts as object files: one for each translation unit, made wherever that is compiled, joined by Link.h.
#pragma once

#include "Program.h"

#include <optional>
#include <string>
#include <string_view>

namespace samedevice::facts {

std::string write(const Program &program);

/// Nothing, and what is wrong with it, where the bytes are no object that this version wrote: whatever they are, no
/// more is read than there is, and what is handed out refers to nothing that is not there.
std::optional<Program> read(std::string_view bytes, std::string &error);

/// What is wrong with the references within a program; empty where nothing is.
std::string fault(const Program &program);

} // namespace samedevice::facts
