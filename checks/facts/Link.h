// Joins the facts of several translation units, as a linker joins object files: one function, one class and one global,
// however many files have seen it.
#pragma once

#include "Program.h"

#include <vector>

namespace samedevice::facts {

/// The functions, classes and sources of the first unit keep their ids. Every unit tells where its sources are.
Program link(const std::vector<const Program *> &units);
/// Of these units those that are named, in that order.
Program link(const std::vector<const Program *> &units, const std::vector<std::size_t> &together);

/// Which units make a program together, as indices: each `main` with all that it reaches, and of the rest those that
/// hang together. A unit may be part of several.
std::vector<std::vector<std::size_t>> programsAmong(const std::vector<const Program *> &units);

} // namespace samedevice::facts
