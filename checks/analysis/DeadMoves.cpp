#include "DeadMoves.h"
#include "Locals.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace samedevice::analysis {
using namespace facts;

/// One side of a choice from which a value may come: what it was made by, and in which block.
struct Side {
  const Block *block;
  const Instruction *made;
};

namespace {

/// Where a value comes from within its block: the instruction that made it.
const Instruction *makerOf(const Block &block, const Instruction *before, Slot slot) {
  const Instruction *maker = nullptr;
  for (const Instruction &i : block.instructions) {
    if (&i == before)
      break;
    if (i.dest == slot)
      maker = &i;
  }
  return maker;
}

/// Whether the instruction looks at a slot; of a record, at one member (or at all of it).
bool reads(const Instruction &i, Slot slot, const std::string &member = {}) {
  if (i.opcode == Opcode::Reopen || (i.opcode == Opcode::Field && !member.empty() && i.text != member))
    return false;
  for (std::size_t n = 0; n < i.args.size(); ++n)
    if (i.args[n].slot == slot && !(i.opcode == Opcode::Assign && n == 0) && i.opcode != Opcode::End)
      return true;
  return false;
}

/// Whether some path from after `from` reads the slot before it is given another value.
bool readLater(const Function &function, BlockId start, const Instruction *from, Slot slot,
               const std::string &member = {}) {
  std::vector<char> seen(function.blocks.size(), 0);
  std::vector<BlockId> work{start};
  bool first = true;
  while (!work.empty()) {
    BlockId id = work.back();
    work.pop_back();
    const Block &block = function.blocks[id];
    bool begun = !first, replaced = false;
    first = false;
    for (const Instruction &i : block.instructions) {
      if (!begun) {
        begun = &i == from;
        continue;
      }
      if (reads(i, slot, member))
        return true;
      bool assigned = i.opcode == Opcode::Assign && !i.args.empty() && i.args[0].slot == slot;
      if (i.dest == slot || assigned || (i.opcode == Opcode::End && !i.args.empty() && i.args[0].slot == slot)) {
        replaced = true;
        break;
      }
    }
    if (replaced)
      continue;
    if (block.end.slot == slot)
      return true;
    for (BlockId successor : block.end.successors)
      if (successor < seen.size() && !seen[successor]) {
        seen[successor] = 1;
        work.push_back(successor);
      }
  }
  return false;
}

/// `Entry layer(size_t i) const { return entries_[i]; }`: it hands out a copy of what its object keeps, and nothing
/// else.
bool handsOutCopy(const Program &program, const Function &getter) {
  if (getter.cls == kNone || getter.isStatic || getter.isConstructor || getter.isElsewhere || getter.result.reference ||
      program.isLambda(getter))
    return false;
  bool isAny = false;
  for (const Block &block : getter.blocks) {
    if (block.end.kind != Terminator::Return || block.end.slot == kNone)
      continue;
    const Instruction *handed = makerOf(block, nullptr, block.end.slot);
    while (handed && (handed->opcode == Opcode::Clone || handed->opcode == Opcode::Copy) && !handed->args.empty())
      handed = makerOf(block, handed, handed->args[0].slot);
    bool isKept = false;
    while (handed && (handed->opcode == Opcode::Element || handed->opcode == Opcode::Field) && !handed->args.empty()) {
      isKept = handed->args[0].slot == 0; // the object itself
      handed = makerOf(block, handed, handed->args[0].slot);
    }
    if (!isKept)
      return false;
    isAny = true;
  }
  return isAny;
}

bool callsForCopy(const Program &program, const Instruction &i) {
  return i.opcode == Opcode::Call && !i.targets.empty() &&
         std::all_of(i.targets.begin(), i.targets.end(), [&](FunctionId id) {
           return id < program.functions.size() && handsOutCopy(program, program.functions[id]);
         });
}

/// A parameter that is a reference: what it leads to lives on.
bool isGivenByReference(const Function &function, Slot slot) {
  return slot < function.paramCount && function.slots[slot].reference;
}

/// A local whose value is a copy of something that lives on: moving it moves nothing else. Of a structure it must be
/// the structure itself: a copy of what owns it (a shared_ptr) reaches the one that everybody has.
bool isCopy(const Program &program, const Function &function, Slot slot, Type type) {
  const SlotInfo &info = function.slots[slot];
  if (info.name.empty() || info.reference || info.type != type)
    return false;
  const bool isStructure = type == Type::Record;
  bool bound = false, copied = slot < function.paramCount && (!isStructure || info.own);
  for (const Block &block : function.blocks)
    for (const Instruction &i : block.instructions) {
      if (i.opcode == Opcode::Bind && reads(i, slot))
        bound = true;
      copied |= i.dest == slot && callsForCopy(program, i);
      const bool isMade = i.dest == slot && (i.opcode == Opcode::Clone || (i.opcode == Opcode::Copy && !isStructure));
      if (isMade && !i.args.empty()) {
        copied |= isGivenByReference(function, i.args[0].slot);
        const Instruction *source = makerOf(block, &i, i.args[0].slot);
        while (source && source->opcode == Opcode::Clone && !source->args.empty())
          source = makerOf(block, source, source->args[0].slot);
        copied |= source && (source->opcode == Opcode::Element || source->opcode == Opcode::Field ||
                             callsForCopy(program, *source));
      }
    }
  return copied && !bound;
}

/// Whether anybody can still look at what the local is a copy of: a member, something from outside, or a list that is
/// read later on. Else the move was for nothing, but nothing was missed either.
bool originalMatters(const Program &program, const Function &function, BlockId block, const Instruction *move,
                     Slot slot) {
  if (slot < function.paramCount)
    return true;
  for (const Block &other : function.blocks)
    for (const Instruction &i : other.instructions) {
      if (i.dest != slot || i.args.empty())
        continue;
      const bool isAsked = callsForCopy(program, i);
      if (i.opcode != Opcode::Copy && i.opcode != Opcode::Clone && !isAsked)
        continue;
      if (!isAsked && isGivenByReference(function, i.args[0].slot))
        return true;
      const Instruction *source = isAsked ? &i : makerOf(other, &i, i.args[0].slot);
      if (!source || source->args.empty())
        continue;
      Slot holder = source->args[0].slot;
      bool isLocal = holder < function.slots.size() && holder >= function.paramCount &&
                     !function.slots[holder].reference && !function.slots[holder].name.empty();
      if (!isLocal || readLater(function, block, move, holder))
        return true;
    }
  return false;
}

/// What a value that is there before an instruction was made by: one instruction, or of `narrow ? x.to(d, kFloat) :
/// x.to(d)` one for each side.
std::vector<Side> sidesOf(const Function &function, const Block &block, const Instruction *before, Slot slot) {
  if (const Instruction *maker = makerOf(block, before, slot))
    return {{&block, maker}};
  std::vector<Side> sides;
  if (slot >= function.slots.size() || !function.slots[slot].name.empty())
    return sides;
  for (const Block &end : function.blocks) {
    const Instruction *chosen = makerOf(end, nullptr, slot);
    const bool isCopied = chosen && chosen->opcode == Opcode::Copy && !chosen->args.empty();
    if (const Instruction *made = isCopied ? makerOf(end, chosen, chosen->args[0].slot) : nullptr)
      chosen = made;
    if (chosen)
      sides.push_back({&end, chosen});
  }
  return sides;
}

/// The member of a local record that an instruction names: its slot and the member.
const Instruction *memberOf(const Function &function, const Block &block, const Instruction *before, Slot slot) {
  const Instruction *place = makerOf(block, before, slot);
  bool isMember =
      place && place->opcode == Opcode::Field && !place->args.empty() && place->args[0].slot < function.slots.size();
  return isMember ? place : nullptr;
}

/// `sample.image = sample.image.to(d)` on a copy of the sample that nobody looks at again.
bool movesMemberOfCopy(const Program &program, const Function &function, BlockId id, const Instruction &assign,
                       const Side &side, Slot moved) {
  const Instruction *target = memberOf(function, function.blocks[id], &assign, assign.args[0].slot);
  const Instruction *source = memberOf(function, *side.block, side.made, moved);
  if (!target || !source || target->text != source->text || target->args[0].slot != source->args[0].slot)
    return false;
  Slot record = target->args[0].slot;
  return isCopy(program, function, record, Type::Record) && !readLater(function, id, &assign, record, target->text);
}

/// Whether some lambda object of this class has the member bound to a variable: captured by reference.
bool capturedByReference(const Program &program, ClassId lambda, const std::string &member) {
  for (const Function &function : program.functions)
    for (const Block &block : function.blocks)
      for (const Instruction &i : block.instructions) {
        if (i.opcode != Opcode::Bind || i.args.size() < 2)
          continue;
        const Instruction *place = makerOf(block, &i, i.args[0].slot);
        if (!place || place->opcode != Opcode::Field || place->text != member || place->args.empty())
          continue;
        const Instruction *object = makerOf(block, place, place->args[0].slot);
        if (object && object->opcode == Opcode::Object && !object->targets.empty() && object->targets[0] == lambda)
          return true;
      }
  return false;
}

/// In a lambda: a member that was captured by copy, and that its body only moves.
bool movesOwnCapture(const Program &program, const Function &function, BlockId id, const Instruction &assign,
                     const Side &side, Slot moved) {
  if (!program.isLambda(function))
    return false;
  const Instruction *target = makerOf(function.blocks[id], &assign, assign.args[0].slot);
  const Instruction *source = makerOf(*side.block, side.made, moved);
  bool own = target && source && target->opcode == Opcode::Field && source->opcode == Opcode::Field &&
             target->text == source->text && !target->args.empty() && target->args[0].slot == 0 &&
             !source->args.empty() && source->args[0].slot == 0;
  if (!own)
    return false;
  for (const FieldInfo &field : program.classes[function.cls].fields)
    if (field.slot.name == target->text && (field.slot.reference || field.slot.type != Type::Tensor))
      return false;
  if (capturedByReference(program, function.cls, target->text))
    return false;
  int mentions = 0;
  for (const Block &other : function.blocks)
    for (const Instruction &i : other.instructions)
      mentions += i.opcode == Opcode::Field && i.text == target->text && !i.args.empty() && i.args[0].slot == 0;
  return mentions == 2;
}

/// `for (auto &t : std::vector<Tensor>{a, b})`: what it leads to is in a list of copies, which is gone through here and
/// not looked at again.
bool isInListOfCopies(const Function &function, Slot slot) {
  if (!function.slots[slot].reference)
    return false;
  auto madeBy = [&](Slot made, Opcode how) -> const Instruction * {
    const Instruction *maker = onlyMaker(function, made, true);
    return maker && maker->opcode == how && !maker->args.empty() ? maker : nullptr;
  };
  const Instruction *element = elementBehind(function, slot);
  const Instruction *iterate = element ? madeBy(element->args[0].slot, Opcode::Iterate) : nullptr;
  if (!iterate)
    return false;
  Slot list = iterate->args[0].slot;
  if (const Instruction *range = madeBy(list, Opcode::Bind))
    list = range->args[0].slot;
  const Instruction *made = madeBy(list, Opcode::List);
  const bool areCopies =
      made && std::all_of(made->args.begin(), made->args.end(), [&](const Operand &item) {
        return item.slot < function.slots.size() && function.slots[item.slot].reference && !item.mayWrite;
      });
  if (!areCopies)
    return false;
  for (const Block &block : function.blocks) {
    if (block.end.slot == list)
      return false;
    for (const Instruction &i : block.instructions) {
      const bool isOfLoop = i.opcode == Opcode::Iterate || i.opcode == Opcode::End || i.opcode == Opcode::Reopen ||
                            ((i.opcode == Opcode::Copy || i.opcode == Opcode::Bind) && i.dest != kNone &&
                             function.slots[i.dest].type == Type::List);
      if (!isOfLoop && std::any_of(i.args.begin(), i.args.end(), [&](const Operand &arg) { return arg.slot == list; }))
        return false;
    }
  }
  return true;
}

/// What a value was made of by moving it: `t` of `t.contiguous().to(d) / 255`. None: it was not moved.
Slot movedIn(const Block &block, const Instruction *made) {
  bool isMoved = false;
  Slot of = kNone;
  while (made && !made->args.empty() &&
         (made->opcode == Opcode::Move || made->opcode == Opcode::View || made->opcode == Opcode::Op)) {
    isMoved |= made->opcode == Opcode::Move;
    of = made->args[0].slot;
    made = makerOf(block, made, of);
  }
  return isMoved ? of : kNone;
}

/// An assignment, to a copy, of what a move has made of that copy.
bool missesOriginal(const Program &program, const Function &function, BlockId id, const Instruction &assign,
                    const Side &side) {
  const Slot target = assign.args[0].slot;
  const Slot moved = movedIn(*side.block, side.made);
  if (moved == kNone)
    return false;
  const bool ofItself = target < function.slots.size() && moved == target;
  if (ofItself && isInListOfCopies(function, target) && !readLater(function, id, &assign, target))
    return true;
  // An entry of a map is its tensor here, however it is declared.
  return (ofItself && isCopy(program, function, target, function.slots[target].type) &&
          !readLater(function, id, &assign, target) && originalMatters(program, function, id, &assign, target)) ||
         movesMemberOfCopy(program, function, id, assign, side, moved) ||
         movesOwnCapture(program, function, id, assign, side, moved);
}

} // namespace

std::unordered_set<const Instruction *> deadMoves(const Program &program) {
  std::unordered_set<const Instruction *> dead;
  for (const Function &function : program.functions)
    for (BlockId id = 0; id < function.blocks.size(); ++id)
      for (const Instruction &i : function.blocks[id].instructions) {
        if (i.opcode != Opcode::Assign || i.args.size() < 2)
          continue;
        const std::vector<Side> sides = sidesOf(function, function.blocks[id], &i, i.args[1].slot);
        auto isMissed = [&](const Side &side) { return missesOriginal(program, function, id, i, side); };
        if (!sides.empty() && std::all_of(sides.begin(), sides.end(), isMissed))
          dead.insert(&i);
      }
  return dead;
}

} // namespace samedevice::analysis
