// Lambdas: an object whose fields are what it captured, and a body that finds them there.
#include "FunctionLowering.h"

#include "clang/AST/DeclTemplate.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

Slot FunctionLowering::lambda(const LambdaExpr *expr) {
  const CXXRecordDecl *record = expr->getLambdaClass();
  std::vector<std::pair<const LambdaCapture *, Operand>> captures;
  auto init = expr->capture_init_begin();
  for (const LambdaCapture &capture : expr->captures()) {
    const Expr *from = *init++;
    Operand taken;
    if (capture.capturesThis())
      taken = facts_.operand(isLambdaBody_ ? captured(nullptr, expr) : thisSlot(), expr);
    else if (from)
      taken = operand(from);
    captures.emplace_back(&capture, taken);
  }
  Slot object = facts_.newSlot(expr->getType(), "", 0);
  facts_.slot(object).type = facts::Type::Record;
  facts_.slot(object).cls = unit_.record(record);
  facts::Instruction &made = facts_.emit(Opcode::Object, object, {}, expr);
  if (facts_.slot(object).cls != kNone)
    made.targets = {facts_.slot(object).cls};
  if (const CXXMethodDecl *body = lambdaBody(record))
    unit_.function(body);
  for (auto &[capture, taken] : captures) {
    if (taken.slot == kNone)
      continue;
    if (capture->capturesThis()) {
      Slot place = facts_.newSlot(facts_.slot(taken.slot).type);
      facts_.slot(place).reference = true;
      facts_.emit(Opcode::Field, place, {facts_.operand(object, expr)}, expr, "this");
      facts_.emit(Opcode::Bind, kNone, {facts_.operand(place, expr), taken}, expr);
      continue;
    }
    if (!capture->capturesVariable())
      continue;
    const ValueDecl *decl = capture->getCapturedVar();
    if (unit_.types().isLeftOut(decl->getType()))
      continue;
    Slot place = facts_.field(object, decl->getName(), decl->getType(), expr);
    bool byReference = capture->getCaptureKind() == LCK_ByRef;
    if (byReference)
      facts_.emit(Opcode::Bind, kNone, {facts_.operand(place, expr), taken}, expr);
    else
      facts_.assign(place, taken, expr);
  }
  return object;
}

/// The one operator() of a class of the user's.
const CXXMethodDecl *FunctionLowering::callOperator(const CXXRecordDecl *record) const {
  if (!record || !record->hasDefinition() || record->isLambda() || !unit_.names().isUser(record))
    return nullptr;
  const CXXMethodDecl *only = nullptr;
  for (const CXXMethodDecl *method : record->methods())
    if (method->getOverloadedOperator() == OO_Call) {
      if (only)
        return nullptr;
      only = method;
    }
  return only;
}

std::optional<FunctionLowering::Callable> FunctionLowering::callable(const Expr *expr) {
  const Expr *named = stripped(expr);
  while (const auto *made = dyn_cast_or_null<CXXConstructExpr>(named)) { // the std::function around it
    if (!unit_.types().isStd(made->getType(), "function") || made->getNumArgs() == 0)
      break;
    named = stripped(made->getArg(0));
  }
  if (const auto *address = dyn_cast_or_null<UnaryOperator>(named); address && address->getOpcode() == UO_AddrOf)
    named = stripped(address->getSubExpr());
  if (!named)
    return std::nullopt;
  const auto *ref = dyn_cast<DeclRefExpr>(named);
  Callable found;
  auto takes = [&](const FunctionDecl *body) {
    found.gives = body->getReturnType();
    for (const ParmVarDecl *param : body->parameters())
      found.params.push_back(param->getType());
  };
  if (const auto *function = ref ? dyn_cast<FunctionDecl>(ref->getDecl()) : nullptr) {
    const auto *method = dyn_cast<CXXMethodDecl>(function);
    takes(function);
    found.call.opcode = Opcode::Call;
    found.call.targets = unit_.targets(function, method && method->isVirtual());
    if (const facts::FunctionId declared = unit_.declared(function); found.call.targets.empty() && declared != kNone) {
      found.call.targets = {declared};
      found.isElsewhere = true;
    }
    return found.call.targets.empty() ? std::nullopt : std::optional(found);
  }
  const CXXRecordDecl *record = Types::recordOf(named->getType());
  if (const CXXMethodDecl *body = callOperator(record)) {
    takes(body);
    found.call.opcode = Opcode::Call;
    found.call.targets = unit_.targets(body, body->isVirtual());
    found.call.args.push_back(operand(named));
    const bool isKnown = !found.call.targets.empty() && found.call.args[0].slot != kNone;
    return isKnown ? std::optional(std::move(found)) : std::nullopt;
  }
  if (const CXXMethodDecl *body = lambdaBody(record))
    takes(body);
  else if (const auto *prototype = unit_.types().isStd(named->getType(), "function")
                                       ? Types::templateArgument(record, 0)->getAs<FunctionProtoType>()
                                       : nullptr) {
    found.gives = prototype->getReturnType();
    found.params.assign(prototype->param_type_begin(), prototype->param_type_end());
  } else
    return std::nullopt;
  found.call.opcode = Opcode::CallValue;
  found.call.args.push_back(operand(named));
  return found.call.args[0].slot == kNone ? std::nullopt : std::optional(found);
}

/// std::apply(f, tuple), std::invoke(f, arguments...).
std::optional<Slot> FunctionLowering::applyCallable(const CallSite &site) {
  std::optional<Callable> callback = callable(site.arg(0));
  if (!callback)
    return std::nullopt;
  facts::Instruction &call = callback->call;
  if (site.name() == "apply") {
    const Expr *tuple = site.arg(1);
    Slot parts = value(tuple);
    const bool isArray = typeOf(tuple) == facts::Type::List;
    if (parts == kNone || (!isArray && typeOf(tuple) != facts::Type::Record))
      return std::nullopt;
    unsigned index = 0;
    for (QualType param : callback->params) {
      const Slot part = isArray ? elementAt(parts, index, param, site.expr)
                                : facts_.field(parts, std::to_string(index), param, site.expr);
      call.args.push_back(facts_.operand(part, site.expr));
      ++index;
    }
  } else {
    for (const Expr *argument : llvm::ArrayRef(site.args).drop_front())
      call.args.push_back(operand(argument));
  }
  return emitCall(std::move(*callback), site.expr);
}

/// Whoever does not have the body knows nothing of what it is given any more.
void FunctionLowering::mayWriteAnywhere(facts::Instruction &call) {
  for (Operand &argument : call.args)
    argument.mayWrite = argument.slot != kNone;
}

Slot FunctionLowering::emitCall(Callable called, const Expr *whole) {
  Slot made = called.gives->isVoidType() ? kNone : facts_.newSlot(called.gives, "", 0);
  if (called.isElsewhere)
    mayWriteAnywhere(called.call);
  facts_.emit(called.call.opcode, made, std::move(called.call.args), whole).targets = std::move(called.call.targets);
  return made;
}

Slot FunctionLowering::captured(const ValueDecl *decl, const Expr *at) {
  if (facts_.function().paramCount == 0)
    return facts_.unknown(at);
  if (!decl)
    return facts_.field(0, "this", at->getType(), at);
  return facts_.field(0, decl->getName(), decl->getType(), at);
}

} // namespace samedevice::clangfront
