#include "Fixes.h"

#include "FixParts.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace samedevice::tidy {
using namespace clang;
using analysis::Finding;
using analysis::Fix;

namespace {

/// How a member of this object is reached: holders and pointers by an arrow.
const char *accessOf(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType())
    return "->";
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return nullptr;
  bool arrow = anyOfBases(record, [](const CXXRecordDecl *r) {
    return llvm::any_of(r->methods(), [](const CXXMethodDecl *m) { return m->getOverloadedOperator() == OO_Arrow; });
  });
  return arrow ? "->" : ".";
}

/// What the statement gives a name to: the left side of an assignment, or its one variable.
std::pair<std::string, QualType> namedBy(const Stmt *statement, ASTContext &context) {
  if (const CXXOperatorCallExpr *assignment = asAssignment(statement))
    if (isPlain(assignment->getArg(0)))
      return {textOf(assignment->getArg(0), context), assignment->getArg(0)->getType()};
  if (const auto *declaration = dyn_cast<DeclStmt>(statement))
    if (declaration->isSingleDecl())
      if (const auto *variable = dyn_cast<VarDecl>(declaration->getSingleDecl()))
        return {variable->getNameAsString(), variable->getType()};
  return {};
}

/// The object of a call like net->push_back(..): moving it again moves what was put in.
std::pair<std::string, QualType> objectOf(const Stmt *statement, ASTContext &context) {
  const auto *call = dyn_cast<CXXMemberCallExpr>(withoutCleanups(statement));
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

Fixes moveAfter(const Fix &fix, const SourceText &source, ASTContext &context) {
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

std::string deviceText(const Fix &fix, const SourceText &source) {
  if (!fix.device || !source.usableAt(fix.device, fix.at))
    return {};
  if (!fix.deviceOf)
    return source.text(fix.device);
  return isPlain(source.expression(fix.device)) && isTensor(source.expression(fix.device))
             ? source.text(fix.device) + ".device()"
             : std::string();
}

Fixes assign(const Fix &fix, const SourceText &source) {
  const Expr *subject = source.expression(fix.subject);
  const Expr *call = source.expression(fix.at);
  if (!isPlain(subject) || !call || subject->getType().isConstQualified() || call->getBeginLoc().isMacroID())
    return {};
  std::string text = source.text(fix.subject);
  return text.empty() ? Fixes{} : Fixes{FixItHint::CreateInsertion(call->getBeginLoc(), text + " = ")};
}

/// A factory call gets `.device(d)` on the options it has, or options of its own.
Fixes addDevice(const Fix &fix, const SourceText &source, ASTContext &context) {
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

/// `torch::load(model, path)` gets the device that the model was moved to.
Fixes loadOnto(const Fix &fix, const SourceText &source) {
  const auto *call = dyn_cast_or_null<CallExpr>(source.expression(fix.at));
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  std::string device = deviceText(fix, source);
  if (!callee || device.empty() || callee->getName() != "load" || call->getRParenLoc().isMacroID())
    return {};
  bool isScript = call->getType()->getAsCXXRecordDecl();
  unsigned written = 0;
  for (const Expr *argument : call->arguments())
    written += !isa<CXXDefaultArgExpr>(argument);
  if (isa<CXXMethodDecl>(callee) || written != (isScript ? 1u : 2u))
    return {};
  return {FixItHint::CreateInsertion(call->getRParenLoc(), ", " + device)};
}

/// `CUDAGuard guard(0)` is for the device of a tensor instead.
Fixes indexOf(const Fix &fix, const SourceText &source) {
  const Expr *written = source.expression(fix.at);
  const clangfront::SourceEntry *subject = source.entry(fix.subject);
  const auto *tensor = subject ? dyn_cast_or_null<ParmVarDecl>(subject->decl) : nullptr;
  const CXXRecordDecl *record = tensor ? tensor->getType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
  if (!written || !record || record->getName() != "Tensor" || tensor->getName().empty() ||
      written->getBeginLoc().isMacroID() || written->getEndLoc().isMacroID())
    return {};
  const char *what = written->getType()->isIntegerType() ? ".device().index()" : ".device()";
  return {FixItHint::CreateReplacement(written->getSourceRange(), tensor->getNameAsString() + what)};
}

Fixes synchronizeBefore(const Fix &fix, const SourceText &source, ASTContext &context) {
  const Stmt *statement = source.statement(fix.at);
  const DeclContext *scope = context.getTranslationUnitDecl();
  const NamedDecl *found = nullptr;
  for (const char *name : {"torch", "cuda", "synchronize"}) {
    auto result = scope ? scope->lookup(&context.Idents.get(name)) : DeclContextLookupResult();
    found = result.empty() ? nullptr : result.front();
    scope = dyn_cast_or_null<NamespaceDecl>(found);
  }
  if (!statement || !found || statement->getBeginLoc().isMacroID())
    return {};
  return {lineBefore(statement->getBeginLoc(), "torch::cuda::synchronize();", source)};
}

} // namespace

Fixes fixesFor(const Finding &finding, const SourceText &source, ASTContext &context) {
  const Fix &fix = finding.fix;
  switch (fix.kind) {
  case Fix::MoveModuleAfter:
    return moveAfter(fix, source, context);
  case Fix::AppendTo: {
    std::string device = deviceText(fix, source);
    return append(source.expression(fix.at), device.empty() ? "" : ".to(" + device + ")", source);
  }
  case Fix::AssignResult:
    return assign(fix, source);
  case Fix::IndexOf:
    return indexOf(fix, source);
  case Fix::GuardBefore:
    return guardBefore(fix, source, context);
  case Fix::AddDevice:
    return addDevice(fix, source, context);
  case Fix::HostCopy:
    return hostCopy(fix, source, context);
  case Fix::Register:
    return registerMember(fix, source, context);
  case Fix::SynchronizeBefore:
    return synchronizeBefore(fix, source, context);
  case Fix::LoadOnto:
    return loadOnto(fix, source);
  case Fix::None:
    return {};
  }
  return {};
}

} // namespace samedevice::tidy
