// Operators of the language: arithmetic, memory, assignment.
#include "FunctionLowering.h"

#include "../facts/Names.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

Slot FunctionLowering::unary(const UnaryOperator *op) {
  const Expr *operand = op->getSubExpr();
  switch (op->getOpcode()) {
  case UO_AddrOf: {
    const Expr *inner = stripped(operand);
    if (const auto *ref = dyn_cast<DeclRefExpr>(inner); ref && isa<FunctionDecl>(ref->getDecl()))
      return value(inner);
    if (const auto *ref = dyn_cast<DeclRefExpr>(inner); ref && isa<FieldDecl>(ref->getDecl()))
      return facts_.result(Opcode::Const, op, {}, ref->getDecl()->getName()); // &Batch::lengths
    Slot place = value(operand);
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(inner); subscript && place != kNone)
      return place;
    facts::Type type = typeOf(op);
    if (type == facts::Type::Pointer && typeOf(operand) != facts::Type::Pointer)
      return facts_.result(Opcode::Allocate, op, {}, Mode::Host); // the address of a scalar of our own
    return place;
  }
  case UO_Deref:
    return dereference(op, operand, nullptr);
  case UO_LNot: {
    Slot test = value(operand);
    if (facts_.isUnknown(test) || facts_.slot(test).type != facts::Type::Bool)
      return facts_.unknown(op);
    Slot slot = facts_.newSlot(facts::Type::Bool);
    facts_.emit(Opcode::Not, slot, {facts_.operand(test, operand)}, op);
    return slot;
  }
  case UO_PreInc:
  case UO_PreDec:
  case UO_PostInc:
  case UO_PostDec: {
    Slot place = value(operand);
    facts::Type type = typeOf(operand);
    if (place == kNone)
      return kNone;
    bool isIterator = facts_.slot(place).type == facts::Type::List || survey_.isLoopIndex(operand) ||
                      (op->isIncrementOp() && survey_.isCounter(operand));
    if (isIterator) {
      facts_.emit(Opcode::Advance, kNone, {facts_.operand(place, operand)}, op);
      return place;
    }
    if (type == facts::Type::Int) {
      Slot before = kNone;
      if (op->isPostfix() && !survey_.isDiscarded(op)) {
        before = facts_.newSlot(facts::Type::Int);
        facts_.emit(Opcode::Copy, before, {facts_.operand(place, operand)}, op);
      }
      Slot next = facts_.newSlot(facts::Type::Int);
      if (lowered_ && !isInLoop()) {
        const Slot one = facts_.newSlot(facts::Type::Int);
        facts_.emit(Opcode::Const, one, {}, op).number = 1;
        facts_.emit(Opcode::Compute, next, {facts_.operand(place, operand), facts_.operand(one, op)}, op,
                    op->isIncrementOp() ? Mode::Plus : Mode::Minus);
      } else {
        facts_.emit(Opcode::Unknown, next, {facts_.operand(place, operand)}, op);
      }
      facts_.emit(Opcode::Assign, kNone, {facts_.operand(place, operand), facts_.operand(next, op)}, op);
      if (before != kNone)
        return before;
    }
    return place; // a pointer moved by one element is a pointer into the same memory
  }
  default:
    if (const auto number = op->getOpcode() == UO_Minus ? constantInt(op, unit_.context()) : std::nullopt) {
      const Slot below = facts_.newSlot(facts::Type::Int);
      facts_.emit(Opcode::Const, below, {}, op).number = *number;
      return below;
    }
    return unknownOf(op, {operand});
  }
}

/// A number of which nothing is known but what it was made of.
Slot FunctionLowering::unknownOf(const Expr *whole, llvm::ArrayRef<const Expr *> parts) {
  Operands of;
  for (const Expr *part : parts)
    of.push_back(operand(part));
  return typeOf(whole) == facts::Type::Int ? facts_.unknown(whole, std::move(of)) : facts_.unknown(whole);
}

Slot FunctionLowering::dereference(const Expr *whole, const Expr *pointer, const Expr *index) {
  Slot base = value(pointer);
  if (index)
    value(index);
  facts::Type pointerType = typeOf(pointer);
  if (base != kNone && facts_.slot(base).type == facts::Type::List && typeOf(whole) != facts::Type::List)
    pointerType = facts::Type::List;
  if (pointerType == facts::Type::Pointer) {
    facts::Type type = typeOf(whole);
    if (base == kNone)
      return facts_.unknown(whole);
    bool isRow = type == facts::Type::Pointer && whole->getType()->isArrayType();
    if (isRow)
      return base; // a[i] of a two-dimensional array
    if (survey_.isAddressOnly(whole)) {
      Slot moved = facts_.newSlot(facts::Type::Pointer);
      facts_.emit(Opcode::PointerOffset, moved, {facts_.operand(base, pointer)}, whole);
      return moved;
    }
    QualType pointee = pointer->getType().getNonReferenceType();
    bool isPointerToPointer = pointee->isPointerType() && pointee->getPointeeType()->isPointerType();
    if (isPointerToPointer) // of an array of pointers each is its own, whatever memory the array is; else the place
                            // `&p` named
      return index ? element(base, index, whole->getType(), whole) : base;
    std::uint32_t flags = survey_.isWrittenTo(whole) ? facts::kWrite : 0u;
    facts_.emit(Opcode::HostRead, kNone, {facts_.operand(base, pointer)}, whole, "dereference").flags = flags;
    return facts_.unknown(whole);
  }
  if (pointerType == facts::Type::List) {
    if (base == kNone)
      return facts_.unknown(whole);
    return element(base, index, whole->getType(), whole);
  }
  if (index && base != kNone) // an array behind a transparent pointer
    return element(base, index, whole->getType(), whole);
  return base == kNone ? facts_.unknown(whole) : base;
}

Slot FunctionLowering::binary(const BinaryOperator *op) {
  const Expr *left = op->getLHS(), *right = op->getRHS();
  if (op->isLogicalOp()) {
    if (auto found = merges_.find(op); found != merges_.end())
      return found->second;
    return op->getOpcode() == BO_LAnd ? chooseInline(op, left, right, nullptr) : chooseInline(op, left, nullptr, right);
  }
  if (op->getOpcode() == BO_Comma) {
    value(left);
    return value(right);
  }
  if (op->getOpcode() == BO_Assign) {
    assignTo(left, right, op);
    return value(left);
  }
  if (op->isCompoundAssignmentOp()) {
    const Slot by = value(right), place = value(left);
    if (place != kNone && typeOf(left) != facts::Type::Pointer && typeOf(left) != facts::Type::Other) {
      const Slot next = compound(op, place, by);
      facts_.emit(Opcode::Assign, kNone, {facts_.operand(place, left), facts_.operand(next, op)}, op);
    }
    return place;
  }
  if (op->isComparisonOp())
    return compare(op, op->getOpcode(), left, right);
  if (op->isPtrMemOp())
    return memberNamed(op);
  Slot first = value(left), second = value(right);
  auto isMemory = [&](const Expr *side, Slot slot) {
    return typeOf(side) == facts::Type::Pointer || (slot != kNone && facts_.slot(slot).type == facts::Type::Pointer);
  };
  if (op->isAdditiveOp() && op->getType()->isPointerType() && (isMemory(left, first) || isMemory(right, second))) {
    bool pointerLeft = isMemory(left, first);
    Slot base = pointerLeft ? first : second;
    if (base == kNone)
      return facts_.unknown(op);
    Slot moved = facts_.newSlot(facts::Type::Pointer);
    facts_.emit(Opcode::PointerOffset, moved, {facts_.operand(base, pointerLeft ? left : right)}, op);
    return moved;
  }
  if (auto constant = typeOf(op) == facts::Type::Int ? constantInt(op, unit_.context()) : std::nullopt) {
    Slot slot = facts_.newSlot(facts::Type::Int);
    facts_.emit(Opcode::Const, slot, {}, op).number = *constant;
    return slot;
  }
  const bool isNumber = typeOf(op) == facts::Type::Int && typeOf(left) == facts::Type::Int &&
                        typeOf(right) == facts::Type::Int && first != kNone && second != kNone;
  if (isNumber && (op->isAdditiveOp() || op->isMultiplicativeOp()))
    return facts_.result(Opcode::Compute, op, {facts_.operand(first, left), facts_.operand(second, right)},
                         *facts::modeNamed(Opcode::Compute, BinaryOperator::getOpcodeStr(op->getOpcode())));
  return isNumber ? facts_.unknown(op, {facts_.operand(first, left), facts_.operand(second, right)})
                  : facts_.unknown(op);
}

/// What `place` becomes: `waiting |= x.is_cuda()` keeps account of devices, of other operators nothing is known.
Slot FunctionLowering::compound(const BinaryOperator *op, Slot place, Slot by) {
  const bool isOr = op->getOpcode() == BO_OrAssign;
  const bool isLogical = (isOr || op->getOpcode() == BO_AndAssign) && typeOf(op->getLHS()) == facts::Type::Bool;
  auto madeOf = [&]() -> Operands {
    if (typeOf(op->getLHS()) != facts::Type::Int)
      return {};
    return {facts_.operand(place, op->getLHS()), facts_.operand(by, op->getRHS())};
  };
  if (!isLogical || by == kNone || facts_.slot(by).type != facts::Type::Bool)
    return facts_.result(Opcode::Unknown, op, madeOf());
  auto before = [&] { return facts_.operand(place, op->getLHS()); };
  auto other = [&] { return facts_.operand(by, op->getRHS()); };
  return isOr ? choose(op, place, before, other) : choose(op, place, other, before);
}

/// `batch.*member`: the member that a pointer to one names.
Slot FunctionLowering::memberNamed(const BinaryOperator *access) {
  Slot base = value(access->getLHS()), name = value(access->getRHS());
  if (base == kNone || name == kNone)
    return facts_.unknown(access);
  Slot place = facts_.newSlot(access->getType(), "", 0);
  facts_.slot(place).reference = true;
  facts_
      .emit(Opcode::Field, place, {facts_.operand(base, access->getLHS()), facts_.operand(name, access->getRHS())},
            access)
      .flags = survey_.isWrittenTo(access) ? facts::kWrite : 0u;
  return place;
}

Slot FunctionLowering::merged(const Expr *expr) {
  if (auto found = merges_.find(expr); found != merges_.end())
    return found->second;
  if (const auto *choice = dyn_cast<ConditionalOperator>(expr))
    return chooseInline(choice, choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr());
  const auto *choice = cast<BinaryConditionalOperator>(expr);
  value(choice->getCommon());
  return facts_.unknown(expr);
}

// --- Assignment. --------------------------------------------------------------------------------------------------

void FunctionLowering::assignTo(const Expr *target, const Expr *source, const Expr *whole) {
  if (kindOf(target).type == facts::Type::Guard)
    endOwned(target, whole);
  Operand assigned = operand(source);
  Slot place = value(target);
  if (place == kNone)
    return;
  if (typeOf(target) == facts::Type::Other) {
    const QualType type = target->getType();
    if (!mayHoldUnknown(type))
      return;
    if (!mayHoldUnknown(source->getType()) && !isNullLiteral(source)) // an optional is given what it is to hold
      assigned.slot = facts_.result(Opcode::Object, source, {});
  }
  const Expr *to = stripped(target);
  bool throughPointer = typeOf(to) != facts::Type::Pointer &&
                        (isa<ArraySubscriptExpr>(to) || (isa<UnaryOperator>(to))) && facts_.slot(place).name.empty() &&
                        !facts_.slot(place).reference;
  if (throughPointer)
    return; // p[i] = v: the write is on record, the element is no place of ours
  const auto *variable = dyn_cast<DeclRefExpr>(to);
  const bool isOwnPointer =
      target->getType()->isPointerType() ||
      (variable && !variable->getDecl()->getType()->isReferenceType() && pointsToTensor(target->getType()));
  if (!facts_.slot(place).name.empty() && facts_.slot(place).reference && isOwnPointer && assigned.slot != kNone) {
    facts_.emit(Opcode::Bind, place, {assigned}, whole); // a pointer variable now points elsewhere
    return;
  }
  if (isa<MemberExpr>(to) && pointsToTensor(target->getType()) && assigned.slot != kNone) { // so does a member
    facts_.emit(Opcode::Bind, kNone, {facts_.operand(place, target), assigned}, whole);
    return;
  }
  facts_.assign(place, std::move(assigned), whole, target->getType());
}

void FunctionLowering::assignTie(const CallExpr *tie, const Expr *source, const Expr *whole) {
  Slot tuple = value(source);
  for (unsigned i = 0; i < tie->getNumArgs(); ++i) {
    const Expr *target = tie->getArg(i);
    if (typeOf(target) == facts::Type::Other)
      continue;
    Slot part = tuple == kNone ? kNone : facts_.field(tuple, std::to_string(i), target->getType(), whole);
    facts_.assign(value(target), facts_.operand(part, whole), whole, target->getType());
  }
}

} // namespace samedevice::clangfront
