#include "FactWriter.h"

#include "../facts/Names.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Mode;
using facts::Opcode;
using facts::Operand;
using facts::Slot;
using facts::Terminator;

// --- Slots. -------------------------------------------------------------------------------------------------------

Slot FactWriter::newSlot(QualType type, StringRef name, facts::SourceId source) {
  function_.slots.push_back(unit_.slot(type, name, source));
  return static_cast<Slot>(function_.slots.size() - 1);
}

Slot FactWriter::newSlot(facts::Type type) {
  function_.slots.emplace_back();
  function_.slots.back().type = type;
  return static_cast<Slot>(function_.slots.size() - 1);
}

Slot FactWriter::newPlace(Slot slot) {
  this->slot(slot).reference = true;
  return slot;
}

Operand FactWriter::operand(Slot slot, const Stmt *at, StringRef name) {
  Operand made;
  made.slot = slot;
  made.source = source(at);
  made.name = name.str();
  return made;
}

// --- Blocks. ------------------------------------------------------------------------------------------------------

facts::BlockId FactWriter::newBlock() {
  function_.blocks.emplace_back();
  return static_cast<facts::BlockId>(function_.blocks.size() - 1);
}

void FactWriter::jump(facts::BlockId from, facts::BlockId to) {
  end(from).kind = Terminator::Jump;
  end(from).successors = {to};
}

void FactWriter::require(Slot condition) {
  facts::BlockId next = newBlock(), never = newBlock();
  end().kind = Terminator::Branch;
  end().slot = condition;
  end().successors = {next, never};
  enter(next);
}

void FactWriter::requireOn(Slot place, StringRef device, const Stmt *at) {
  if (place == kNone)
    return;
  bool isCpu = device == "cpu";
  Slot test = newSlot(facts::Type::Bool);
  emit(isCpu ? Opcode::IsCpu : Opcode::IsCuda, test, {operand(place, at)}, at);
  require(test);
  if (!device.contains(':'))
    return;
  Slot wanted = this->device(nullptr, device), same = newSlot(facts::Type::Bool);
  emit(Opcode::SameDevice, same, {operand(place, at), operand(wanted, at)}, at);
  require(same);
}

// --- Instructions. ------------------------------------------------------------------------------------------------

facts::Instruction &FactWriter::emit(Opcode opcode, Slot dest, Operands args, const Stmt *at, StringRef text) {
  facts::Instruction &added = instructions().emplace_back();
  added.opcode = opcode;
  added.dest = dest;
  added.args = std::move(args);
  added.text = text.str();
  added.source = source(at);
  return added;
}

void FactWriter::markOmitted(Slot device) {
  if (device != kNone && function_.slots[device].type == facts::Type::Device)
    for (facts::Instruction &made : instructions())
      if (made.dest == device)
        made.flags |= facts::kOmitted;
}

facts::Instruction &FactWriter::emit(Opcode opcode, Slot dest, Operands args, const Stmt *at, Mode mode) {
  facts::Instruction &added = emit(opcode, dest, std::move(args), at);
  added.mode = mode;
  return added;
}

facts::Instruction &FactWriter::emitResult(Opcode opcode, const Expr *expr, Operands args, StringRef text) {
  Slot dest = expr->getType()->isVoidType() ? kNone : newSlot(expr->getType(), "", 0);
  return emit(opcode, dest, std::move(args), expr, text);
}

Slot FactWriter::result(Opcode opcode, const Expr *expr, Operands args, StringRef text, std::uint32_t flags) {
  facts::Instruction &made = emitResult(opcode, expr, std::move(args), text);
  made.flags = flags;
  return made.dest;
}

Slot FactWriter::result(Opcode opcode, const Expr *expr, Operands args, Mode mode) {
  facts::Instruction &made = emitResult(opcode, expr, std::move(args));
  made.mode = mode;
  return made.dest;
}

/// A number that counts no GPUs: an enumeration's, or what has become of a fraction.
static bool isPlain(const Expr *expr) {
  if (expr->getType()->isEnumeralType())
    return true;
  if (const auto *call = dyn_cast<CallExpr>(expr)) // lround(x)
    return expr->getType()->isIntegerType() && call->getNumArgs() == 1 && call->getArg(0)->getType()->isFloatingType();
  const auto *cast = dyn_cast<CastExpr>(expr);
  return cast && cast->getCastKind() == CK_FloatingToIntegral;
}

Slot FactWriter::unknown(const Expr *expr, Operands of) {
  if (unit_.types().of(expr->getType()).type == facts::Type::Other)
    return kNone;
  Slot slot = result(Opcode::Unknown, expr, std::move(of));
  if (isPlain(expr))
    instructions().back().flags |= facts::kPlain;
  unknowns_.insert(slot);
  return slot;
}

Slot FactWriter::null(const Expr *expr) { return result(Opcode::Null, expr, {}); }

Slot FactWriter::device(const Expr *at, StringRef text, bool isShared) {
  unit_.mentionDevice();
  Slot dest = newSlot(facts::Type::Device);
  isShared = isShared || (at && unit_.context().getSourceManager().isMacroBodyExpansion(at->getBeginLoc()));
  emit(Opcode::Device, dest, {}, at, text).flags = isShared ? facts::kShared : 0u;
  return dest;
}

Slot FactWriter::field(Slot base, StringRef name, QualType type, const Stmt *at) {
  if (base == kNone)
    return kNone;
  Slot place = newPlace(newSlot(type, "", 0));
  emit(Opcode::Field, place, {operand(base, nullptr)}, at, name);
  return place;
}

Slot FactWriter::field(Slot base, StringRef name, facts::Type type, const Stmt *at) {
  if (base == kNone)
    return kNone;
  Slot place = newPlace(newSlot(type));
  emit(Opcode::Field, place, {operand(base, nullptr)}, at, name);
  return place;
}

Slot FactWriter::element(Slot list, QualType type, const Stmt *at, Mode which, Operand index) {
  if (!hasElements(list))
    return list;
  Operands args{operand(list, nullptr)};
  if (index.slot != kNone)
    args.push_back(std::move(index));
  Slot place = newPlace(newSlot(type, "", 0));
  emit(Opcode::Element, place, std::move(args), at, which);
  return place;
}

void FactWriter::assign(Slot place, Operand value, const Stmt *at, Mode how) {
  if (place == kNone)
    return;
  if (value.slot == kNone) {
    value.slot = newSlot(slot(place).type);
    emit(Opcode::Unknown, value.slot, {}, at);
  }
  emit(Opcode::Assign, kNone, {operand(place, at), std::move(value)}, at, how);
}

void FactWriter::assign(Slot place, Operand value, const Stmt *at) { assign(place, std::move(value), at, Mode::None); }

void FactWriter::assign(Slot place, Operand value, const Stmt *at, QualType type) {
  assign(place, std::move(value), at, unit_.types().isValue(type) ? Mode::Contents : Mode::None);
}

void FactWriter::moveInto(Slot variable, Slot value, const Stmt *at, bool canBecome) {
  if (value == kNone) {
    if (slot(variable).type != facts::Type::Other)
      emit(Opcode::Unknown, variable, {}, at);
    return;
  }
  const facts::SlotInfo &info = slot(value);
  if (canBecome && info.name.empty() && !info.reference && value >= function_.paramCount) {
    std::vector<facts::Instruction> &written = instructions();
    size_t made = written.size();
    for (size_t i = written.size(); i-- > 0;)
      if (written[i].dest == value && !(written[i].flags & facts::kGuess)) { // which may be left out
        made = i;
        break;
      }
    if (made < written.size()) {
      for (size_t i = made; i < written.size(); ++i) {
        if (written[i].dest == value)
          written[i].dest = variable;
        for (Operand &argument : written[i].args)
          if (argument.slot == value)
            argument.slot = variable;
      }
      return;
    }
  }
  emit(Opcode::Copy, variable, {operand(value, at)}, at);
}

// --- After all is written. ----------------------------------------------------------------------------------------

void FactWriter::dropUnusedTemporaries() {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<unsigned> uses(function_.slots.size());
    auto use = [&](Slot slot) {
      if (slot < uses.size())
        ++uses[slot];
    };
    for (const facts::Block &block : function_.blocks) {
      use(block.end.slot);
      for (const facts::Instruction &instruction : block.instructions)
        for (const Operand &argument : instruction.args)
          use(argument.slot);
    }
    for (facts::Block &block : function_.blocks) {
      auto &list = block.instructions;
      auto isIdle = [&](const facts::Instruction &instruction) {
        Slot dest = instruction.dest;
        // What nobody looks at but was written to change something is a mistake.
        return facts::isPure(instruction.opcode) && !(instruction.flags & facts::kDiscarded) && dest != kNone &&
               dest >= function_.paramCount && uses[dest] == 0 && function_.slots[dest].name.empty();
      };
      size_t before = list.size();
      list.erase(std::remove_if(list.begin(), list.end(), isIdle), list.end());
      changed = changed || list.size() != before;
    }
  }
}

} // namespace samedevice::clangfront
