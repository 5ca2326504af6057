#include "FixParts.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

namespace samedevice::tidy {
using namespace clang;

bool isPlain(const Expr *expression) {
  if (!expression)
    return false;
  expression = expression->IgnoreParenImpCasts();
  if (isa<DeclRefExpr, CXXThisExpr>(expression))
    return true;
  if (const auto *member = dyn_cast<MemberExpr>(expression))
    return isPlain(member->getBase());
  if (const auto *arrow = dyn_cast<CXXOperatorCallExpr>(expression))
    return (arrow->getOperator() == OO_Arrow || arrow->getOperator() == OO_Star) && isPlain(arrow->getArg(0));
  return false;
}

bool isTensor(const Expr *expression) {
  const CXXRecordDecl *record =
      expression ? expression->getType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
  return record && record->getName() == "Tensor";
}

std::string textOf(const Expr *expression, ASTContext &context) {
  CharSourceRange range = Lexer::makeFileCharRange(CharSourceRange::getTokenRange(expression->getSourceRange()),
                                                   context.getSourceManager(), context.getLangOpts());
  return range.isInvalid() ? std::string()
                           : Lexer::getSourceText(range, context.getSourceManager(), context.getLangOpts()).str();
}

const Stmt *withoutCleanups(const Stmt *statement) {
  const auto *cleanups = dyn_cast_or_null<ExprWithCleanups>(statement);
  return cleanups ? cleanups->getSubExpr() : statement;
}

bool anyOfBases(const CXXRecordDecl *record, llvm::function_ref<bool(const CXXRecordDecl *)> holds) {
  if (!record || !record->hasDefinition())
    return false;
  bool found = holds(record);
  record->forallBases([&](const CXXRecordDecl *base) {
    found = found || holds(base);
    return true;
  });
  return found;
}

const CXXOperatorCallExpr *asAssignment(const Stmt *statement) {
  const auto *call = dyn_cast_or_null<CXXOperatorCallExpr>(withoutCleanups(statement));
  return call && call->getOperator() == OO_Equal ? call : nullptr;
}

Fixes append(const Expr *expression, const std::string &suffix, const SourceText &source) {
  if (suffix.empty() || !isTensor(expression))
    return {};
  const Expr *bare = expression->IgnoreImpCasts();
  bool postfix = isPlain(bare) || isa<CallExpr, ParenExpr, ArraySubscriptExpr>(bare);
  if (const auto *call = dyn_cast<CXXOperatorCallExpr>(bare))
    postfix = isPlain(bare) || call->getOperator() == OO_Subscript || call->getOperator() == OO_Call;
  SourceLocation end = source.endOf(bare);
  if (!postfix || end.isInvalid())
    return {};
  return {FixItHint::CreateInsertion(end, suffix)};
}

FixItHint lineBefore(SourceLocation place, const std::string &line, const SourceText &source) {
  return FixItHint::CreateInsertion(place, line + "\n" + source.indentation(place));
}

} // namespace samedevice::tidy
