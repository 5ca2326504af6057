// What is computed once per function: the order of its blocks, its loops, and which temporaries need no place in the
// state.
#pragma once

#include "../facts/Program.h"

#include <cstdint>
#include <set>
#include <vector>

namespace samedevice::analysis {

using facts::Function;
using facts::FunctionId;
using facts::Instruction;
using facts::Mode;
using facts::Opcode;
using facts::Operand;
using facts::Slot;

struct CodeInfo {
  explicit CodeInfo(const Function &function);

  std::vector<std::uint32_t> order; ///< of a block in reverse postorder
  std::vector<int> scratch;         ///< per slot: its index among its block's temporaries, or -1
  int scratchSize = 0;
  std::vector<Slot> counters; ///< numbers that move on by one
  std::set<Slot> gpusChosen;  ///< numbers of GPUs that are one or the other: `several ? 1 : 0`
  std::vector<int> around;    ///< of a block that asks whether a loop goes on: the side on which it does, else -1

private:
  void orderBlocks(const Function &function);
  void findLoops(const Function &function);
  void findTemporaries(const Function &function);
  void findGpusChosen(const Function &function);
};

/// Whether an instruction may end in several states, because it runs code.
inline bool isCall(const Instruction &i) {
  return i.opcode == Opcode::Call || i.opcode == Opcode::CallValue || i.opcode == Opcode::Forward ||
         i.opcode == Opcode::Element || i.opcode == Opcode::MoveModule;
}

/// Where a function leaves its result, in its frame.
inline constexpr std::uint32_t kResultSlot = 0x0ffffffeu;

} // namespace samedevice::analysis
