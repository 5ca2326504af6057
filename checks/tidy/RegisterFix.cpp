// `mask = torch::ones(..)` in a module's constructor becomes `mask = register_buffer("mask", torch::ones(..))`. What
// the constructor's list makes, or a list of modules is given, is registered beside it.
#include "FixParts.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

namespace samedevice::tidy {
using namespace clang;

namespace {

struct Storing {
  const FieldDecl *field = nullptr;
  const Expr *value = nullptr;
};

const FieldDecl *ownMember(const Expr *expression) {
  const auto *member = dyn_cast<MemberExpr>(expression->IgnoreParenImpCasts());
  return member && isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts())
             ? dyn_cast<FieldDecl>(member->getMemberDecl())
             : nullptr;
}

/// Which member gets which value: in an assignment, a constructor's list, or the class itself.
Storing storingAt(const Expr *at, const CXXConstructorDecl *constructor) {
  if (const CXXOperatorCallExpr *assignment = asAssignment(at))
    return {ownMember(assignment->getArg(0)), assignment->getArg(1)};
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

/// "register_buffer" for a tensor, "register_module" for a module by its holder or pointer; nullptr for others.
const char *registersAs(QualType type) {
  const CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record)
    return nullptr;
  if (record->getName() == "Tensor")
    return "register_buffer";
  const bool isShared = record->getName() == "shared_ptr" && isA(heldBy(record), "torch::nn::Module");
  return isShared || isA(record, "torch::nn::ModuleHolder") ? "register_module" : nullptr;
}

Fixes wrapped(const Expr *value, const std::string &call, const SourceText &source) {
  const SourceLocation end = source.endOf(value);
  if (end.isInvalid() || value->getBeginLoc().isMacroID())
    return {};
  return {FixItHint::CreateInsertion(value->getBeginLoc(), call + ", "), FixItHint::CreateInsertion(end, ")")};
}

/// Nobody else has this name for something, as far as the file says.
bool isFree(const std::string &name, const FieldDecl *field, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  return !sources.getBufferData(sources.getFileID(field->getLocation())).contains("\"" + name + "\"");
}

/// What the constructor's list made is registered where its body begins.
Fixes registerFirst(const FieldDecl *field, const CXXConstructorDecl *constructor, const SourceText &source,
                    const ASTContext &context) {
  const auto *body = dyn_cast_or_null<CompoundStmt>(constructor->getBody());
  const std::string name = field->getNameAsString();
  const auto written = llvm::count_if(constructor->getParent()->ctors(),
                                      [](const CXXConstructorDecl *other) { return other->isUserProvided(); });
  if (!body || body->getLBracLoc().isMacroID() || written != 1 || !isFree(name, field, context))
    return {};
  const std::string line = "register_module(\"" + name + "\", " + name + ");";
  if (body->body_empty())
    return {FixItHint::CreateInsertion(body->getRBracLoc(), " " + line + " ")};
  const SourceLocation first = body->body_front()->getBeginLoc();
  const SourceManager &sources = context.getSourceManager();
  if (first.isMacroID())
    return {};
  if (sources.getSpellingLineNumber(first) == sources.getSpellingLineNumber(body->getLBracLoc()))
    return {FixItHint::CreateInsertion(first, line + " ")};
  return {lineBefore(first, line, source)};
}

/// `critics_[1]` by a name for it; empty for what is no such element.
std::string elementName(const Expr *target) {
  const auto *element = dyn_cast<CXXOperatorCallExpr>(target->IgnoreParenImpCasts());
  if (!element || element->getOperator() != OO_Subscript)
    return {};
  const FieldDecl *list = ownMember(element->getArg(0));
  const auto *index = dyn_cast<IntegerLiteral>(element->getArg(1)->IgnoreParenImpCasts());
  return list && index ? list->getNameAsString() + std::to_string(index->getValue().getZExtValue()) : std::string();
}

/// What a list of the class is given is registered under the list's name and its place there.
Fixes registerElement(const analysis::Fix &fix, const SourceText &source, ASTContext &context) {
  const SourceText::Room room = source.room(fix.at);
  const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(withoutCleanups(room.statement));
  const FieldDecl *list = call ? ownMember(call->getImplicitObjectArgument()) : nullptr;
  const auto *type =
      dyn_cast_or_null<ClassTemplateSpecializationDecl>(list ? list->getType()->getAsCXXRecordDecl() : nullptr);
  if (!type || !type->isInStdNamespace() || type->getName() != "vector" || !call->getNumArgs() ||
      !call->getMethodDecl()->getIdentifier())
    return {};
  const llvm::StringRef method = call->getMethodDecl()->getName();
  const QualType element = type->getTemplateArgs()[0].getAsType();
  const char *as = registersAs(element);
  if (!as || (method != "push_back" && method != "emplace_back"))
    return {};
  const std::string name = list->getNameAsString(),
                    label = std::string(as) + "(\"" + name + "\" + std::to_string(" + name;
  const Expr *given = asWritten(call->getArg(0));
  const char *givenAs = call->getNumArgs() == 1 ? registersAs(given->getType()) : nullptr;
  if (givenAs && llvm::StringRef(givenAs) == as && source.room(fix.at).statement)
    return wrapped(given, label + ".size())", source);
  return lineAfter(room, label + ".size() - 1), " + name + ".back());", source, context);
}

} // namespace

Fixes registerMember(const analysis::Fix &fix, const SourceText &source, ASTContext &context) {
  const Expr *at = source.expression(fix.at);
  const auto *constructor = at ? dyn_cast_or_null<CXXConstructorDecl>(source.entry(fix.at)->function) : nullptr;
  // Only a class that is a module itself can register.
  if (!constructor || !isA(constructor->getParent(), "torch::nn::Module"))
    return {};
  if (const CXXOperatorCallExpr *assignment = asAssignment(at))
    if (const std::string name = elementName(assignment->getArg(0)); !name.empty())
      if (const char *as = registersAs(asWritten(assignment->getArg(1))->getType()))
        return wrapped(asWritten(assignment->getArg(1)), std::string(as) + "(\"" + name + "\"", source);
  auto [field, value] = storingAt(at, constructor);
  if (!field || !value)
    return registerElement(fix, source, context);
  value = asWritten(value);
  const char *as = registersAs(value->getType());
  // `fc(10, 20)` in the constructor's list is no expression that could be handed on.
  const bool isWhole = isa<CallExpr, CXXTemporaryObjectExpr, CXXFunctionalCastExpr, DeclRefExpr>(value) && as;
  if (isWhole)
    return wrapped(value, std::string(as) + "(\"" + field->getNameAsString() + "\"", source);
  as = registersAs(field->getType());
  const bool isModule = as && llvm::StringRef(as) == "register_module";
  return isModule && !asAssignment(at) ? registerFirst(field, constructor, source, context) : Fixes{};
}

/// A tensor that is registered already takes over what was to be another one.
Fixes setData(const analysis::Fix &fix, const SourceText &source) {
  const CXXOperatorCallExpr *assignment = asAssignment(source.expression(fix.at));
  const Expr *target = assignment ? assignment->getArg(0) : nullptr;
  if (!target || !isTensor(target) || !isTensor(assignment->getArg(1)) || !isPlain(target) ||
      assignment->getBeginLoc().isMacroID() || assignment->getEndLoc().isMacroID())
    return {};
  const Expr *value = asWritten(assignment->getArg(1));
  return {FixItHint::CreateReplacement(CharSourceRange::getCharRange(source.endOf(target), value->getBeginLoc()),
                                       ".set_data("),
          FixItHint::CreateInsertion(source.endOf(value), ")")};
}

} // namespace samedevice::tidy
