// What the text of the functions says of calls and their results, and of where pointers and lists go: asked for
// findings, whatever was executed.
#include "Blocks.h"
#include "Limits.h"
#include "ProgramIndex.h"

#include <algorithm>
#include <set>
#include <vector>

namespace samedevice::analysis {

/// Where the function has a call whose target is one of these, if in one place; else 0.
template <typename IsMeant> static SourceId onlyCallOf(const Function &caller, SourceId but, const IsMeant &isMeant) {
  SourceId found = 0;
  for (const facts::Block &block : caller.blocks)
    for (const Instruction &i : block.instructions) {
      if (!isCall(i) || (but && i.source == but) || std::none_of(i.targets.begin(), i.targets.end(), isMeant))
        continue;
      if (found && found != i.source)
        return 0;
      found = i.source;
    }
  return found;
}

SourceId ProgramIndex::onlyCall(FunctionId caller, FunctionId callee) const {
  return onlyCallOf(functions[caller], 0, [&](FunctionId target) { return target == callee; });
}

SourceId ProgramIndex::onlyCallTowards(FunctionId caller, FunctionId callee, SourceId but) const {
  return onlyCallOf(functions[caller], but, [&](FunctionId target) { return leadsTo(target, callee); });
}

bool ProgramIndex::isCalledOnlyBy(FunctionId callee, FunctionId caller) const {
  auto calls = [&](const Instruction &i) {
    return i.opcode == Opcode::Call && std::find(i.targets.begin(), i.targets.end(), callee) != i.targets.end();
  };
  for (FunctionId other = 0; other < functions.size(); ++other)
    if (hasInstruction(functions[other], calls) != (other == caller))
      return false;
  return true;
}

bool ProgramIndex::leadsTo(FunctionId function, FunctionId goal, int depth) const {
  std::set<FunctionId> seen{function};
  for (std::vector<FunctionId> level{function}; !level.empty() && depth <= Limits::towards; ++depth) {
    std::vector<FunctionId> next;
    for (FunctionId f : level)
      if (f < functions.size())
        for (const facts::Block &block : functions[f].blocks)
          for (const Instruction &i : block.instructions)
            if (i.opcode == Opcode::Call)
              std::copy_if(i.targets.begin(), i.targets.end(), std::back_inserter(next),
                           [&](FunctionId target) { return seen.insert(target).second; });
    level = std::move(next);
  }
  return seen.count(goal) != 0;
}

namespace {

/// The calls of a helper in one function, by what becomes of their results.
struct ByResult {
  std::set<SourceId> moved, unmoved;
};

void callsOf(const Function &caller, FunctionId helper, ByResult &calls) {
  for (const facts::Block &block : caller.blocks)
    for (const Instruction &i : block.instructions) {
      if (!isCall(i) || std::find(i.targets.begin(), i.targets.end(), helper) == i.targets.end())
        continue;
      const bool isMoved =
          std::any_of(block.instructions.begin(), block.instructions.end(), [&](const Instruction &next) {
            return next.opcode == Opcode::Move && !next.args.empty() && next.args[0].slot == i.dest;
          });
      (isMoved ? calls.moved : calls.unmoved).insert(i.source);
    }
}

} // namespace

SourceId ProgramIndex::onlyUnmovedCall(FunctionId caller, FunctionId helper) const {
  ByResult calls;
  callsOf(functions[caller], helper, calls);
  return !calls.moved.empty() && calls.unmoved.size() == 1 ? *calls.unmoved.begin() : 0;
}

SourceId ProgramIndex::callLeftUnmoved(FunctionId caller, FunctionId helper) const {
  ByResult calls, all;
  callsOf(functions[caller], helper, calls);
  if (calls.unmoved.size() != 1)
    return 0;
  for (const Function &function : functions)
    callsOf(function, helper, all);
  return all.moved.empty() ? 0 : *calls.unmoved.begin();
}

SourceId ProgramIndex::callOfLambda(FunctionId function) const {
  if (!isLambda(functions[function]))
    return 0;
  ByResult calls;
  for (const Function &caller : functions)
    callsOf(caller, function, calls);
  calls.unmoved.merge(calls.moved);
  return calls.unmoved.size() == 1 ? *calls.unmoved.begin() : 0;
}

bool ProgramIndex::learnsBefore(FunctionId function, SourceId call) const {
  auto steps = [](const Instruction &i) { return i.opcode == Opcode::OptimizerStep; };
  std::vector<FunctionId> learning;
  for (FunctionId f = 0; f < functions.size(); ++f)
    if (hasInstruction(functions[f], steps))
      learning.push_back(f);
  auto learns = [&](FunctionId target) {
    return std::any_of(learning.begin(), learning.end(), [&](FunctionId f) { return leadsTo(target, f); });
  };
  auto isIt = [&](const Instruction &i) { return i.source == call; };
  const Function &code = functions[function];
  std::vector<facts::BlockId> after; // the blocks that follow those in which something is learnt
  for (const facts::Block &block : code.blocks) {
    bool hasLearnt = false;
    for (const Instruction &i : block.instructions) {
      if (hasLearnt && isIt(i))
        return true;
      hasLearnt = hasLearnt || steps(i) || (isCall(i) && std::any_of(i.targets.begin(), i.targets.end(), learns));
    }
    if (hasLearnt)
      after.insert(after.end(), block.end.successors.begin(), block.end.successors.end());
  }
  return leads(
      code, after, [](const facts::Block &) { return false; },
      [&](const facts::Block &block) { return hasInstruction(block, isIt); });
}

bool ProgramIndex::isNeverMoved(FunctionId helper) const {
  ByResult calls;
  for (const Function &caller : functions)
    callsOf(caller, helper, calls);
  return calls.moved.empty() && calls.unmoved.size() > 1;
}

/// Lets each instruction of a function add to what is reached, until none does.
template <typename Reaches> static void spread(const Function &code, std::set<Slot> &slots, const Reaches &reaches) {
  std::size_t before = 0;
  do {
    before = slots.size();
    for (const facts::Block &block : code.blocks)
      for (const Instruction &i : block.instructions)
        reaches(i, slots);
  } while (before != slots.size());
}

SourceId ProgramIndex::listMoved(FunctionId function, SourceId move) const {
  const Function &code = functions[function];
  std::set<Slot> behind; // what was moved came out of these
  spread(code, behind, [&](const Instruction &i, std::set<Slot> &slots) {
    const bool isMove = i.opcode == Opcode::Move && i.source == move && !i.args.empty();
    if (isMove)
      slots.insert(i.args[0].slot);
    else if (i.dest != facts::kNone && slots.count(i.dest) && i.opcode != Opcode::List)
      for (const Operand &operand : i.args)
        slots.insert(operand.slot);
  });
  std::set<Slot> iterated;
  for (const facts::Block &block : code.blocks)
    for (const Instruction &i : block.instructions)
      if (i.opcode == Opcode::Iterate && behind.count(i.dest) && !i.args.empty())
        iterated.insert(i.args[0].slot);
  for (const facts::Block &block : code.blocks)
    for (const Instruction &i : block.instructions)
      if (i.opcode == Opcode::List && !i.args.empty() && iterated.count(i.dest))
        return i.source;
  return move;
}

bool ProgramIndex::isForDevice(FunctionId function, SourceId taken) const {
  const Function &code = functions[function];
  auto uses = [](const Instruction &i, const std::set<Slot> &slots) {
    return std::any_of(i.args.begin(), i.args.end(), [&](const Operand &o) { return slots.count(o.slot) != 0; });
  };
  std::set<Slot> pointers;
  spread(code, pointers, [&](const Instruction &i, std::set<Slot> &slots) {
    const bool hands = i.opcode == Opcode::PointerOffset || i.opcode == Opcode::Copy || i.opcode == Opcode::Assign;
    if ((i.opcode == Opcode::Pointer && i.source == taken) || (hands && uses(i, slots)))
      slots.insert(i.dest != facts::kNone ? i.dest : i.args[0].slot);
  });
  return hasInstruction(code, [&](const Instruction &i) {
    return (i.opcode == Opcode::DeviceUse || i.opcode == Opcode::Memcpy) && uses(i, pointers);
  });
}

} // namespace samedevice::analysis
