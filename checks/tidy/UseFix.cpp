// A tensor that its module does not move, and that cannot be registered where it is stored, is brought to where it is
// needed: `x * anchors.to(x.device())`.
#include "FixParts.h"

#include "clang/AstVisitor.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

namespace samedevice::tidy {
using namespace clang;
using analysis::Finding;
using analysis::Fix;

namespace {

/// What an expression begins with: of `cosine.slice(0, 0, n)` the `cosine`.
const ValueDecl *rootOf(const Expr *expression) {
  expression = asWritten(expression)->IgnoreParenImpCasts();
  if (const auto *call = dyn_cast<CXXMemberCallExpr>(expression))
    return rootOf(call->getImplicitObjectArgument());
  if (const auto *member = dyn_cast<MemberExpr>(expression))
    return member->getMemberDecl();
  const auto *reference = dyn_cast<DeclRefExpr>(expression);
  return reference ? reference->getDecl() : nullptr;
}

/// Where a tensor is read, but for what does not ask where it is.
class Readings : public clangfront::AstVisitor {
public:
  explicit Readings(const ValueDecl *tensor) : tensor_(tensor) {}
  int count = 0;

  bool VisitDeclRefExpr(DeclRefExpr *reference) override {
    count += reference->getDecl() == tensor_;
    return true;
  }
  bool VisitMemberExpr(MemberExpr *member) override {
    count += member->getMemberDecl() == tensor_;
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *op) override {
    count -= op->getOperator() == OO_Equal && rootOf(op->getArg(0)) == tensor_;
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *lambda) override {
    for (const LambdaCapture &capture : lambda->captures())
      count -= capture.isExplicit() && capture.capturesVariable() && capture.getCapturedVar() == tensor_;
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *call) override {
    static constexpr llvm::StringLiteral kAsking[] = {"defined", "size", "sizes", "dim", "numel"};
    const CXXMethodDecl *method = call->getMethodDecl();
    count -= method && method->getIdentifier() && llvm::is_contained(kAsking, method->getName()) &&
             rootOf(call->getImplicitObjectArgument()) == tensor_;
    return true;
  }

private:
  const ValueDecl *tensor_;
};

bool isReadOnce(const Expr *used, ASTContext &context) {
  const ValueDecl *tensor = rootOf(used);
  if (!tensor)
    return false;
  Readings readings(tensor);
  for (Decl *decl : context.getTranslationUnitDecl()->decls())
    if (context.getSourceManager().isInMainFile(context.getSourceManager().getFileLoc(decl->getLocation())))
      readings.walk(decl);
  return readings.count == 1;
}

/// Whether a statement reads other tensors that the same object keeps: these were forgotten as well.
bool readsSiblings(const Stmt *statement, const ValueDecl *tensor) {
  const auto *member = dyn_cast<MemberExpr>(statement);
  const auto *other = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  if (other && other != tensor && isa<FieldDecl>(tensor) &&
      other->getParent() == cast<FieldDecl>(tensor)->getParent() && classOf(other->getType()) == "Tensor")
    return true;
  return llvm::any_of(statement->children(), [&](const Stmt *child) { return child && readsSiblings(child, tensor); });
}

} // namespace

Fixes moveWhereUsed(const Finding &finding, const SourceText &source, ASTContext &context) {
  const analysis::Note *use = finding.notes.empty() ? nullptr : &finding.notes.back();
  if (finding.variant != "tensor" || !use || use->kind != analysis::Event::Computed)
    return {};
  const Expr *used = source.expression(use->subject);
  const Stmt *statement = source.wholeStatement(use->subject);
  if (!isTensor(used) || !statement || !isReadOnce(used, context) || readsSiblings(statement, rootOf(used)))
    return {};
  Fix there;
  there.device = use->other;
  there.deviceOf = true;
  const std::string device = deviceAt(there, use->subject, source);
  return append(used, device.empty() ? "" : ".to(" + device + ")", source);
}

} // namespace samedevice::tidy
