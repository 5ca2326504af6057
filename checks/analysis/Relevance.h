// Which functions are worth running: a large library that a program includes must not use up the steps that its
// own code needs.
#pragma once

#include "../facts/Program.h"

#include <vector>

namespace samedevice::analysis {

enum class Relevance : std::uint8_t {
  None,    ///< nothing that it does or hands back is ever asked about
  Aside,   ///< what it hands back or writes may decide a branch: run where it is called, for a few steps
  Devices, ///< it works on tensors, modules, devices or their memory, itself or in what it calls
};

std::vector<Relevance> relevanceOf(const facts::Program &program);

} // namespace samedevice::analysis
