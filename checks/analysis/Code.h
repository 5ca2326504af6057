// What is computed once per function: the order of its blocks, and which temporaries need no place in the state.
#pragma once

#include "Interpreter.h"

namespace samedevice::analysis {

struct Interpreter::CodeInfo {
  explicit CodeInfo(const Function &function);

  std::vector<std::uint32_t> order; ///< of a block in reverse postorder
  std::vector<int> scratch;         ///< per slot: its index among its block's temporaries, or -1
  int scratchSize = 0;
  std::vector<Slot> counters; ///< numbers that move on by one
};

/// The object whose members are the globals.
inline constexpr ObjectId kGlobals = 1;

/// How many elements of a list are told apart.
inline constexpr std::uint32_t kMaxElements = 8;

/// Where a function leaves its result, in its frame.
inline constexpr std::uint32_t kResultSlot = 0x0ffffffeu;

} // namespace samedevice::analysis
