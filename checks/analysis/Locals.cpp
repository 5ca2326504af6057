#include "Locals.h"
#include "Limits.h"

#include <algorithm>

namespace samedevice::analysis {

static bool reads(const Instruction &i, Slot slot) {
  return i.opcode != Opcode::End && i.opcode != Opcode::Reopen && i.opcode != Opcode::Size &&
         i.opcode != Opcode::Asked &&
         std::any_of(i.args.begin(), i.args.end(), [&](const Operand &operand) { return operand.slot == slot; });
}

const Instruction *onlyMaker(const Function &code, Slot slot, bool mayChange) {
  const Instruction *found = nullptr;
  for (const facts::Block &block : code.blocks)
    for (const Instruction &i : block.instructions) {
      const bool isChanged = !mayChange && i.opcode == Opcode::Assign && !i.args.empty() && i.args[0].slot == slot;
      if (isChanged || (i.dest == slot && found))
        return nullptr;
      if (i.dest == slot)
        found = &i;
    }
  return found;
}

const Instruction *elementBehind(const Function &code, Slot slot) {
  const Instruction *made = onlyMaker(code, slot, true);
  if (made && made->opcode == Opcode::Bind && !made->args.empty())
    made = onlyMaker(code, made->args[0].slot, true);
  return made && made->opcode == Opcode::Element && !made->args.empty() ? made : nullptr;
}

static bool isOwnVariable(const Function &code, Slot slot) {
  return slot < code.slots.size() && slot >= code.paramCount && !code.slots[slot].name.empty() &&
         !code.slots[slot].reference;
}

const Instruction *makingOf(const Function &code, Slot variable) {
  return isOwnVariable(code, variable) ? onlyMaker(code, variable) : nullptr;
}

/// How often a slot is looked at, but for its sizes.
static int timesRead(const Function &code, Slot slot) {
  int times = 0;
  for (const facts::Block &block : code.blocks) {
    for (const Instruction &i : block.instructions)
      times += reads(i, slot);
    times += block.end.slot == slot;
  }
  return times;
}

SourceId madeFor(const Function &code, const Instruction &use, SourceId operand) {
  auto given = std::find_if(use.args.begin(), use.args.end(),
                            [&](const Operand &one) { return one.source == operand && one.slot != facts::kNone; });
  if (given == use.args.end())
    return 0;
  Slot slot = given->slot;
  // `net->forward(frame.unsqueeze(0))` is about the frame.
  for (int hops = 0; slot < code.slots.size() && code.slots[slot].name.empty(); ++hops) {
    const Instruction *view = onlyMaker(code, slot);
    if (!view || hops > Limits::hops || view->opcode != Opcode::View || view->args.empty() ||
        timesRead(code, slot) != 1)
      return 0;
    slot = view->args[0].slot;
  }
  const Instruction *made = makingOf(code, slot);
  if (!made || code.slots[slot].type != facts::Type::Tensor || timesRead(code, slot) != 1)
    return 0;
  SourceId written = made->source;
  if (made->opcode == Opcode::Copy && !made->args.empty()) {
    written = made->args[0].source;
    made = makingOf(code, made->args[0].slot) ? nullptr : onlyMaker(code, made->args[0].slot);
  }
  const bool isMade = made && (made->opcode == Opcode::Op || made->opcode == Opcode::View ||
                               made->opcode == Opcode::New || made->opcode == Opcode::Call);
  return isMade ? written : 0;
}

SourceId madeFor(const Function &code, SourceId use, SourceId operand) {
  for (const facts::Block &block : code.blocks)
    for (const Instruction &i : block.instructions)
      if (i.source == use)
        if (const SourceId made = madeFor(code, i, operand))
          return made;
  return 0;
}

Slot copyOfTurn(const Function &code, const Instruction &assign) {
  Slot variable = assign.args.empty() ? facts::kNone : assign.args[0].slot;
  int hops = 0; // `auto x = x;` leads nowhere
  for (const Instruction *place = nullptr; variable < code.slots.size() && code.slots[variable].name.empty();
       variable = place->args[0].slot) {
    place = onlyMaker(code, variable, true);
    if (!place || place->opcode != Opcode::Field || place->args.empty() || ++hops > Limits::hops)
      return facts::kNone;
  }
  const Instruction *made = isOwnVariable(code, variable) ? onlyMaker(code, variable, true) : nullptr;
  while (made && (made->opcode == Opcode::Clone || made->opcode == Opcode::Copy) && !made->args.empty() &&
         ++hops <= Limits::hops)
    made = onlyMaker(code, made->args[0].slot);
  const bool isElement =
      made && made->opcode == Opcode::Element && made->args.size() == 1 && made->args[0].slot < code.slots.size();
  // The iterator of `for (auto each : all)`, which the language itself names.
  return isElement && code.slots[made->args[0].slot].name.starts_with("__begin") ? variable : facts::kNone;
}

} // namespace samedevice::analysis
