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

/// Whether one comes from the beginning to what stands at `use` without passing the block.
bool isPassedBy(const Function &code, BlockId avoided, facts::SourceId use) {
  std::vector<BlockId> open{0};
  std::set<BlockId> seen{avoided};
  while (!open.empty()) {
    const BlockId block = open.back();
    open.pop_back();
    if (block >= code.blocks.size() || !seen.insert(block).second)
      continue;
    const Block &body = code.blocks[block];
    if (std::any_of(body.instructions.begin(), body.instructions.end(),
                    [&](const Instruction &i) { return i.source == use; }))
      return true;
    open.insert(open.end(), body.end.successors.begin(), body.end.successors.end());
  }
  return false;
}

/// Whether one can come from `after` in the block to what stands at `use` before the guard in `slot` ends.
bool livesUntil(const Function &code, BlockId block, std::vector<Instruction>::const_iterator after, Slot slot,
                facts::SourceId use) {
  std::vector<BlockId> open;
  std::set<BlockId> seen;
  const auto comesTo = [&](const Block &body, std::vector<Instruction>::const_iterator from) {
    const auto first = std::find_if(from, body.instructions.end(), [&](const Instruction &i) {
      return i.source == use || (i.opcode == Opcode::End && !i.args.empty() && i.args[0].slot == slot);
    });
    if (first != body.instructions.end())
      return first->source == use;
    open.insert(open.end(), body.end.successors.begin(), body.end.successors.end());
    return false;
  };
  if (comesTo(code.blocks[block], after))
    return true;
  while (!open.empty()) {
    const BlockId next = open.back();
    open.pop_back();
    if (next < code.blocks.size() && seen.insert(next).second &&
        comesTo(code.blocks[next], code.blocks[next].instructions.begin()))
      return true;
  }
  return false;
}

} // namespace

Lapse lapseOf(const Function &code, facts::SourceId guard, facts::SourceId use) {
  for (BlockId block = 0; block < code.blocks.size(); ++block) {
    const std::vector<Instruction> &body = code.blocks[block].instructions;
    const auto made = std::find_if(body.begin(), body.end(),
                                   [&](const Instruction &i) { return i.source == guard && isForSomething(i); });
    if (made == body.end() || made->dest == facts::kNone)
      continue;
    const Slot slot = made->dest;
    const bool endsHere = std::any_of(made, body.end(), [&](const Instruction &i) {
      return i.opcode == Opcode::End && !i.args.empty() && i.args[0].slot == slot;
    });
    if (code.slots[slot].name.empty())
      return endsHere ? Lapse::Temporary : Lapse::Scope;
    const bool isSetLater = std::any_of(code.blocks.begin(), code.blocks.end(), [&](const Block &other) {
      return std::any_of(other.instructions.begin(), other.instructions.end(), [&](const Instruction &i) {
        return i.opcode == Opcode::Guard && i.dest == slot && !isForSomething(i);
      });
    });
    if (isSetLater && guard < use && isPassedBy(code, block, use))
      return Lapse::OneWay;
    return livesUntil(code, block, made + 1, slot, use) ? Lapse::None : Lapse::Scope;
  }
  return Lapse::Scope;
}

bool isBeforeGuards(const Function &code, facts::SourceId use) {
  std::vector<BlockId> open{0};
  std::set<BlockId> seen;
  while (!open.empty()) {
    const BlockId block = open.back();
    open.pop_back();
    if (block >= code.blocks.size() || !seen.insert(block).second)
      continue;
    const std::vector<Instruction> &body = code.blocks[block].instructions;
    const auto first = std::find_if(body.begin(), body.end(),
                                    [&](const Instruction &i) { return i.source == use || mayBeForSomething(i); });
    if (first == body.end())
      open.insert(open.end(), code.blocks[block].end.successors.begin(), code.blocks[block].end.successors.end());
    else if (first->source == use)
      return true;
  }
  return false;
}

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
