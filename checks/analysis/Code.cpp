#include "Code.h"
#include "Blocks.h"

#include <algorithm>
#include <map>
#include <utility>

namespace samedevice::analysis {

CodeInfo::CodeInfo(const Function &function) {
  orderBlocks(function);
  findLoops(function);
  findTemporaries(function);
  std::set<Slot> counted;
  for (const facts::Block &block : function.blocks)
    for (const Instruction &i : block.instructions)
      if (i.opcode == Opcode::Advance && function.slots[i.args[0].slot].type == facts::Type::Int)
        counted.insert(i.args[0].slot);
  counters.assign(counted.begin(), counted.end());
  findGpusChosen(function);
}

/// Reverse postorder, so that a block is run after what flows into it; of a branch the first way first, so that a loop
/// has settled before what comes after it is run, and of two uses of one mistake the first is the one reported.
void CodeInfo::orderBlocks(const Function &function) {
  order.assign(function.blocks.size(), ~0u);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  std::vector<char> seen(function.blocks.size(), 0);
  std::vector<std::uint32_t> postorder;
  if (!function.blocks.empty()) {
    stack.push_back({0, 0});
    seen[0] = 1;
  }
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    const auto &successors = function.blocks[block].end.successors;
    if (next == successors.size()) {
      postorder.push_back(block);
      stack.pop_back();
      continue;
    }
    std::uint32_t successor = successors[successors.size() - ++next];
    if (successor < seen.size() && !seen[successor]) {
      seen[successor] = 1;
      stack.push_back({successor, 0});
    }
  }
  for (std::size_t i = 0; i < postorder.size(); ++i)
    order[postorder[i]] = static_cast<std::uint32_t>(postorder.size() - 1 - i);
}

/// What is given to a device as its number, and what that was copied from, as far as it is one of several numbers that
/// are written there; a number that somebody else may name is any.
void CodeInfo::findGpusChosen(const Function &function) {
  auto isNumbered = [](const Instruction &i) { return i.opcode == Opcode::DeviceMake && i.args.size() > 1; };
  if (!hasInstruction(function, isNumbered))
    return;
  std::map<Slot, std::vector<Slot>> sources; // of what is copied or assigned
  std::vector<Slot> open;
  for (const facts::Block &block : function.blocks)
    for (const Instruction &i : block.instructions)
      if (isNumbered(i))
        open.push_back(i.args[1].slot);
      else if (i.opcode == Opcode::Const)
        sources[i.dest].push_back(facts::kNone);
      else if (i.opcode == Opcode::Copy && !i.args.empty())
        sources[i.dest].push_back(i.args[0].slot);
      else if (i.opcode == Opcode::Assign && i.args.size() > 1)
        sources[i.args[0].slot].push_back(i.args[1].slot);
  auto isWritten = [&](Slot slot) {
    const auto from = sources.find(slot);
    return slot == facts::kNone || (from != sources.end() && std::all_of(from->second.begin(), from->second.end(),
                                                                         [](Slot s) { return s == facts::kNone; }));
  };
  std::set<Slot> seen;
  while (!open.empty()) {
    const Slot slot = open.back();
    open.pop_back();
    const auto from = seen.insert(slot).second ? sources.find(slot) : sources.end();
    if (from == sources.end())
      continue;
    if (from->second.size() > 1 && std::all_of(from->second.begin(), from->second.end(), isWritten))
      gpusChosen.insert(slot);
    open.insert(open.end(), from->second.begin(), from->second.end());
  }
}

void CodeInfo::findLoops(const Function &function) {
  const std::size_t count = function.blocks.size();
  std::vector<std::vector<std::uint32_t>> predecessors(count);
  for (std::uint32_t block = 0; block < count; ++block)
    for (std::uint32_t successor : function.blocks[block].end.successors)
      if (successor < count && order[block] != ~0u)
        predecessors[successor].push_back(block);
  around.assign(count, -1);
  std::vector<std::uint32_t> inLoopOf(count, ~0u);
  for (std::uint32_t head = 0; head < count; ++head) {
    const facts::Terminator &end = function.blocks[head].end;
    if (end.successors.size() != 2)
      continue;
    std::vector<std::uint32_t> inside;
    auto add = [&](std::uint32_t block) {
      if (block != head && std::exchange(inLoopOf[block], head) != head)
        inside.push_back(block);
    };
    for (std::uint32_t from : predecessors[head])
      if (order[from] >= order[head])
        add(from);
    for (std::size_t next = 0; next < inside.size(); ++next)
      for (const std::uint32_t block = inside[next]; std::uint32_t from : predecessors[block])
        add(from);
    auto isInside = [&](std::uint32_t block) { return block < count && inLoopOf[block] == head; };
    const bool first = isInside(end.successors[0]), second = isInside(end.successors[1]);
    if (first != second)
      around[head] = first ? 0 : 1;
  }
}

/// Temporaries that live within one block need no place in the state.
void CodeInfo::findTemporaries(const Function &function) {
  constexpr std::uint32_t unseen = ~0u, shared = ~0u - 1;
  std::vector<std::uint32_t> home(function.slots.size(), unseen);
  auto touch = [&](Slot slot, std::uint32_t block) {
    if (slot < home.size())
      home[slot] = home[slot] == unseen || home[slot] == block ? block : shared;
  };
  for (std::uint32_t b = 0; b < function.blocks.size(); ++b) {
    for (const Instruction &i : function.blocks[b].instructions) {
      touch(i.dest, b);
      for (const Operand &operand : i.args)
        touch(operand.slot, b);
    }
    touch(function.blocks[b].end.slot, b);
  }
  scratch.assign(function.slots.size(), -1);
  std::vector<int> used(function.blocks.size(), 0);
  for (Slot slot = function.paramCount; slot < function.slots.size(); ++slot)
    if (function.slots[slot].name.empty() && home[slot] < shared)
      scratch[slot] = used[home[slot]]++;
  scratchSize = used.empty() ? 0 : *std::max_element(used.begin(), used.end());
}

} // namespace samedevice::analysis
