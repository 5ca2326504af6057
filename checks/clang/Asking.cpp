// Conditions that facts know nothing of: what is asked, of what, and where that changes.
#include "FunctionLowering.h"

#include "Questions.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

/// Where a variable or a member is that a question is about. A number with a fraction is one, too, if nothing else.
facts::Operand FunctionLowering::placeAsked(const Expr *place) {
  Operand made = operand(place);
  const auto *access = dyn_cast<MemberExpr>(place);
  if (made.slot == kNone && access)
    made.slot = facts_.field(value(access->getBase()), access->getMemberDecl()->getName(), access->getType(), access);
  return made;
}

/// `mode == Mode::Fast`: of variables and what is written there, facts compare the values.
static bool comparesNames(const Expr *condition) {
  auto isName = [](const Expr *side) {
    return isa<DeclRefExpr, MemberExpr, IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr, StringLiteral>(
        stripped(side));
  };
  const auto *op = dyn_cast<BinaryOperator>(condition);
  return op && op->isComparisonOp() && isName(op->getLHS()) && isName(op->getRHS());
}

/// The answer to a condition; where facts say none, one that is the same when the same is asked again.
Slot FunctionLowering::ask(const Expr *condition, Slot answer) {
  if (!isTruth(condition) || isa<DeclRefExpr, CXXBoolLiteralExpr, ConditionalOperator>(condition) ||
      survey_.isDiscarded(condition) || survey_.isOfLoop(condition))
    return answer;
  if (const auto *logical = dyn_cast<BinaryOperator>(condition); logical && logical->isLogicalOp())
    return answer;
  const bool isOpen = facts_.isUnknown(answer);
  if (!isOpen && isa<UnaryOperator>(condition)) // what it is the opposite of was asked
    return answer;
  if (!isOpen) {
    const std::vector<facts::Instruction> &written = facts_.instructions();
    if (written.empty() || written.back().dest != answer)
      return answer;
    const Opcode how = written.back().opcode;
    const bool maySayNothing = how == Opcode::Compare ? !comparesNames(condition)
                                                      : how == Opcode::Call || how == Opcode::CallUnknown ||
                                                            how == Opcode::HasNext || how == Opcode::IsDefined;
    if (!maySayNothing)
      return answer;
  }
  const std::optional<Question> question = questionIn(condition, unit_.types());
  if (!question)
    return answer;
  Operands of;
  for (const Expr *place : question->about) {
    of.push_back(placeAsked(place));
    if (of.back().slot == kNone)
      return answer;
  }
  auto opposite = [&](Slot slot) {
    Slot made = facts_.newSlot(facts::Type::Bool);
    facts_.emit(Opcode::Not, made, {facts_.operand(slot, condition)}, condition);
    return made;
  };
  if (!isOpen)
    of.push_back(facts_.operand(question->isNegated ? opposite(answer) : answer, condition, "answer"));
  Slot asked = facts_.newSlot(facts::Type::Bool);
  facts::Instruction &made = facts_.emit(Opcode::Asked, asked, std::move(of), condition, question->text);
  made.mode = question->how;
  made.number = question->bound;
  return question->isNegated ? opposite(asked) : asked;
}

/// Whether facts have a value for what has such a type, which is another one once it is written to.
static bool hasOwnValue(facts::Type type) {
  return type == facts::Type::Int || type == facts::Type::Bool || type == facts::Type::Device ||
         type == facts::Type::Options || type == facts::Type::Module || type == facts::Type::Guard ||
         type == facts::Type::Optimizer;
}

void FunctionLowering::reopenWritten(const Expr *expr) {
  const auto *call = dyn_cast<CallExpr>(expr);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (callee && unit_.names().isUser(callee) && callee->hasBody()) // there it is written to
    return;
  const auto *op = dyn_cast<CXXOperatorCallExpr>(expr);
  for (const Expr *target : writtenBy(expr)) {
    const Expr *changed = changedWith(target, unit_.types());
    if (!changed || hasOwnValue(typeOf(changed)))
      continue;
    const bool isItself = stripped(target) == changed;
    if (isItself && op && op->getOperator() == OO_Equal && typeOf(changed) == facts::Type::String)
      continue;
    if (const auto *ref = dyn_cast<DeclRefExpr>(changed)) {
      const ValueDecl *variable = ref->getDecl();
      const bool isElsewhere = ref->refersToEnclosingVariableOrCapture() || variable->getType()->isReferenceType() ||
                               variable->getType()->isPointerType();
      const auto *named = dyn_cast<VarDecl>(variable);
      if (!isElsewhere && !survey_.isAsked(variable) && !(named && named->hasGlobalStorage()))
        continue;
    } else if (!isa<MemberExpr>(changed)) {
      continue;
    }
    if (Operand place = placeAsked(changed); place.slot != kNone)
      facts_.emit(Opcode::Reopen, kNone, {std::move(place)}, expr).flags = isItself ? facts::kWrite : 0u;
  }
}

/// A variable that is made here: what was asked of it before, in another turn or call, was asked of another one.
void FunctionLowering::reopenNew(Slot slot, const VarDecl *variable) {
  if (slot == kNone || !survey_.isAsked(variable) || variable->getType()->isReferenceType() ||
      variable->isInvalidDecl())
    return;
  if (const facts::Type type = facts_.slot(slot).type; !hasOwnValue(type) && type != facts::Type::String)
    facts_.emit(Opcode::Reopen, kNone, {facts_.operand(slot, nullptr)}, nullptr).source = facts_.source(variable);
}

} // namespace samedevice::clangfront
