// `for (auto frame : frames) frame = frame.to(device);` moves copies: with `auto &frame` it moves the frames. So does a
// helper that takes its tensor by reference, if everybody who calls it can give it one.
#include "FixParts.h"

#include "clang/AstVisitor.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

namespace samedevice::tidy {
using namespace clang;

namespace {

bool canBeAssigned(const Expr *expression) {
  return expression->isLValue() && !expression->getType().isConstQualified();
}

/// The loop over whose elements a variable goes, if they can be changed there.
class Loops : public clangfront::AstVisitor {
public:
  explicit Loops(const VarDecl *variable) : variable_(variable) {}
  bool fits = false;

  bool VisitCXXForRangeStmt(CXXForRangeStmt *loop) override {
    const Expr *range = loop->getRangeInit();
    const CXXRecordDecl *record = range ? range->getType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
    const bool isChangeable = range && canBeAssigned(range) &&
                              (range->getType()->isArrayType() ||
                               (record && record->isInStdNamespace() && record->getName() != "initializer_list"));
    fits |= loop->getLoopVariable() == variable_ && isChangeable;
    return true;
  }

private:
  const VarDecl *variable_;
};

class Callers : public clangfront::AstVisitor {
public:
  Callers(const FunctionDecl *function, unsigned parameter) : function_(function), parameter_(parameter) {}
  bool fit = true;

  bool VisitDeclRefExpr(DeclRefExpr *reference) override {
    mentions_ += reference->getDecl()->getCanonicalDecl() == function_->getCanonicalDecl();
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    if (!call->getDirectCallee() || call->getDirectCallee()->getCanonicalDecl() != function_->getCanonicalDecl())
      return true;
    ++calls_;
    const Expr *given = parameter_ < call->getNumArgs() ? asWritten(call->getArg(parameter_)) : nullptr;
    fit &= given && canBeAssigned(given->IgnoreParens());
    return true;
  }
  /// Its address is taken by nobody.
  bool areKnown() const { return fit && mentions_ == calls_; }

private:
  const FunctionDecl *function_;
  unsigned parameter_;
  int mentions_ = 0, calls_ = 0;
};

bool canBeReference(const ParmVarDecl *parameter, ASTContext &context) {
  const auto *function = dyn_cast<FunctionDecl>(parameter->getDeclContext());
  if (!function || isa<CXXMethodDecl>(function) || function->isTemplateInstantiation() || parameter->hasDefaultArg() ||
      function->getPreviousDecl() || function->getMostRecentDecl() != function)
    return false;
  Callers callers(function, parameter->getFunctionScopeIndex());
  for (Decl *decl : context.getTranslationUnitDecl()->decls())
    if (context.getSourceManager().isInMainFile(context.getSourceManager().getFileLoc(decl->getLocation())))
      callers.walk(decl);
  return callers.areKnown();
}

} // namespace

Fixes byReference(const analysis::Fix &fix, const SourceText &source, ASTContext &context) {
  const Expr *copy = source.expression(fix.at);
  if (const CXXOperatorCallExpr *assignment = asAssignment(copy))
    copy = assignment->getArg(0);
  while (copy && isa<MemberExpr>(copy->IgnoreParenImpCasts()))
    copy = cast<MemberExpr>(copy->IgnoreParenImpCasts())->getBase();
  const auto *reference = dyn_cast_or_null<DeclRefExpr>(copy ? copy->IgnoreParenImpCasts() : nullptr);
  const VarDecl *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (const auto *binding = dyn_cast_or_null<BindingDecl>(reference ? reference->getDecl() : nullptr))
    variable = dyn_cast<VarDecl>(binding->getDecomposedDecl());
  const clangfront::SourceEntry *at = source.entry(fix.at);
  if (!variable || variable->getType()->isReferenceType() || variable->getType()->isPointerType() ||
      variable->getType().isConstQualified() || variable->getLocation().isMacroID() || !at->function)
    return {};
  if (const auto *parameter = dyn_cast<ParmVarDecl>(variable)) {
    if (!canBeReference(parameter, context))
      return {};
  } else {
    Loops loops(variable);
    loops.walk(at->function->getBody());
    if (!loops.fits)
      return {};
  }
  // Not an insertion: of two members of one copy each has this fix, and it is right once.
  const std::string name = isa<DecompositionDecl>(variable) ? "[" : variable->getNameAsString();
  return {FixItHint::CreateReplacement(variable->getLocation(), "&" + name)};
}

} // namespace samedevice::tidy
