#include "GuardPlaces.h"

#include <algorithm>
#include <set>

namespace samedevice::analysis {

using facts::Block;
using facts::BlockId;
using facts::Function;
using facts::Instruction;
using facts::Opcode;
using facts::Slot;

namespace {

bool isForSomething(const Instruction &i) {
  return i.opcode == Opcode::Guard && i.source && !i.args.empty() && i.args[0].slot != facts::kNone;
}

/// What cannot be read may be one.
bool mayBeForSomething(const Instruction &i) {
  return isForSomething(i) || (i.opcode == Opcode::Guard && i.mode == facts::Mode::Broken);
}

bool isEndOf(const Instruction &i, Slot guard) {
  return i.opcode == Opcode::End && !i.args.empty() && i.args[0].slot == guard;
}

/// Whether one can come from the instruction at `index` of `block` to what stands at `use` before anything that
/// `stops`.
template <typename Stops>
bool comesTo(const Function &code, BlockId block, std::size_t index, facts::SourceId use, const Stops &stops) {
  std::vector<std::pair<BlockId, std::size_t>> open{{block, index}};
  std::set<BlockId> seen; // from their beginnings
  while (!open.empty()) {
    const auto [next, from] = open.back();
    open.pop_back();
    if (next >= code.blocks.size() || (from == 0 && !seen.insert(next).second))
      continue;
    const Block &body = code.blocks[next];
    const auto first =
        std::find_if(body.instructions.begin() + static_cast<std::ptrdiff_t>(from), body.instructions.end(),
                     [&](const Instruction &i) { return i.source == use || stops(i); });
    if (first != body.instructions.end() && first->source == use)
      return true;
    if (first == body.instructions.end())
      for (BlockId successor : body.end.successors)
        open.emplace_back(successor, 0);
  }
  return false;
}

} // namespace

Lapse lapseOf(const Function &code, facts::SourceId guard, facts::SourceId use) {
  for (BlockId block = 0; block < code.blocks.size(); ++block) {
    const std::vector<Instruction> &body = code.blocks[block].instructions;
    const auto isMaking = [&](const Instruction &i) { return i.source == guard && isForSomething(i); };
    const auto made = std::find_if(body.begin(), body.end(), isMaking);
    if (made == body.end() || made->dest == facts::kNone)
      continue;
    const Slot slot = made->dest;
    const auto isItsEnd = [&](const Instruction &i) { return isEndOf(i, slot); };
    if (code.slots[slot].name.empty())
      return std::any_of(made, body.end(), isItsEnd) ? Lapse::Temporary : Lapse::Scope;
    const bool isSetLater = std::any_of(code.blocks.begin(), code.blocks.end(), [&](const Block &other) {
      return std::any_of(other.instructions.begin(), other.instructions.end(), [&](const Instruction &i) {
        return i.opcode == Opcode::Guard && i.dest == slot && !isForSomething(i);
      });
    });
    if (isSetLater && guard < use && comesTo(code, 0, 0, use, isMaking))
      return Lapse::OneWay;
    const auto after = static_cast<std::size_t>(made - body.begin()) + 1;
    return comesTo(code, block, after, use, isItsEnd) ? Lapse::None : Lapse::Scope;
  }
  return Lapse::Scope;
}

bool isBeforeGuards(const Function &code, facts::SourceId use) { return comesTo(code, 0, 0, use, mayBeForSomething); }

/// What does not depend on which device is current, and leaves nothing that does.
static bool isIdle(const Instruction &i) {
  switch (facts::groupOf(i.opcode)) {
  case facts::Group::Values:
    return i.opcode != Opcode::Assign;
  case facts::Group::Devices:
    return i.opcode != Opcode::CurrentDevice;
  case facts::Group::Conditions:
    return true;
  default:
    return i.opcode == Opcode::Guard || i.opcode == Opcode::End || i.opcode == Opcode::Size ||
           (i.opcode == Opcode::CurrentStream && !i.args.empty());
  }
}

facts::SourceId idleGuard(const Function &code) {
  facts::SourceId guard = 0;
  std::set<Slot> set, ended;
  for (const Block &block : code.blocks)
    for (const Instruction &i : block.instructions) {
      if (!isIdle(i))
        return 0;
      if (isForSomething(i)) {
        guard = i.source;
        set.insert(i.dest);
      } else if (i.opcode == Opcode::End) {
        ended.insert(i.args[0].slot);
      }
    }
  return std::includes(ended.begin(), ended.end(), set.begin(), set.end()) ? guard : 0;
}

static bool hasSuch(const Function &code, bool (*guard)(const Instruction &)) {
  return std::any_of(code.blocks.begin(), code.blocks.end(), [&](const Block &block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(), guard);
  });
}

bool hasGuard(const Function &code) { return hasSuch(code, isForSomething); }
bool mayHaveGuard(const Function &code) { return hasSuch(code, mayBeForSomething); }

} // namespace samedevice::analysis
