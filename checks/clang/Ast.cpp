#include "Ast.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"

namespace samedevice::clangfront {

using namespace clang;

namespace {

bool changesMeaning(const CastExpr *cast) {
  switch (cast->getCastKind()) {
  case CK_Dynamic:
  case CK_PointerToBoolean:
  case CK_IntegralToBoolean:
  case CK_MemberPointerToBoolean:
  case CK_FloatingToBoolean:
  case CK_PointerToIntegral:
  case CK_IntegralToPointer:
  case CK_NullToPointer:
  case CK_FloatingToIntegral:
    return true;
  default:
    return false;
  }
}

} // namespace

const Expr *stripped(const Expr *expr) {
  while (expr) {
    if (const auto *paren = dyn_cast<ParenExpr>(expr))
      expr = paren->getSubExpr();
    else if (const auto *full = dyn_cast<FullExpr>(expr))
      expr = full->getSubExpr();
    else if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expr))
      expr = temporary->getSubExpr();
    else if (const auto *bound = dyn_cast<CXXBindTemporaryExpr>(expr))
      expr = bound->getSubExpr();
    else if (const auto *substituted = dyn_cast<SubstNonTypeTemplateParmExpr>(expr))
      expr = substituted->getReplacement();
    else if (const auto *opaque = dyn_cast<OpaqueValueExpr>(expr); opaque && opaque->getSourceExpr())
      expr = opaque->getSourceExpr();
    else if (const auto *cast = dyn_cast<CastExpr>(expr); cast && !changesMeaning(cast))
      expr = cast->getSubExpr();
    else
      return expr;
  }
  return nullptr;
}

bool isNullLiteral(const Expr *expr) {
  const Expr *inner = stripped(expr);
  if (!inner)
    return false;
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(inner); cast && cast->getCastKind() == CK_NullToPointer)
    return true;
  if (const CXXRecordDecl *record = inner->getType()->getAsCXXRecordDecl(); record && record->getName() == "nullopt_t")
    return true;
  return isa<CXXNullPtrLiteralExpr>(inner) || isa<GNUNullExpr>(inner);
}

bool isTruth(const Expr *expr) { return !expr->getType().isNull() && expr->getType()->isBooleanType(); }

const Expr *converted(const Expr *expr) {
  expr = stripped(expr);
  while (const auto *construction = dyn_cast_or_null<CXXConstructExpr>(expr))
    expr = construction->getNumArgs() > 0 ? stripped(construction->getArg(0)) : nullptr;
  return expr;
}

/// Whether the last word of an iterator's is one of these.
static bool isCalled(const Expr *iterator, llvm::ArrayRef<StringRef> names) {
  const auto *call = dyn_cast_or_null<CallExpr>(converted(iterator));
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier())
    return false;
  if (callee->getName() == "make_move_iterator" && call->getNumArgs() == 1)
    return isCalled(call->getArg(0), names);
  return llvm::is_contained(names, callee->getName());
}

bool isBegin(const Expr *expr) { return isCalled(expr, {"begin", "cbegin"}); }
bool isEnd(const Expr *expr) {
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(convertedAlone(expr));
  if (ref && ref->getDecl()->isImplicit() && ref->getDecl()->getName().starts_with("__end"))
    return true; // of a loop over a range
  return isCalled(expr, {"end", "cend", "rend"});
}

const Expr *optionsBefore(const Expr *made) {
  const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(made);
  const CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  if (!method || method->getParent()->getQualifiedNameAsString() != "c10::TensorOptions")
    return nullptr;
  return stripped(call->getImplicitObjectArgument());
}

const Expr *convertedAlone(const Expr *expr) {
  expr = stripped(expr);
  while (const auto *construction = dyn_cast_or_null<CXXConstructExpr>(expr))
    expr = construction->getNumArgs() == 1 ? stripped(construction->getArg(0)) : nullptr;
  return expr;
}

bool isOwnParameters(const Expr *expr) {
  const auto *access = dyn_cast_or_null<MemberExpr>(stripped(expr));
  const auto *field = access ? dyn_cast<FieldDecl>(access->getMemberDecl()) : nullptr;
  return field && field->getName() == "parameters_" &&
         cast<CXXRecordDecl>(field->getParent())->getQualifiedNameAsString() == "torch::nn::Module";
}

std::optional<std::int64_t> constantInt(const Expr *expr, const ASTContext &context) {
  Expr::EvalResult found;
  if (expr->isValueDependent() || !expr->getType()->isIntegralOrEnumerationType() ||
      !expr->EvaluateAsInt(found, context))
    return std::nullopt;
  return found.Val.getInt().getExtValue();
}

bool isOmitted(const Expr *argument) { return isa<CXXDefaultArgExpr>(argument->IgnoreParenImpCasts()); }

const ValueDecl *variableOf(const Expr *expr) {
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(stripped(expr));
  return ref ? ref->getDecl() : nullptr;
}

const ValueDecl *addressed(const Expr *expr) {
  expr = stripped(expr);
  if (const auto *address = dyn_cast_or_null<UnaryOperator>(expr); address && address->getOpcode() == UO_AddrOf)
    expr = stripped(address->getSubExpr());
  if (const auto *access = dyn_cast_or_null<MemberExpr>(expr))
    return access->getMemberDecl();
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(expr);
  return ref ? ref->getDecl() : nullptr;
}

bool isOwnVariable(const Expr *expr) {
  expr = stripped(expr);
  if (const auto *access = dyn_cast_or_null<MemberExpr>(expr))
    return access->isArrow() ? isa_and_nonnull<CXXThisExpr>(stripped(access->getBase()))
                             : isOwnVariable(access->getBase());
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(expr);
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  return variable && !variable->hasAttr<CUDADeviceAttr>() && !variable->hasAttr<CUDAConstantAttr>() &&
         !variable->hasAttr<HIPManagedAttr>();
}

bool isOrDerivesFrom(const CXXRecordDecl *record, const CXXRecordDecl *base) {
  record = record ? record->getDefinition() : nullptr;
  return record && (record->getCanonicalDecl() == base->getCanonicalDecl() || record->isDerivedFrom(base));
}

const CXXMethodDecl *lambdaBody(const CXXRecordDecl *record) {
  if (!record || !record->isLambda())
    return nullptr;
  const CXXMethodDecl *body = record->getLambdaCallOperator();
  if (!body || !record->isGenericLambda())
    return body;
  const FunctionTemplateDecl *pattern = body->getDescribedFunctionTemplate();
  const CXXMethodDecl *only = nullptr;
  for (const FunctionDecl *instance : pattern ? pattern->specializations() : FunctionTemplateDecl::spec_range({}, {})) {
    if (only)
      return nullptr;
    only = cast<CXXMethodDecl>(instance);
  }
  return only;
}

bool comesFromMacro(SourceLocation location, const std::vector<std::string> &macros, const ASTContext &context) {
  if (macros.empty())
    return false;
  const SourceManager &sources = context.getSourceManager();
  while (location.isMacroID()) {
    if (sources.isMacroArgExpansion(location)) {
      location = sources.getImmediateSpellingLoc(location);
      continue;
    }
    StringRef name = Lexer::getImmediateMacroName(location, sources, context.getLangOpts());
    if (std::find(macros.begin(), macros.end(), name) != macros.end())
      return true;
    location = sources.getImmediateExpansionRange(location).getBegin();
  }
  return false;
}

} // namespace samedevice::clangfront
