// Conditions: where things are, whether they are there at all, whether a loop goes on.
#include "FunctionLowering.h"

#include "../facts/Names.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Opcode;
using facts::Slot;

facts::Mode comparison(BinaryOperatorKind kind) {
  return facts::modeNamed(facts::Opcode::Compare, BinaryOperator::getOpcodeStr(kind)).value_or(facts::Mode::None);
}

// --- Iteration. ---------------------------------------------------------------------------------------------------

Slot FunctionLowering::iterate(const Expr *at, Slot list, const Expr *key) {
  if (list == kNone || loaders_.has(list))
    return list;
  Operands args{facts_.operand(list, at)};
  if (key)
    args.push_back(operand(key));
  Slot iterator = facts_.newSlot(at->getType(), "", 0);
  facts::SlotInfo &info = facts_.slot(iterator);
  info.type = facts::Type::List;
  info.element = facts_.slot(list).element;
  info.reference = false;
  facts_.emit(Opcode::Iterate, iterator, std::move(args), at, key ? Mode::Key : Mode::None);
  if (key && !isTold(key))
    facts_.instructions().back().flags |= facts::kUntold;
  return iterator;
}

Slot FunctionLowering::hasNext(const Expr *whole, const Expr *iterator) {
  Operand at = operand(iterator);
  if (at.slot == kNone)
    return facts_.unknown(whole);
  Slot more = facts_.newSlot(facts::Type::Bool);
  facts_.emit(Opcode::HasNext, more, {std::move(at)}, whole);
  return more;
}

Slot FunctionLowering::compare(const Expr *whole, BinaryOperatorKind kind, const Expr *left, const Expr *right) {
  if ((kind == BO_LT || kind == BO_NE) && survey_.isLoopIndex(left))
    return hasNext(whole, left);
  if ((kind == BO_NE || kind == BO_EQ) && isEnd(right)) {
    value(right);
    Slot more = hasNext(whole, left);
    if (kind == BO_NE || facts_.isUnknown(more))
      return more;
    Slot none = facts_.newSlot(facts::Type::Bool);
    facts_.emit(Opcode::Not, none, {facts_.operand(more, whole)}, whole);
    return none;
  }
  Slot first = value(left), second = value(right);
  bool isEquality = kind == BO_EQ || kind == BO_NE;
  if (kind == BO_EQ)
    if (Slot asked = memoryKindTest(whole, left, right); asked != kNone)
      return asked;
  auto answer = [&](Opcode opcode, Operands args, bool negate) {
    Slot slot = facts_.newSlot(facts::Type::Bool);
    facts_.emit(opcode, slot, std::move(args), whole);
    if (!negate)
      return slot;
    Slot negated = facts_.newSlot(facts::Type::Bool);
    facts_.emit(Opcode::Not, negated, {facts_.operand(slot, whole)}, whole);
    return negated;
  };
  if (isEquality && (isNullLiteral(left) || isNullLiteral(right))) {
    const Expr *tested = isNullLiteral(left) ? right : left;
    Slot slot = isNullLiteral(left) ? second : first;
    facts::Type type = typeOf(tested);
    if (slot == kNone || type == facts::Type::Pointer ||
        (type == facts::Type::Other && !mayHoldUnknown(tested->getType()) && !isStream(tested)))
      return facts_.unknown(whole);
    return answer(Opcode::IsDefined, {facts_.operand(slot, tested)}, kind == BO_EQ);
  }
  facts::Type leftType = typeOf(left), rightType = typeOf(right);
  if (isEquality && (leftType == facts::Type::Device || rightType == facts::Type::Device)) {
    for (auto [literal, other, slot] : {std::tuple(right, left, first), std::tuple(left, right, second)}) {
      const char *type = literalDeviceType(stripped(literal));
      if (!type || slot == kNone)
        continue;
      unit_.mentionDevice();
      if (StringRef(type) == "cuda")
        return answer(Opcode::IsCuda, {facts_.operand(slot, other)}, kind == BO_NE);
      if (StringRef(type) == "cpu")
        return answer(Opcode::IsCpu, {facts_.operand(slot, other)}, kind == BO_NE);
    }
    if (first == kNone || second == kNone)
      return facts_.unknown(whole);
    auto isType = [](const Expr *expr) {
      expr = stripped(expr);
      return expr && expr->getType()->isEnumeralType();
    };
    if (isType(left) && isType(right))
      return facts_.unknown(whole); // equal types do not make equal devices
    return answer(Opcode::SameDevice, {facts_.operand(first, left), facts_.operand(second, right)}, kind == BO_NE);
  }
  auto isDeviceIndex = [](const Expr *expr) {
    const auto *callExpr = dyn_cast_or_null<CXXMemberCallExpr>(stripped(expr));
    const CXXMethodDecl *method = callExpr ? callExpr->getMethodDecl() : nullptr;
    return method && method->getIdentifier() && (method->getName() == "get_device" || method->getName() == "index");
  };
  auto isOfTensor = [this](const Expr *expr) {
    const auto *callExpr = cast<CXXMemberCallExpr>(stripped(expr));
    return callExpr->getMethodDecl()->getName() == "get_device" &&
           typeOf(callExpr->getImplicitObjectArgument()) == facts::Type::Tensor;
  };
  if (isEquality && first != kNone && second != kNone && isDeviceIndex(left) && isDeviceIndex(right))
    return answer(Opcode::SameDevice, {facts_.operand(first, left), facts_.operand(second, right)}, kind == BO_NE);
  // `x.get_device() >= 0`: a tensor on the CPU has -1.
  if (const auto bound = isDeviceIndex(left) ? constantInt(right, unit_.context()) : std::nullopt;
      bound && first != kNone && isOfTensor(left)) {
    const std::int64_t none = -1;
    if ((kind == BO_GE && *bound == 0) || (*bound == none && (kind == BO_GT || kind == BO_NE)))
      return answer(Opcode::IsCuda, {facts_.operand(first, left)}, false);
    if ((kind == BO_LT && *bound == 0) || (*bound == none && (kind == BO_LE || kind == BO_EQ)))
      return answer(Opcode::IsCuda, {facts_.operand(first, left)}, true);
  }
  auto isPlain = [](facts::Type type) {
    return type == facts::Type::Int || type == facts::Type::String || type == facts::Type::Bool;
  };
  const bool countsGpus = survey_.countsGpus(left);
  if (countsGpus && facts_.isUnknown(second)) { // its turns are few all the same
    second = facts_.newSlot(facts::Type::Int);
    facts_.emit(Opcode::Unknown, second, {}, right);
  }
  const Mode how = comparison(kind);
  if (facts_.isUnknown(first) || facts_.isUnknown(second) || !isPlain(leftType) || !isPlain(rightType) ||
      how == Mode::None)
    return facts_.unknown(whole);
  Slot slot = facts_.newSlot(facts::Type::Bool);
  facts::Instruction &made =
      facts_.emit(Opcode::Compare, slot, {facts_.operand(first, left), facts_.operand(second, right)}, whole, how);
  made.number = countsGpus ? 2 : 0;
  return slot;
}

/// Marks what is part of a longer condition: `a` and `b` of `a && b`, the tests of an `if` right inside of another.
Slot FunctionLowering::partOfWhole(const Expr *part, Slot condition) {
  const BodySurvey::Part known = survey_.partOf(part);
  if (known.whole == part)
    return condition;
  using facts::Answer;
  auto said = [](std::optional<bool> answer) { return !answer ? Answer::Open : *answer ? Answer::Yes : Answer::No; };
  Slot marked = facts_.newSlot(facts::Type::Bool);
  Operands args;
  if (condition != kNone && facts_.slot(condition).type == facts::Type::Bool)
    args.push_back(facts_.operand(condition, part));
  facts_.emit(Opcode::Part, marked, std::move(args), known.whole,
              facts::partMode(said(known.ifTrue), said(known.ifFalse)));
  return marked;
}

Slot FunctionLowering::toBool(const CastExpr *cast) {
  const Expr *inner = cast->getSubExpr();
  Slot slot = value(inner);
  facts::Type type = typeOf(inner);
  switch (cast->getCastKind()) {
  case CK_PointerToBoolean:
  case CK_MemberPointerToBoolean:
    if (slot == kNone || type == facts::Type::Pointer || (type == facts::Type::Other && !isStream(inner)))
      return facts_.unknown(cast);
    return facts_.result(Opcode::IsDefined, cast, {facts_.operand(slot, inner)});
  case CK_IntegralToBoolean: {
    if (slot != kNone && facts_.slot(slot).type == facts::Type::Bool)
      return slot; // __builtin_expect turned it into a number
    if (facts_.isUnknown(slot) || type != facts::Type::Int)
      return facts_.unknown(cast);
    Slot zero = facts_.newSlot(facts::Type::Int), answer = facts_.newSlot(facts::Type::Bool);
    facts_.emit(Opcode::Const, zero, {}, cast);
    facts_.emit(Opcode::Compare, answer, {facts_.operand(slot, inner), facts_.operand(zero, inner)}, cast,
                Mode::NotEqual);
    return answer;
  }
  case CK_NullToPointer:
    return facts_.null(cast);
  default:
    return facts_.unknown(cast);
  }
}

} // namespace samedevice::clangfront
