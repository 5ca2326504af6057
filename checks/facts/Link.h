// Joins the facts of several translation units, as a linker joins object files: one function, one class and one global,
// however many files have seen it.
#pragma once

#include "Program.h"

#include <vector>

namespace samedevice::facts {

/// The functions, classes and sources of the first unit keep their ids; the sources of the others come behind them,
/// unit by unit. Every unit tells where its sources are.
Program link(const std::vector<const Program *> &units);
/// Of these units those that are named, in that order.
Program link(const std::vector<const Program *> &units, const std::vector<std::size_t> &together);

} // namespace samedevice::facts
