#include "Upkeep.h"

#include <algorithm>
#include <functional>
#include <set>

namespace samedevice::analysis {

using facts::Block;
using facts::BlockId;
using facts::Function;
using facts::FunctionId;
using facts::Instruction;
using facts::Opcode;
using facts::Slot;

namespace {

constexpr int kDeepest = 4;

class Upkeep {
public:
  Upkeep(const ProgramIndex &program, FunctionId maker, facts::SourceId at)
      : program_(program), maker_(maker), at_(at) {}

  bool isSkippedUnseen(FunctionId function, int depth = 0) {
    if (function >= program_.functions.size() || depth > kDeepest)
      return false;
    const Function &code = program_.functions[function];
    std::set<BlockId> making;
    for (BlockId block = 0; block < code.blocks.size(); ++block)
      for (const Instruction &i : code.blocks[block].instructions) {
        const bool isCall = std::any_of(i.targets.begin(), i.targets.end(),
                                        [&](FunctionId target) { return isCallOf(i, target, depth); });
        const bool isHere = function == maker_ && i.source == at_;
        const bool isClosures = i.opcode == Opcode::CallValue && program_.isLambda(program_.functions[maker_]);
        if (isHere || isCall || isClosures)
          making.insert(block);
        if (isCall && std::any_of(i.targets.begin(), i.targets.end(),
                                  [&](FunctionId target) { return isSkippedUnseen(target, depth + 1); }))
          return true;
      }
    if (making.empty())
      return false;
    for (BlockId at = 0; at < code.blocks.size(); ++at) {
      const Block &block = code.blocks[at];
      if (block.end.successors.size() < 2 || isSeen(code, block.end.slot))
        continue;
      if (!reaches(code, 0, making, [&](BlockId b) { return b == at; })) // it is made by then
        continue;
      bool makes = false, passes = false;
      for (BlockId next : block.end.successors) {
        makes |= reaches(code, next, {}, [&](BlockId b) { return making.count(b) != 0; });
        passes |= reaches(code, next, making,
                          [&](BlockId b) { return code.blocks[b].end.kind == facts::Terminator::Return; });
      }
      if (makes && passes && !alwaysMakes(code, block.end.successors, making))
        return true;
    }
    return false;
  }

private:
  bool isCallOf(const Instruction &i, FunctionId target, int depth) {
    return i.opcode == Opcode::Call && program_.leadsTo(target, maker_, depth);
  }

  /// Each way comes by where it is made, as around a loop that is run before.
  bool alwaysMakes(const Function &code, const std::vector<BlockId> &ways, const std::set<BlockId> &making) {
    return std::none_of(ways.begin(), ways.end(), [&](BlockId way) {
      return !reaches(code, way, {}, [&](BlockId b) { return making.count(b) != 0; });
    });
  }

  static bool reaches(const Function &code, BlockId from, const std::set<BlockId> &avoiding,
                      const std::function<bool(BlockId)> &goal) {
    std::vector<BlockId> open{from};
    std::set<BlockId> seen;
    while (!open.empty()) {
      const BlockId block = open.back();
      open.pop_back();
      if (block >= code.blocks.size() || avoiding.count(block) || !seen.insert(block).second)
        continue;
      if (goal(block))
        return true;
      const std::vector<BlockId> &next = code.blocks[block].end.successors;
      open.insert(open.end(), next.begin(), next.end());
    }
    return false;
  }

  /// What decides is in the facts: a member, a size, whether something is defined.
  static bool isSeen(const Function &code, Slot slot, int depth = 0) {
    if (slot == facts::kNone || depth > kDeepest)
      return false;
    if (slot < code.paramCount)
      return true;
    for (const Block &block : code.blocks)
      for (const Instruction &i : block.instructions) {
        if (i.dest != slot)
          continue;
        switch (i.opcode) {
        case Opcode::Unknown:
        case Opcode::CallUnknown:
        case Opcode::Call:
        case Opcode::CallValue:
        case Opcode::DeviceOf:
        case Opcode::CurrentDevice:
          return false;
        case Opcode::Compare:
        case Opcode::Compute:
        case Opcode::Not:
        case Opcode::Part:
        case Opcode::Copy:
          if (!std::all_of(i.args.begin(), i.args.end(),
                           [&](const facts::Operand &part) { return isSeen(code, part.slot, depth + 1); }))
            return false;
          break;
        case Opcode::Asked: // of what facts know nothing of, but for an answer that comes with it
          if (i.args.empty() || i.args.back().name != "answer" || !isSeen(code, i.args.back().slot, depth + 1))
            return false;
          break;
        default:
          break;
        }
      }
    return true;
  }

  const ProgramIndex &program_;
  FunctionId maker_;
  facts::SourceId at_;
};

} // namespace

bool isSkippedUnseen(const ProgramIndex &program, FunctionId function, FunctionId maker, facts::SourceId at) {
  return Upkeep(program, maker, at).isSkippedUnseen(function);
}

} // namespace samedevice::analysis
