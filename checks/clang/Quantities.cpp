#include "Quantities.h"

#include "ClangVersions.h"
#include "StringSwitch.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <vector>

namespace samedevice::clangfront {

using namespace clang;

/// The parameter, variable or member that an expression is, but for casts.
static const ValueDecl *numberIn(const Expr *expr) {
  expr = expr->IgnoreParenCasts();
  const ValueDecl *named = nullptr;
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
    named = dyn_cast<VarDecl>(ref->getDecl());
  else if (const auto *member = dyn_cast<MemberExpr>(expr))
    named = dyn_cast<FieldDecl>(member->getMemberDecl());
  return named && named->getType().getNonReferenceType()->isIntegerType() ? named : nullptr;
}

/// What `{batch, heads, n}` lists, where a function takes several sizes.
static const InitListExpr *sizesIn(const CXXConstructExpr *made) {
  const auto *array = dyn_cast<ClassTemplateSpecializationDecl>(made->getConstructor()->getParent());
  if (!array || !array->getIdentifier() || array->getName() != "ArrayRef" || made->getNumArgs() != 1)
    return nullptr;
  const Expr *given = made->getArg(0)->IgnoreUnlessSpelledInSource();
  if (const auto *list = dyn_cast<CXXStdInitializerListExpr>(given))
    given = list->getSubExpr()->IgnoreUnlessSpelledInSource();
  return dyn_cast<InitListExpr>(given);
}

/// Parameters of PyTorch's functions that are sizes, as its schemas call them.
static bool isSizeOf(const FunctionDecl *function, const ParmVarDecl *parameter) {
  const std::string scope = function->getQualifiedNameAsString();
  const bool isTorchs = llvm::StringRef(scope).starts_with("at::") || llvm::StringRef(scope).starts_with("torch::") ||
                        llvm::StringRef(scope).starts_with("c10::");
  return isTorchs && parameter->getType()->isIntegerType() && parameter->getIdentifier() &&
         StringSwitch<bool>(parameter->getName())
             .Cases({"n", "n_fft", "size", "length", "steps"}, true)
             .Cases({"window_length", "hop_length", "num_classes", "minlength"}, true)
             .Default(false);
}

void Quantities::survey(const FunctionDecl *function) {
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    for (const CXXCtorInitializer *initializer : constructor->inits())
      if (initializer->isMemberInitializer() && initializer->getInit())
        handOn(initializer->getInit(), initializer->getMember());
  if (const Stmt *body = function->getBody())
    walk(body);
}

bool Quantities::has(const ValueDecl *number) {
  std::vector<const ValueDecl *> work;
  if (!std::exchange(isSettled_, true))
    work.assign(known_.begin(), known_.end());
  while (!work.empty()) {
    const auto givers = from_.find(work.back());
    work.pop_back();
    if (givers != from_.end())
      for (const ValueDecl *giver : givers->second)
        if (known_.insert(giver).second)
          work.push_back(giver);
  }
  return known_.contains(number);
}

/// It, or what it is computed of.
void Quantities::note(const Expr *expr) {
  expr = expr->IgnoreParenCasts();
  if (const auto *op = dyn_cast<BinaryOperator>(expr); op && (op->isAdditiveOp() || op->isMultiplicativeOp())) {
    note(op->getLHS());
    note(op->getRHS());
  } else if (const ValueDecl *number = numberIn(expr)) {
    known_.insert(number);
  }
}

void Quantities::handOn(const Expr *given, const ValueDecl *to) {
  given = given->IgnoreParenCasts();
  if (const auto *op = dyn_cast<BinaryOperator>(given); op && op->getOpcode() == BO_Div) // a part of it
    given = op->getLHS();
  if (const ValueDecl *number = to->getType().getNonReferenceType()->isIntegerType() ? numberIn(given) : nullptr)
    from_[to].push_back(number);
}

void Quantities::handOver(const FunctionDecl *callee, llvm::ArrayRef<Expr *> arguments) {
  const FunctionDecl *definition = nullptr;
  if (!callee->hasBody(definition) || !definition)
    definition = callee;
  for (unsigned n = 0; n < arguments.size() && n < definition->getNumParams(); ++n)
    if (isSizeOf(definition, definition->getParamDecl(n)))
      note(arguments[n]);
    else
      handOn(arguments[n], definition->getParamDecl(n));
}

bool Quantities::VisitBinaryOperator(BinaryOperator *op) {
  for (const Expr *side : {op->getLHS(), op->getRHS()})
    if (const auto *cast = dyn_cast<ImplicitCastExpr>(side->IgnoreParens());
        cast && cast->getCastKind() == CK_IntegralToFloating && (op->isAdditiveOp() || op->isMultiplicativeOp()))
      note(cast->getSubExpr());
  if (op->getOpcode() == BO_Div || op->getOpcode() == BO_Rem) // by how many there are
    note(op->getRHS());
  if (const ValueDecl *to = op->getOpcode() == BO_Assign ? numberIn(op->getLHS()) : nullptr)
    handOn(op->getRHS(), to);
  return true;
}

bool Quantities::VisitCallExpr(CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  llvm::ArrayRef<Expr *> arguments(call->getArgs(), call->getNumArgs());
  if (const auto *op = dyn_cast<CXXOperatorCallExpr>(call)) {
    if (op->getOperator() != OO_Call)
      return true;
    if (isa_and_nonnull<CXXMethodDecl>(callee))
      arguments = arguments.drop_front();
  }
  if (callee)
    handOver(callee, arguments);
  return true;
}

bool Quantities::VisitCXXConstructExpr(CXXConstructExpr *made) {
  if (const InitListExpr *sizes = sizesIn(made))
    for (const Expr *size : sizes->inits())
      note(size);
  else
    handOver(made->getConstructor(), llvm::ArrayRef(made->getArgs(), made->getNumArgs()));
  return true;
}

bool Quantities::VisitInitListExpr(InitListExpr *list) {
  if (InitListExpr *whole = list->getSemanticForm())
    list = whole;
  const RecordDecl *record = list->getType()->getAsRecordDecl();
  if (!record || record->isUnion())
    return true;
  const auto *cls = dyn_cast<CXXRecordDecl>(record);
  unsigned n = cls ? cls->getNumBases() : 0; // these come first
  for (const FieldDecl *field : record->fields())
    if (!isUnnamedBitField(field) && n < list->getNumInits())
      handOn(list->getInit(n++), field);
  return true;
}

bool Quantities::VisitForStmt(ForStmt *loop) {
  const auto *test = dyn_cast_or_null<BinaryOperator>(loop->getCond());
  if (test && test->isRelationalOp())
    note(test->getRHS());
  return true;
}

bool Quantities::VisitVarDecl(VarDecl *variable) {
  if (const Expr *given = variable->getInit())
    handOn(given, variable);
  return true;
}

} // namespace samedevice::clangfront
