// Loops that count: up to a few, over a list, or once for each GPU.
#include "BodySurvey.h"

#include "Ast.h"
#include "AstVisitor.h"

namespace samedevice::clangfront {

using namespace clang;

namespace {

bool isDevice(QualType type) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName() == "Device";
}

/// `torch::cuda::device_count()`, `devices.size()`, and variables that hold it.
bool isGpuCount(const Expr *expr, int hops = 3) {
  expr = expr->IgnoreParenCasts();
  if (const auto *call = dyn_cast<CallExpr>(expr)) {
    const FunctionDecl *callee = call->getDirectCallee();
    const auto *member = dyn_cast<CXXMemberCallExpr>(call);
    const auto *list = member ? dyn_cast_or_null<ClassTemplateSpecializationDecl>(member->getRecordDecl()) : nullptr;
    const bool isOfDevices = list && list->getTemplateArgs().size() &&
                             list->getTemplateArgs()[0].getKind() == TemplateArgument::Type &&
                             isDevice(list->getTemplateArgs()[0].getAsType());
    const IdentifierInfo *name = callee ? callee->getIdentifier() : nullptr;
    return name && (name->isStr("device_count") || (isOfDevices && name->isStr("size")));
  }
  const auto *ref = dyn_cast<DeclRefExpr>(expr);
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return variable && variable->getInit() && hops > 0 && isGpuCount(variable->getInit(), hops - 1);
}

/// Whether a loop's body ties its turns to GPUs: `Device(kCUDA, i)`, `emplace_back(torch::kCUDA, i)`, `gpus[i %
/// gpus.size()]`.
class GpuOfTheTurn : public AstVisitor {
public:
  explicit GpuOfTheTurn(const VarDecl *counter) : counter_(counter) {}
  bool found = false;

  bool VisitCallExpr(CallExpr *call) override { return look(llvm::ArrayRef(call->getArgs(), call->getNumArgs())); }
  bool VisitCXXConstructExpr(CXXConstructExpr *made) override {
    return look(llvm::ArrayRef(made->getArgs(), made->getNumArgs()));
  }
  bool VisitBinaryOperator(BinaryOperator *op) override {
    found |= op->getOpcode() == BO_Rem && isCounter(op->getLHS()) && isGpuCount(op->getRHS());
    return !found;
  }

private:
  bool isCounter(const Expr *expr) const {
    const auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreParenCasts());
    return ref && ref->getDecl() == counter_;
  }
  bool look(llvm::ArrayRef<const Expr *> arguments) {
    auto isCuda = [](const Expr *expr) {
      const auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
      const IdentifierInfo *name = ref ? ref->getDecl()->getIdentifier() : nullptr;
      return name && (name->isStr("kCUDA") || name->isStr("CUDA"));
    };
    found |= llvm::any_of(arguments, isCuda) && llvm::any_of(arguments, [&](const Expr *e) { return isCounter(e); });
    return !found;
  }

  const VarDecl *counter_;
};

/// `++i`, or `++i, width *= 2`.
bool advances(const Expr *step, const VarDecl *counter) {
  step = stripped(step);
  if (const auto *several = dyn_cast<BinaryOperator>(step); several && several->getOpcode() == BO_Comma)
    return advances(several->getLHS(), counter) || advances(several->getRHS(), counter);
  const auto *next = dyn_cast<UnaryOperator>(step);
  return next && next->isIncrementOp() && variableOf(next->getSubExpr()) == counter;
}

} // namespace

void BodySurvey::surveyIndexLoop(const ForStmt *loop) {
  const auto *init = dyn_cast_or_null<DeclStmt>(loop->getInit());
  const auto *test = dyn_cast_or_null<BinaryOperator>(loop->getCond() ? stripped(loop->getCond()) : nullptr);
  if (!init || !init->isSingleDecl() || !test || (test->getOpcode() != BO_LT && test->getOpcode() != BO_NE))
    return;
  const auto *counter = dyn_cast<VarDecl>(init->getSingleDecl());
  const auto *from = counter && counter->getInit() ? dyn_cast<IntegerLiteral>(stripped(counter->getInit())) : nullptr;
  const auto *tested = dyn_cast_or_null<DeclRefExpr>(stripped(test->getLHS()));
  const auto *size = dyn_cast_or_null<CXXMemberCallExpr>(stripped(test->getRHS()));
  const CXXMethodDecl *method = size ? size->getMethodDecl() : nullptr;
  if (!from || from->getValue().ugt(1) || !tested || tested->getDecl() != counter)
    return;
  constexpr std::int64_t few = 4;
  const bool movesOn = loop->getInc() && advances(loop->getInc(), counter);
  const std::int64_t turns = constantInt(test->getRHS(), unit_.context()).value_or(few + 1);
  if (movesOn && turns <= few)
    counters_.insert(counter);
  else if (movesOn && loop->getBody()) {
    GpuOfTheTurn body(counter);
    body.walk(loop->getBody());
    if (body.found || (!method && isGpuCount(test->getRHS()))) {
      counters_.insert(counter);
      gpuCounters_.insert(counter);
      return;
    }
  }
  if (!method || !method->getIdentifier() || method->getName() != "size" || size->getNumArgs() != 0)
    return;
  facts::Type type = unit_.types().of(size->getImplicitObjectArgument()->getType()).type;
  if (type == facts::Type::List || type == facts::Type::Module)
    indexLoops_[counter] = size->getImplicitObjectArgument();
}

} // namespace samedevice::clangfront
