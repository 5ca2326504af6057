// Callbacks: what a lambda writes that is given to a function whose body is not here. It may run, some time, or never.
#include "AstVisitor.h"
#include "FunctionLowering.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;

namespace {

/// Variables of the function around a lambda, and members, that the lambda writes.
class Written : public AstVisitor {
public:
  std::vector<const Expr *> places;

  bool VisitBinaryOperator(BinaryOperator *op) override { return !op->isAssignmentOp() || note(op->getLHS()); }
  bool VisitUnaryOperator(UnaryOperator *op) override {
    return !(op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf) || note(op->getSubExpr());
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *call) override {
    return !call->isAssignmentOp() || call->getNumArgs() == 0 || note(call->getArg(0));
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *call) override {
    const CXXMethodDecl *method = call->getMethodDecl();
    return !method || method->isConst() || method->isStatic() || note(call->getImplicitObjectArgument());
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    const unsigned first = isa<CXXOperatorCallExpr>(call) && isa_and_nonnull<CXXMethodDecl>(callee) ? 1 : 0;
    for (unsigned n = first; callee && n < call->getNumArgs() && n - first < callee->getNumParams(); ++n) {
      const QualType param = callee->getParamDecl(n - first)->getType();
      if (param->isLValueReferenceType() && !param->getPointeeType().isConstQualified())
        note(call->getArg(n));
    }
    return true;
  }

private:
  bool note(const Expr *written) {
    const Expr *inner = stripped(written);
    const Expr *owner = inner;
    while (const auto *member = dyn_cast_or_null<MemberExpr>(owner))
      owner = stripped(member->getBase());
    const auto *ref = dyn_cast_or_null<DeclRefExpr>(owner);
    const bool isOutside = ref && ref->refersToEnclosingVariableOrCapture() && isa<VarDecl>(ref->getDecl());
    if (isOutside || (isa_and_nonnull<CXXThisExpr>(owner) && inner != owner))
      places.push_back(inner);
    return true;
  }
};

/// The lambda that is written here, or that the variable was made of; in a std::function or as it is.
const LambdaExpr *lambdaIn(const Expr *argument) {
  for (int steps = 0; argument && steps < 8; ++steps) {
    const Expr *inner = stripped(argument);
    if (const auto *lambda = dyn_cast_or_null<LambdaExpr>(inner))
      return lambda;
    if (const auto *made = dyn_cast_or_null<CXXConstructExpr>(inner)) {
      argument = made->getNumArgs() > 0 ? made->getArg(0) : nullptr;
      continue;
    }
    const auto *ref = dyn_cast_or_null<DeclRefExpr>(inner);
    const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    argument = variable && !isa<ParmVarDecl>(variable) ? variable->getInit() : nullptr;
  }
  return nullptr;
}

} // namespace

/// Places that are anything once somebody unseen has the callback.
Operands FunctionLowering::writtenByCallback(const Expr *argument) {
  Operands places;
  const CXXRecordDecl *record = Types::recordOf(argument->getType());
  if (!record || !(record->isLambda() || unit_.types().isStd(argument->getType(), "function")))
    return places;
  const LambdaExpr *lambda = lambdaIn(argument);
  if (!lambda)
    return places;
  Written written;
  written.walk(lambda->getBody());
  for (const Expr *place : written.places)
    if (!isa<MemberExpr>(place) || !isLambdaBody_)
      if (Operand at = operand(place); at.slot != kNone) {
        at.mayWrite = true;
        places.push_back(std::move(at));
      }
  return places;
}

} // namespace samedevice::clangfront
