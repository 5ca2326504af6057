#include "Fixes.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"

namespace samedevice::tidy {
using namespace clang;
using analysis::Finding;
using analysis::Fix;

namespace {

/// A variable or a member of one: can be written twice without doing anything twice.
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

std::string textOf(const Expr *expression, ASTContext &context) {
  CharSourceRange range = Lexer::makeFileCharRange(CharSourceRange::getTokenRange(expression->getSourceRange()),
                                                   context.getSourceManager(), context.getLangOpts());
  return range.isInvalid() ? std::string()
                           : Lexer::getSourceText(range, context.getSourceManager(), context.getLangOpts()).str();
}

/// How a member of this object is reached: holders and pointers by an arrow.
const char *accessOf(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType())
    return "->";
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return nullptr;
  bool arrow = false;
  auto has = [&](const CXXRecordDecl *r) {
    for (const CXXMethodDecl *method : r->methods())
      arrow |= method->getOverloadedOperator() == OO_Arrow;
    return true;
  };
  has(record);
  record->forallBases(has);
  return arrow ? "->" : ".";
}

/// What the statement gives a name to: the left side of an assignment, or its one variable.
std::pair<std::string, QualType> namedBy(const Stmt *statement, ASTContext &context) {
  if (const auto *cleanups = dyn_cast<ExprWithCleanups>(statement))
    statement = cleanups->getSubExpr();
  if (const auto *assignment = dyn_cast<CXXOperatorCallExpr>(statement))
    if (assignment->getOperator() == OO_Equal && isPlain(assignment->getArg(0)))
      return {textOf(assignment->getArg(0), context), assignment->getArg(0)->getType()};
  if (const auto *declaration = dyn_cast<DeclStmt>(statement))
    if (declaration->isSingleDecl())
      if (const auto *variable = dyn_cast<VarDecl>(declaration->getSingleDecl()))
        return {variable->getNameAsString(), variable->getType()};
  return {};
}

/// The object of a call like net->push_back(..): moving it again moves what was put in.
std::pair<std::string, QualType> objectOf(const Stmt *statement, ASTContext &context) {
  if (const auto *cleanups = dyn_cast<ExprWithCleanups>(statement))
    statement = cleanups->getSubExpr();
  const auto *call = dyn_cast<CXXMemberCallExpr>(statement);
  const Expr *object = call ? call->getImplicitObjectArgument() : nullptr;
  if (!object || isa<CXXThisExpr>(object->IgnoreParenImpCasts()))
    return {};
  object = object->IgnoreParenImpCasts();
  if (const auto *arrow = dyn_cast<CXXOperatorCallExpr>(object))
    if (arrow->getOperator() == OO_Arrow && isPlain(arrow->getArg(0)))
      return {textOf(arrow->getArg(0), context), arrow->getArg(0)->getType()};
  if (isPlain(object))
    return {textOf(object, context), object->getType()};
  return {};
}

std::vector<FixItHint> moveAfter(const Fix &fix, const SourceText &source, ASTContext &context) {
  const Stmt *statement = source.statement(fix.at);
  if (!statement || isa<ReturnStmt>(statement) || !fix.device || !source.usableAt(fix.device, fix.at))
    return {};
  std::pair<std::string, QualType> moved;
  const Expr *subject = source.expression(fix.subject);
  moved = namedBy(statement, context);
  if (moved.first.empty() && isPlain(subject))
    moved = {textOf(subject, context), subject->getType()};
  if (moved.first.empty())
    moved = objectOf(statement, context);
  if (moved.first.empty() || moved.first.find('\n') != std::string::npos)
    return {};
  const char *access = accessOf(moved.second);
  const CXXRecordDecl *record = moved.second.getNonReferenceType()->getAsCXXRecordDecl();
  bool tensor = record && record->getName() == "Tensor";
  std::optional<SourceLocation> after = source.afterStatement(statement);
  // A container of modules has no to() of its own.
  bool isMovable = access && (access[0] == '-' || record->hasMemberName(&context.Idents.get("to")));
  if (!isMovable || !after || tensor)
    return {};
  return {FixItHint::CreateInsertion(*after, "\n" + source.indentation(statement->getBeginLoc()) + moved.first +
                                                 access + "to(" + source.text(fix.device) + ");")};
}

bool isTensor(const Expr *expression) {
  const CXXRecordDecl *record =
      expression ? expression->getType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
  return record && record->getName() == "Tensor";
}

std::string deviceText(const Fix &fix, const SourceText &source) {
  if (!fix.device || !source.usableAt(fix.device, fix.at))
    return {};
  if (!fix.deviceOf)
    return source.text(fix.device);
  return isPlain(source.expression(fix.device)) && isTensor(source.expression(fix.device))
             ? source.text(fix.device) + ".device()"
             : std::string();
}

std::vector<FixItHint> append(const Fix &fix, const SourceText &source, const std::string &suffix) {
  const Expr *expression = source.expression(fix.at);
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

std::vector<FixItHint> assign(const Fix &fix, const SourceText &source) {
  const Expr *subject = source.expression(fix.subject);
  const Expr *call = source.expression(fix.at);
  if (!isPlain(subject) || !call || subject->getType().isConstQualified() || call->getBeginLoc().isMacroID())
    return {};
  std::string text = source.text(fix.subject);
  return text.empty() ? std::vector<FixItHint>{}
                      : std::vector<FixItHint>{FixItHint::CreateInsertion(call->getBeginLoc(), text + " = ")};
}

/// A factory call gets `.device(d)` on the options it has, or options of its own.
std::vector<FixItHint> addDevice(const Fix &fix, const SourceText &source, ASTContext &context) {
  std::string device = deviceText(fix, source);
  const auto *call =
      dyn_cast_or_null<CallExpr>(source.expression(fix.at) ? source.expression(fix.at)->IgnoreImplicit() : nullptr);
  if (device.empty() || !call || call->getNumArgs() == 0 || call->getEndLoc().isMacroID())
    return {};
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || isa<CXXMethodDecl>(callee))
    return {};
  for (unsigned n = 0; n < call->getNumArgs() && n < callee->getNumParams(); ++n) {
    const CXXRecordDecl *record = callee->getParamDecl(n)->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!record || record->getName() != "TensorOptions")
      continue;
    const Expr *argument = call->getArg(n);
    if (isa<CXXDefaultArgExpr>(argument)) {
      const Expr *last = call->getArg(n - (n > 0));
      SourceLocation end = n == 0 ? SourceLocation() : source.endOf(last);
      if (end.isInvalid())
        return {};
      return {FixItHint::CreateInsertion(end, ", torch::device(" + device + ")")};
    }
    const Expr *written = argument->IgnoreImplicit();
    if (const auto *construct = dyn_cast<CXXConstructExpr>(written))
      if (construct->getNumArgs() > 0)
        written = construct->getArg(0)->IgnoreImplicit();
    const CXXRecordDecl *given = written->getType()->getAsCXXRecordDecl();
    SourceLocation begin = written->getBeginLoc(), end = source.endOf(written);
    if (end.isInvalid() || begin.isMacroID())
      return {};
    if (given && given->getName() == "TensorOptions")
      return {FixItHint::CreateInsertion(end, ".device(" + device + ")")};
    return {FixItHint::CreateReplacement(written->getSourceRange(),
                                         "torch::dtype(" + textOf(written, context) + ").device(" + device + ")")};
  }
  return {};
}

} // namespace

std::vector<FixItHint> fixesFor(const Finding &finding, const SourceText &source, ASTContext &context) {
  const Fix &fix = finding.fix;
  switch (fix.kind) {
  case Fix::MoveModuleAfter:
    return moveAfter(fix, source, context);
  case Fix::AppendTo: {
    std::string device = deviceText(fix, source);
    return append(fix, source, device.empty() ? std::string() : ".to(" + device + ")");
  }
  case Fix::AssignResult:
    return assign(fix, source);
  case Fix::AddDevice:
    return addDevice(fix, source, context);
  default:
    return {};
  }
}

} // namespace samedevice::tidy
