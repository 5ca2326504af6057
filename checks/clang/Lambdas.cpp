// Lambdas: an object whose fields are what it captured, and a body that finds them there.
#include "FunctionLowering.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Opcode;
using facts::Slot;

Slot FunctionLowering::lambda(const LambdaExpr *expr) {
  const CXXRecordDecl *record = expr->getLambdaClass();
  std::vector<std::pair<const LambdaCapture *, Operand>> captures;
  auto init = expr->capture_init_begin();
  for (const LambdaCapture &capture : expr->captures()) {
    const Expr *from = *init++;
    Operand taken;
    if (capture.capturesThis())
      taken = operand(isLambdaBody_ ? captured(nullptr, expr) : thisSlot(), expr);
    else if (from)
      taken = operand(from);
    captures.emplace_back(&capture, taken);
  }
  Slot object = newSlot(expr->getType(), "", 0);
  facts_.slots[object].type = facts::Type::Record;
  facts_.slots[object].cls = unit_.record(record);
  facts::Instruction &made = emit(Opcode::Object, object, {}, expr);
  if (facts_.slots[object].cls != kNone)
    made.targets = {facts_.slots[object].cls};
  unit_.function(record->getLambdaCallOperator());
  for (auto &[capture, taken] : captures) {
    if (taken.slot == kNone)
      continue;
    if (capture->capturesThis()) {
      Slot place = newSlot(facts_.slots[taken.slot].type);
      facts_.slots[place].reference = true;
      emit(Opcode::Field, place, {operand(object, expr)}, expr, "this");
      emit(Opcode::Bind, kNone, {operand(place, expr), taken}, expr);
      continue;
    }
    if (!capture->capturesVariable())
      continue;
    const ValueDecl *decl = capture->getCapturedVar();
    if (kindOf(decl->getType()).type == facts::Type::Other && !decl->getType()->isRecordType())
      continue;
    Slot place = field(object, decl->getName(), decl->getType(), expr);
    bool byReference = capture->getCaptureKind() == LCK_ByRef;
    if (byReference)
      emit(Opcode::Bind, kNone, {operand(place, expr), taken}, expr);
    else
      assign(place, taken, expr);
  }
  return object;
}

Slot FunctionLowering::captured(const ValueDecl *decl, const Expr *at) {
  if (facts_.paramCount == 0)
    return unknown(at);
  if (!decl)
    return field(0, "this", at->getType(), at);
  return field(0, decl->getName(), decl->getType(), at);
}

} // namespace samedevice::clangfront
