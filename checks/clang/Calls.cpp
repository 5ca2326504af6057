// Calls: who is called decides. Promises and the vocabulary first, then bodies we can see, then the models of whoever
// declares the function.
#include "FunctionLowering.h"

#include "../facts/Rules.h"

#include "clang/Basic/Builtins.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

Slot FunctionLowering::call(const CallExpr *expr) {
  CallSite site = CallSite::of(expr);
  if (site.callee && site.callee->getBuiltinID() != 0 && site.name().starts_with("__builtin")) {
    evaluateAll(site.args);
    bool isHint = site.name() == "__builtin_expect" || site.name() == "__builtin_expect_with_probability" ||
                  site.name() == "__builtin_assume_aligned" || site.name() == "__builtin_addressof";
    return isHint && !site.args.empty() ? value(site.args[0]) : facts_.unknown(expr);
  }
  if (const auto *op = dyn_cast<CXXOperatorCallExpr>(expr)) {
    OverloadedOperatorKind kind = op->getOperator();
    const Expr *left = op->getArg(0);
    const Expr *right = op->getNumArgs() > 1 ? op->getArg(1) : nullptr;
    if (kind == OO_Call && readsAsNumpy(left, op))
      return kNone;
    bool byUser = site.callee && unit_.function(site.callee) != kNone;
    if (kind == OO_Equal && right && !byUser) {
      const Expr *target = stripped(left);
      if (const auto *tie = dyn_cast<CallExpr>(target); tie && tie->getDirectCallee() &&
                                                        unit_.names().of(tie->getDirectCallee()).library == Name::Std &&
                                                        tie->getDirectCallee()->getNameAsString() == "tie") {
        assignTie(tie, right, op);
        return kNone;
      }
      if (const auto *entry = dyn_cast<CXXOperatorCallExpr>(target);
          entry && entry->getOperator() == OO_Subscript && isOwnParameters(entry->getArg(0)))
        return registerParameter(cast<MemberExpr>(stripped(entry->getArg(0))), entry->getArg(1), right, op);
      if (kindOf(left).type == facts::Type::Tensor && !left->isLValue()) {
        // `x[i] = v` writes into x; it rebinds nothing.
        if (const auto *accessor = dyn_cast<CallExpr>(target);
            accessor && CallSite::of(accessor).name().ends_with("grad")) {
          Operand to = operand(left, "self"), from = operand(right, "other");
          facts_.emit(Opcode::Op, kNone, {to, from}, op, facts::kSetGrad).flags = facts::kMethod;
          return to.slot;
        }
        if (typeOf(right) != facts::Type::Tensor)
          return value(left);
        Operand to = operand(left, "self"), from = operand(right, "src");
        facts_.emit(Opcode::Op, kNone, {to, from}, op, "copy_").flags = facts::kMethod;
        return to.slot;
      }
      if (const auto *accessor = dyn_cast<CallExpr>(target);
          accessor && kindOf(left).type == facts::Type::Tensor && CallSite::of(accessor).name() == "mutable_grad") {
        Operand to = operand(left, "self"), from = operand(right, "other");
        facts_.emit(Opcode::Op, kNone, {to, from}, op, facts::kSetGrad).flags = facts::kMethod;
        return to.slot;
      }
      assignTo(left, right, op);
      return value(left);
    }
    bool isIterator = !byUser && typeOf(left) == facts::Type::List;
    if (isIterator && (kind == OO_PlusPlus || kind == OO_MinusMinus)) {
      Slot place = value(left);
      if (place != kNone && kind == OO_PlusPlus)
        facts_.emit(Opcode::Advance, kNone, {facts_.operand(place, left)}, op);
      return place;
    }
    if (kind == OO_Plus && right && !byUser && typeOf(op) == facts::Type::String) {
      const Operand begin = operand(left), end = operand(right);
      return facts_.result(Opcode::Compute, op, {begin, end}, facts::Mode::Plus);
    }
    if (kind == OO_EqualEqual || kind == OO_ExclaimEqual) {
      facts::Type type = typeOf(left), other = right ? typeOf(right) : facts::Type::Other;
      if (!byUser && right && type != facts::Type::Tensor && other != facts::Type::Tensor)
        return compare(op, kind == OO_EqualEqual ? BO_EQ : BO_NE, left, right);
      if (!byUser && right && isa<CXXNullPtrLiteralExpr>(right->IgnoreParenImpCasts()))
        return compare(op, kind == OO_EqualEqual ? BO_EQ : BO_NE, left, right);
    }
  }
  return dispatch(site);
}

Slot FunctionLowering::dispatch(const CallSite &site) {
  if (!site.callee) {
    const auto *callExpr = cast<CallExpr>(site.expr);
    return callValue(site, callExpr->getCallee());
  }
  if (const std::optional<Slot> promised = promisedCall(site))
    return *promised;
  const auto *method = dyn_cast<CXXMethodDecl>(site.callee);
  bool isLambdaCall = method && method->getParent()->isLambda() && method->getOverloadedOperator() == OO_Call;
  bool isOwn =
      method && (unit_.types().isOwnTensor(method->getParent()) || unit_.types().isOwnModule(method->getParent()));
  // Newer functions of torch's may be declared by hand.
  const bool isTorchs = unit_.names().of(site.callee).library == Name::Torch && !site.callee->hasBody();
  if (isOwn || isTorchs || !unit_.names().isUser(site.callee)) {
    if (const Word *known = wordFor(site))
      return word(site, *known);
  }
  if (auto targets = unit_.targets(site.callee, site.isVirtual()); !targets.empty())
    return callUser(site, std::move(targets));
  if (const CXXMethodDecl *forward = appliedForward(method))
    return callForward(site, forward);
  if (isLambdaCall)
    return callValue(site, site.object);
  if (site.object && unit_.types().isStd(site.object->getType(), "function") && site.callee->isOverloadedOperator() &&
      site.callee->getOverloadedOperator() == OO_Call)
    return callValue(site, site.object);
  if (unit_.names().isUser(site.callee))
    return isForwardElsewhere(site) ? moduleWord(site, *findWord("nn::Module", "forward")) : callUnknown(site);
  markBindings(site);
  for (const Model model : modelsOf(unit_.names().of(site.callee).library))
    if (const std::optional<Slot> known = (this->*model)(site))
      return *known;
  return callUnknown(site);
}

/// Who is asked, in this order. Containers and wrappers are alike, whoever declares them.
llvm::ArrayRef<FunctionLowering::Model> FunctionLowering::modelsOf(Name::Library library) {
  static constexpr Model ofStd[] = {&FunctionLowering::containerCall, &FunctionLowering::standardFunction};
  static constexpr Model ofTorch[] = {&FunctionLowering::containerCall, &FunctionLowering::tensorCall};
  static constexpr Model ofOthers[] = {&FunctionLowering::containerCall, &FunctionLowering::thrustCall,
                                       &FunctionLowering::cubCall};
  switch (library) {
  case Name::Std:
    return ofStd;
  case Name::Torch:
    return ofTorch;
  case Name::Cuda:
  case Name::Other:
    break;
  }
  return ofOthers;
}

/// A module's forward that is declared here and written in another file. It reads its tensors, as they all do.
bool FunctionLowering::isForwardElsewhere(const CallSite &site) {
  const auto *method = dyn_cast<CXXMethodDecl>(site.callee);
  return method && site.object && method->getIdentifier() && method->getName() == "forward" &&
         unit_.types().derivesFrom(method->getParent(), "nn::Module") &&
         llvm::none_of(method->parameters(), [](const ParmVarDecl *param) {
           QualType type = param->getType();
           return type->isLValueReferenceType() && !type->getPointeeType().isConstQualified();
         });
}

Operands FunctionLowering::argumentsFor(const CallSite &site) {
  Operands args;
  for (unsigned i = 0; i < site.args.size(); ++i)
    args.push_back(operand(site.args[i], site.paramName(i)));
  return args;
}

/// What a method is called on comes first.
Operands FunctionLowering::withObject(const CallSite &site) {
  Operands args;
  const auto *method = dyn_cast<CXXMethodDecl>(site.callee);
  if (method && !method->isStatic())
    args.push_back(site.object ? operand(site.object, "this") : facts_.operand(thisSlot(), site.expr, "this"));
  else if (site.object)
    value(site.object);
  for (Operand &argument : argumentsFor(site))
    args.push_back(std::move(argument));
  return args;
}

Slot FunctionLowering::callUser(const CallSite &site, std::vector<std::uint32_t> targets) {
  Operands args = withObject(site);
  QualType type = site.callee->getReturnType();
  Slot dest = type->isVoidType() ? kNone : facts_.newSlot(type, "", 0);
  std::uint32_t flags = survey_.isDiscarded(site.expr) ? facts::kDiscarded : 0u;
  if (site.isVirtual()) {
    // Others may override it as well: what they override comes first.
    if (unit_.function(site.callee) == kNone)
      if (const facts::FunctionId base = unit_.declared(site.callee); base != kNone)
        targets.insert(targets.begin(), base);
    flags |= facts::kVirtual;
  }
  facts::Instruction &call = facts_.emit(Opcode::Call, dest, std::move(args), site.expr);
  call.targets = std::move(targets);
  call.flags = flags;
  return dest;
}

Slot FunctionLowering::callValue(const CallSite &site, const Expr *callable) {
  Operands args{operand(callable)};
  for (const Expr *argument : site.args)
    args.push_back(operand(argument));
  if (args[0].slot == kNone)
    return facts_.unknown(site.expr);
  QualType type = site.expr->getType();
  Slot dest = type->isVoidType() ? kNone : facts_.newSlot(type, "", 0);
  facts_.emit(Opcode::CallValue, dest, std::move(args), site.expr);
  return dest;
}

/// `object.attr("numpy")()` on what was cast from a tensor.
bool FunctionLowering::readsAsNumpy(const Expr *called, const Expr *whole) {
  const auto *attribute = dyn_cast_or_null<CXXMemberCallExpr>(convertedAlone(called));
  const CXXMethodDecl *method = attribute ? attribute->getMethodDecl() : nullptr;
  if (!method || !method->getIdentifier() || method->getName() != "attr" || attribute->getNumArgs() != 1)
    return false;
  const auto *name = dyn_cast_or_null<StringLiteral>(stripped(attribute->getArg(0)));
  Slot object = value(attribute->getImplicitObjectArgument());
  if (!name || name->getString() != "numpy" || object == kNone)
    return false;
  facts_.emit(Opcode::HostRead, kNone, {facts_.operand(object, attribute->getImplicitObjectArgument())}, whole,
              "numpy");
  return true;
}

} // namespace samedevice::clangfront
