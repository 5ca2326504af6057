// A module that was left behind is moved: beside its sisters, or after what makes or registers it.
#include "FixParts.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

namespace samedevice::tidy {
using namespace clang;
using analysis::Finding;
using analysis::Fix;

namespace {

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

/// An instance of a template of the standard library.
const ClassTemplateSpecializationDecl *ofStd(const CXXRecordDecl *record) {
  const auto *instance = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  return instance && instance->isInStdNamespace() ? instance : nullptr;
}

/// What a container of the standard library was given, by the name it has there: `critics.back()`, `heads.at(task)`.
std::pair<std::string, QualType> elementAddedBy(const Stmt *statement, ASTContext &context) {
  const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(withoutCleanups(statement));
  const CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  const Expr *list = call ? call->getImplicitObjectArgument()->IgnoreParenImpCasts() : nullptr;
  const auto *type = list ? ofStd(list->getType().getNonReferenceType()->getAsCXXRecordDecl()) : nullptr;
  if (!type || !method->getIdentifier() || !isPlain(list) || !call->getNumArgs())
    return {};
  const bool isMap = type->getName() == "map" || type->getName() == "unordered_map";
  const llvm::StringRef name = method->getName();
  const unsigned element = isMap ? 1 : 0;
  if (type->getTemplateArgs().size() <= element || type->getTemplateArgs()[element].getKind() != TemplateArgument::Type)
    return {};
  const QualType held = type->getTemplateArgs()[element].getAsType();
  if (!isMap && (name == "push_back" || name == "emplace_back"))
    return {textOf(list, context) + ".back()", held};
  const Expr *key = call->getArg(0)->IgnoreImplicit();
  if (isMap && (name == "emplace" || name == "try_emplace") &&
      (isPlain(key) || isa<StringLiteral, IntegerLiteral>(key)))
    return {textOf(list, context) + ".at(" + textOf(key, context) + ")", held};
  return {};
}

/// The tensor that register_buffer or register_parameter is given.
const Expr *tensorRegisteredBy(const Stmt *statement) {
  const CXXOperatorCallExpr *assignment = asAssignment(statement);
  const Stmt *made = assignment ? assignment->getArg(1)->IgnoreImplicit() : withoutCleanups(statement);
  const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(made);
  const CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  if (!method || !method->getIdentifier() || call->getNumArgs() < 2)
    return nullptr;
  const bool registers = method->getName() == "register_buffer" || method->getName() == "register_parameter";
  return registers ? asWritten(call->getArg(1)) : nullptr;
}

/// How to() is called on it; empty where it has none of the kind.
std::string moved(const std::pair<std::string, QualType> &module, const std::string &device) {
  const auto &[name, type] = module;
  if (name.empty() || name.find('\n') != std::string::npos || device.empty() || classOf(type) == "Tensor")
    return {};
  const CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (const auto *holder = ofStd(record); holder && holder->getName() == "optional")
    return moved({"(*" + name + ")", holder->getTemplateArgs()[0].getAsType()}, device);
  else if (holder && holder->getName().contains("iterator")) {
    // What a map's leads to is a pair; others are not worth a word here.
    const TemplateArgumentList &of = holder->getTemplateArgs();
    const auto *entry = of.size() && of[0].getKind() == TemplateArgument::Type
                            ? ofStd(of[0].getAsType()->getAsCXXRecordDecl())
                            : nullptr;
    return entry && entry->getName() == "pair"
               ? moved({name + "->second", entry->getTemplateArgs()[1].getAsType()}, device)
               : std::string();
  }
  const char *access = accessOf(type);
  // A container of modules has no to() of its own.
  const bool isMovable = access && (access[0] == '-' || anyOfBases(record, [](const CXXRecordDecl *base) {
                                      return llvm::any_of(base->methods(), [](const CXXMethodDecl *method) {
                                        return method->getIdentifier() && method->getName() == "to";
                                      });
                                    }));
  return isMovable ? name + access + "to(" + device + ");" : std::string();
}

/// One that is read back somewhere may be put back by that.
bool isReadBack(const std::string &module, const Stmt *within, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  return sources.getBufferData(sources.getFileID(sources.getFileLoc(within->getBeginLoc()))).contains("load(" + module);
}

/// Behind a line that moves a sister, with the device that is written there.
Fixes moveWithSister(const Fix &fix, facts::SourceId sister, const SourceText &source, ASTContext &context) {
  const auto *move = dyn_cast_or_null<CXXMemberCallExpr>(
      source.expression(sister) ? source.expression(sister)->IgnoreImplicit() : nullptr);
  const Expr *module = source.expression(fix.subject);
  const Stmt *whole = source.wholeStatement(sister);
  if (!move || !move->getNumArgs() || !isPlain(module) || !whole || !source.usableAt(fix.subject, sister))
    return {};
  const Expr *device = move->getArg(0);
  if (dependsOn(device, whole, context.getSourceManager()) || source.text(device).empty())
    return {};
  // Of several in a loop, what comes behind the loop is moved once.
  std::optional<SourceLocation> after;
  if (isa<Expr>(whole))
    after = source.afterStatement(whole);
  else if (isa<CXXForRangeStmt, ForStmt>(whole))
    after = source.afterBlock(whole);
  const std::string line =
      moved({source.text(withoutArrow(module)), withoutArrow(module)->getType()}, source.text(device));
  if (!after || line.empty())
    return {};
  if (isReadBack(source.text(withoutArrow(module)), whole, context))
    return {};
  return {lineAt(*after, whole, line, source, context.getSourceManager())};
}

} // namespace

std::pair<std::string, QualType> putInBy(const Stmt *statement, const Expr *subject, ASTContext &context) {
  std::pair<std::string, QualType> named;
  if (statement)
    named = namedBy(statement, context);
  if (named.first.empty() && isPlain(subject))
    named = {textOf(withoutArrow(subject), context), withoutArrow(subject)->getType()};
  return named;
}

Fixes moveAfter(const Fix &fix, const SourceText &source, ASTContext &context) {
  const SourceText::Room room = source.room(fix.at);
  const Stmt *statement = room.statement;
  if (!statement)
    return {};
  std::string device = deviceAt(fix, fix.at, source);
  if (const Expr *tensor = tensorRegisteredBy(statement))
    return append(tensor, device.empty() ? "" : ".to(" + device + ")", source);
  std::pair<std::string, QualType> named = putInBy(statement, source.expression(fix.subject), context);
  if (named.first.empty())
    named = elementAddedBy(statement, context);
  if (named.first.empty())
    named = objectOf(statement, context);
  const std::string line = moved(named, device);
  return line.empty() ? Fixes{} : lineAfter(room, line, source, context);
}

/// What a function handed out, behind the declaration that names it.
static Fixes moveAfterDeclaration(const Fix &fix, const SourceText &source, ASTContext &context) {
  const Expr *module = source.expression(fix.subject);
  const auto *named = module ? dyn_cast<DeclRefExpr>(withoutArrow(module)) : nullptr;
  if (!named)
    return {};
  const facts::SourceId declaration = source.declarationOf(named->getDecl());
  const SourceText::Room room = source.room(declaration);
  if (!room.statement || !isa<DeclStmt>(room.statement) || source.isAssignedBehind(named->getDecl(), declaration))
    return {};
  const std::string line =
      moved({named->getDecl()->getNameAsString(), named->getType()}, deviceAt(fix, declaration, source));
  return line.empty() ? Fixes{} : lineAfter(room, line, source, context);
}

/// A member that a constructor was given, or makes in its list, at the end of the body.
static Fixes moveInConstructor(Fix fix, facts::SourceId at, const SourceText &source, ASTContext &context) {
  // A literal that somebody else works with is not the class's.
  if (const Expr *device = source.expression(fix.device); !device || !isPlain(asWritten(device)))
    fix.device = 0;
  const FieldDecl *member = source.initializedAt(at);
  const auto *body = member ? dyn_cast_or_null<CompoundStmt>(source.entry(at)->function->getBody()) : nullptr;
  const std::string line =
      member ? moved({member->getNameAsString(), member->getType()}, deviceAt(fix, at, source)) : std::string();
  if (!body || line.empty() || isReadBack(member->getNameAsString(), body, context))
    return {};
  const SourceManager &sources = context.getSourceManager();
  const SourceLocation end = body->getRBracLoc();
  if (end.isMacroID() || (!body->body_empty() && isa<ReturnStmt>(body->body_back())))
    return {};
  if (body->body_empty() || sources.getSpellingLineNumber(end) == sources.getSpellingLineNumber(body->getLBracLoc())) {
    const bool hasSpace = end.isValid() && sources.getCharacterData(end)[-1] == ' ';
    return {FixItHint::CreateInsertion(end, (hasSpace ? "" : " ") + line + " ")};
  }
  const std::string outer = source.indentation(end), inner = source.indentation(body->body_front()->getBeginLoc());
  const std::string deeper = inner.size() > outer.size() ? inner.substr(outer.size()) : std::string();
  return {FixItHint::CreateInsertion(end, deeper + line + "\n" + outer)};
}

/// Before the statement that hands it a tensor, to where that is.
static Fixes moveBeforeUse(const Finding &finding, const SourceText &source) {
  const Expr *module = source.expression(finding.fix.subject), *other = source.expression(finding.other);
  const Stmt *statement = source.statement(finding.fix.subject);
  if (!module || !other || !statement || statement->getBeginLoc().isMacroID() || !isPlain(module) ||
      !source.isBeside(other, finding.fix.subject))
    return {};
  Fix there;
  there.device = finding.other;
  there.deviceOf = true;
  const Expr *holder = withoutArrow(module);
  const std::string line =
      moved({source.text(holder), holder->getType()}, deviceAt(there, finding.fix.subject, source));
  return line.empty() ? Fixes{} : Fixes{lineBefore(statement->getBeginLoc(), line, source)};
}

Fixes moveModule(const Finding &finding, const SourceText &source, ASTContext &context) {
  const Fix &fix = finding.fix;
  for (facts::SourceId sister : fix.sisters)
    if (Fixes fixes = moveWithSister(fix, sister, source, context); !fixes.empty())
      return fixes;
  Fix made = fix;
  made.subject = 0; // what is used there need not be what is made here
  Fixes fixes = moveAfter(made, source, context);
  if (fixes.empty() && finding.variant == "used")
    fixes = moveAfterDeclaration(fix, source, context);
  for (facts::SourceId at : {finding.at, fix.at})
    if (fixes.empty() && finding.variant == "made")
      fixes = moveInConstructor(fix, at, source, context);
  // One that is somewhere already may be right there, and its input wrong.
  const bool wasMoved = finding.check != analysis::Check::UnmovedModule;
  return fixes.empty() && !wasMoved ? moveBeforeUse(finding, source) : fixes;
}

} // namespace samedevice::tidy
