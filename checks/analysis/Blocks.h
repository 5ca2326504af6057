// What the blocks of a function hold, and where they lead.
#pragma once

#include "Code.h"

#include <algorithm>
#include <set>
#include <vector>

namespace samedevice::analysis {

template <typename Wanted> bool hasInstruction(const facts::Block &block, Wanted wanted) {
  return std::any_of(block.instructions.begin(), block.instructions.end(), wanted);
}
template <typename Wanted> bool hasInstruction(const Function &code, Wanted wanted) {
  return std::any_of(code.blocks.begin(), code.blocks.end(),
                     [&](const facts::Block &block) { return hasInstruction(block, wanted); });
}

/// Whether a way from one of these blocks leads to such a block, and to no block before it that `stops`.
template <typename Stops, typename IsGoal>
bool leads(const Function &code, std::vector<facts::BlockId> open, Stops stops, IsGoal isGoal) {
  std::set<facts::BlockId> seen;
  while (!open.empty()) {
    const facts::BlockId at = open.back();
    open.pop_back();
    if (at >= code.blocks.size() || !seen.insert(at).second)
      continue;
    const facts::Block &block = code.blocks[at];
    if (stops(block))
      continue;
    if (isGoal(block))
      return true;
    open.insert(open.end(), block.end.successors.begin(), block.end.successors.end());
  }
  return false;
}

} // namespace samedevice::analysis
