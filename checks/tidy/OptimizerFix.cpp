// `optimizer.add_param_group(..)` behind what put a module or a parameter in without the optimizer's knowing: right
// there where it can be named, else behind the one call of the function that does it.
#include "CallsOf.h"
#include "FixParts.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/Support/FormatVariadic.h"

namespace samedevice::tidy {
using namespace clang;
using analysis::Fix;

namespace {

using Named = std::pair<std::string, QualType>;

/// The member that `statement` puts something into, as who calls the function names it.
Named asCallerNames(const Stmt *statement, const CallExpr *call, const SourceText &source) {
  const CXXOperatorCallExpr *assignment = asAssignment(statement);
  const auto *member = assignment ? dyn_cast<MemberExpr>(assignment->getArg(0)->IgnoreParenImpCasts()) : nullptr;
  const auto *field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  if (!field || (field->getAccess() != AS_public && field->getAccess() != AS_none))
    return {};
  const Expr *object = nullptr;
  const Expr *base = withoutArrow(member->getBase());
  if (const auto *method = dyn_cast<CXXMemberCallExpr>(call); method && isa<CXXThisExpr>(base))
    object = method->getImplicitObjectArgument();
  else if (const auto *named = dyn_cast<DeclRefExpr>(base))
    if (const auto *parameter = dyn_cast<ParmVarDecl>(named->getDecl());
        parameter && !isa<CXXMemberCallExpr>(call) && parameter->getFunctionScopeIndex() < call->getNumArgs())
      object = asWritten(call->getArg(parameter->getFunctionScopeIndex()));
  object = object ? withoutArrow(object) : nullptr;
  const char *access = object && isRepeatable(object) ? accessOf(object->getType()) : nullptr;
  if (!access || source.text(object).empty() || isa<CXXThisExpr>(object))
    return {};
  return {source.text(object) + access + field->getNameAsString(), field->getType()};
}

/// Members are not there yet while a constructor's list is made.
bool isCalledInList(const FunctionDecl *function) {
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
  if (!method)
    return false;
  for (const CXXConstructorDecl *constructor : method->getParent()->ctors()) {
    CallsOf calls(function);
    for (const CXXCtorInitializer *initializer : constructor->inits())
      calls.walk(initializer->getInit());
    if (calls.only())
      return true;
  }
  return false;
}

Fixes tell(const Fix &fix, facts::SourceId place, const Named &put, const SourceText &source, ASTContext &context) {
  const auto &[module, type] = put;
  const char *access = module.empty() ? nullptr : accessOf(type);
  if (!access || module.find('\n') != std::string::npos)
    return {};
  const std::string parameters =
      classOf(type) == "Tensor" ? "std::vector<torch::Tensor>{" + module + "}" : module + access + "parameters()";
  for (const analysis::Home &home : fix.homes) {
    const std::string optimizer = source.declaredAt(home.source, place);
    const auto *variable = optimizer.empty() ? nullptr : dyn_cast<ValueDecl>(source.entry(home.source)->decl);
    const char *reached = variable ? accessOf(variable->getType()) : nullptr;
    // A member that points to one need not do so yet, where the function is called for the first time.
    const bool mayBeNull = reached && reached[0] == '-' && isa<FieldDecl>(variable);
    if (!reached || (mayBeNull && isCalledInList(dyn_cast<FunctionDecl>(source.entry(place)->function))))
      continue;
    return lineAfter(source.room(place),
                     llvm::formatv("{0}{1}{2}add_param_group(torch::optim::OptimizerParamGroup({3}));",
                                   mayBeNull ? "if (" + optimizer + ") " : "", optimizer, reached, parameters),
                     source, context);
  }
  return {};
}

} // namespace

Fixes addParameters(const Fix &fix, const SourceText &source, ASTContext &context) {
  const Stmt *statement = source.room(fix.at).statement;
  Fixes fixes = tell(fix, fix.at, putInBy(statement, source.expression(fix.subject), context), source, context);
  const auto *function = statement ? dyn_cast_or_null<FunctionDecl>(source.entry(fix.at)->function) : nullptr;
  if (!fixes.empty() || !function || function->isTemplateInstantiation())
    return fixes;
  const CallExpr *call = onlyCallOf(function, context);
  const facts::SourceId place = call ? source.idOf(call) : 0;
  return place ? tell(fix, place, asCallerNames(statement, call, source), source, context) : Fixes{};
}

} // namespace samedevice::tidy
