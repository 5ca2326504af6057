// `mask = torch::ones(..)` in a module's constructor becomes `mask = register_buffer("mask", torch::ones(..))`.
#include "FixParts.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace samedevice::tidy {
using namespace clang;

namespace {

struct Storing {
  const FieldDecl *field = nullptr;
  const Expr *value = nullptr;
};

/// Which member gets which value: in an assignment, a constructor's list, or the class itself.
Storing storingAt(const analysis::Fix &fix, const SourceText &source) {
  const Expr *at = source.expression(fix.at);
  const auto *constructor = dyn_cast_or_null<CXXConstructorDecl>(source.entry(fix.at)->function);
  if (!at || !constructor)
    return {};
  if (const CXXOperatorCallExpr *assignment = asAssignment(at)) {
    const auto *member = dyn_cast<MemberExpr>(assignment->getArg(0)->IgnoreParenImpCasts());
    if (!member || !isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
      return {};
    return {dyn_cast<FieldDecl>(member->getMemberDecl()), assignment->getArg(1)};
  }
  for (const CXXCtorInitializer *initializer : constructor->inits()) {
    if (!initializer->isMemberInitializer() || !initializer->getInit())
      continue;
    const Expr *init = initializer->getInit();
    if (const auto *inClass = dyn_cast<CXXDefaultInitExpr>(init))
      init = inClass->getExpr();
    if (init->getSourceRange() == at->getSourceRange() ||
        init->IgnoreImplicit()->getSourceRange() == at->IgnoreImplicit()->getSourceRange())
      return {initializer->getMember(), init};
  }
  return {};
}

} // namespace

Fixes registerMember(const analysis::Fix &fix, const SourceText &source, ASTContext &) {
  auto [field, value] = storingAt(fix, source);
  if (!field || !value)
    return {};
  const CXXRecordDecl *record = field->getType()->getAsCXXRecordDecl();
  bool isBuffer = record && record->getName() == "Tensor";
  // Only a class that is a module itself can register; a list of modules is another matter.
  bool canRegister = anyOfBases(dyn_cast<CXXRecordDecl>(field->getParent()), [](const CXXRecordDecl *base) {
    return base->getQualifiedNameAsString() == "torch::nn::Module";
  });
  bool isHolder = anyOfBases(record, [](const CXXRecordDecl *base) { return base->getName() == "ModuleHolder"; });
  value = value->IgnoreImplicit();
  if (const auto *copy = dyn_cast<CXXConstructExpr>(value); copy && copy->getNumArgs() == 1)
    value = copy->getArg(0)->IgnoreImplicit();
  // `fc(10, 20)` in the constructor's list is no expression that could be handed on.
  bool isWhole = isa<CallExpr, CXXTemporaryObjectExpr, CXXFunctionalCastExpr>(value) &&
                 value->getType()->getAsCXXRecordDecl() == record;
  SourceLocation end = source.endOf(value);
  if (!isWhole || !canRegister || (!isBuffer && !isHolder) || end.isInvalid() || value->getBeginLoc().isMacroID())
    return {};
  std::string call = isBuffer ? "register_buffer" : "register_module";
  return {FixItHint::CreateInsertion(value->getBeginLoc(), call + "(\"" + field->getNameAsString() + "\", "),
          FixItHint::CreateInsertion(end, ")")};
}

} // namespace samedevice::tidy
