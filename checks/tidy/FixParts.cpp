#include "FixParts.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
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

/// An element or a part of what the standard library or torch keeps, or of a class that promises not to change.
static bool readsElement(const FunctionDecl *callee) {
  static constexpr llvm::StringLiteral kReading[] = {"at", "front", "back", "key", "value", "get"};
  if (!callee)
    return false;
  const OverloadedOperatorKind op = callee->getOverloadedOperator();
  if (op == OO_Arrow)
    return true;
  const bool isNamed = callee->getIdentifier() && llvm::is_contained(kReading, callee->getName());
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  const std::string scope = callee->getQualifiedNameAsString();
  const llvm::StringRef name = scope;
  const bool isKnown = name.starts_with("std::") || name.starts_with("torch::");
  const bool isGone = name.contains("future"); // what it gives, it gives once
  return (op == OO_Subscript || isNamed) && !isGone && (isKnown || (method && method->isConst()));
}

bool isRepeatable(const Expr *expression) {
  expression = asWritten(expression)->IgnoreParenImpCasts();
  if (isPlain(expression) || isa<IntegerLiteral, clang::StringLiteral>(expression))
    return true;
  if (const auto *member = dyn_cast<MemberExpr>(expression))
    return isRepeatable(member->getBase());
  const auto *call = dyn_cast<CallExpr>(expression);
  const auto *method = dyn_cast<CXXMemberCallExpr>(expression);
  return call && readsElement(call->getDirectCallee()) &&
         (!method || isRepeatable(method->getImplicitObjectArgument())) &&
         llvm::all_of(call->arguments(), isRepeatable);
}

const Expr *withoutArrow(const Expr *expression) {
  expression = expression->IgnoreParenImpCasts();
  const auto *call = dyn_cast<CXXOperatorCallExpr>(expression);
  return call && (call->getOperator() == OO_Arrow || call->getOperator() == OO_Star) ? withoutArrow(call->getArg(0))
                                                                                     : expression;
}

bool isTensor(const Expr *expression) {
  // Not the base whose method is called on it.
  return expression && classOf(expression->IgnoreParenImpCasts()->getType()) == "Tensor";
}

std::string textOf(const Expr *expression, ASTContext &context) {
  const CharSourceRange range = asInFile(expression, context);
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

bool isA(const CXXRecordDecl *record, llvm::StringRef name) {
  return anyOfBases(record, [&](const CXXRecordDecl *base) { return base->getQualifiedNameAsString() == name; });
}

const CXXRecordDecl *heldBy(const CXXRecordDecl *pointer) {
  const auto *holder = dyn_cast_or_null<ClassTemplateSpecializationDecl>(pointer);
  if (!holder || !holder->isInStdNamespace() ||
      (holder->getName() != "shared_ptr" && holder->getName() != "unique_ptr"))
    return nullptr;
  return holder->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
}

const CXXOperatorCallExpr *asAssignment(const Stmt *statement) {
  const auto *call = dyn_cast_or_null<CXXOperatorCallExpr>(withoutCleanups(statement));
  return call && call->getOperator() == OO_Equal ? call : nullptr;
}

const VarDecl *onlyVariable(const Stmt *statement) {
  const auto *declaration = dyn_cast_or_null<DeclStmt>(statement);
  return declaration && declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
}

int mentions(const ValueDecl *variable, const Stmt *within) {
  if (!within)
    return 0;
  const auto *reference = dyn_cast<DeclRefExpr>(within);
  const auto *member = dyn_cast<MemberExpr>(within);
  int count = (reference && reference->getDecl() == variable) || (member && member->getMemberDecl() == variable);
  for (const Stmt *child : within->children())
    count += mentions(variable, child);
  return count;
}

Fixes append(const Expr *expression, const std::string &suffix, const SourceText &source) {
  if (suffix.empty() || !isTensor(expression))
    return {};
  const Expr *bare = expression->IgnoreImpCasts();
  bool postfix = isPlain(bare) || isa<CallExpr, ParenExpr, ArraySubscriptExpr, MemberExpr>(bare);
  if (const auto *call = dyn_cast<CXXOperatorCallExpr>(bare))
    postfix = (isPlain(bare) && call->getOperator() != OO_Star) || call->getOperator() == OO_Subscript ||
              call->getOperator() == OO_Call;
  SourceLocation end = source.endOf(bare);
  if (end.isInvalid() || bare->getBeginLoc().isMacroID())
    return {};
  if (!postfix && isa<CXXOperatorCallExpr>(bare) && !cast<CXXOperatorCallExpr>(bare)->isAssignmentOp())
    return {FixItHint::CreateInsertion(bare->getBeginLoc(), "("), FixItHint::CreateInsertion(end, ")" + suffix)};
  if (!postfix)
    return {};
  return {FixItHint::CreateInsertion(end, suffix)};
}

std::string classOf(QualType type) {
  type = type.getNonReferenceType();
  if (type->isEnumeralType())
    return cast<EnumType>(type.getCanonicalType())->getDecl()->getNameAsString();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record ? record->getNameAsString() : std::string();
}

std::string deviceOfModule(QualType type, const std::string &name) {
  const char *access = accessOf(type);
  const QualType plain = type.getNonReferenceType();
  const CXXRecordDecl *record = plain->isPointerType() ? plain->getPointeeCXXRecordDecl() : plain->getAsCXXRecordDecl();
  if (const CXXRecordDecl *held = heldBy(record))
    record = held;
  const bool isModule = isA(record, "torch::nn::Module") || isA(record, "torch::nn::ModuleHolder"); // no script
  return access && isModule ? name + access + "parameters()[0].device()" : std::string();
}

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

CharSourceRange asInFile(const Expr *expression, const ASTContext &context) {
  return Lexer::makeFileCharRange(CharSourceRange::getTokenRange(expression->getSourceRange()),
                                  context.getSourceManager(), context.getLangOpts());
}

const Expr *asWritten(const Expr *expression) {
  expression = expression->IgnoreImplicit();
  const auto *made = dyn_cast<CXXConstructExpr>(expression);
  const bool isOfOne = made && made->getNumArgs() > 0 &&
                       llvm::all_of(llvm::drop_begin(made->arguments()),
                                    [](const Expr *later) { return isa<CXXDefaultArgExpr>(later); });
  if (!isOfOne || isa<CXXTemporaryObjectExpr>(made) || made->isListInitialization())
    return expression;
  return asWritten(made->getArg(0));
}

bool isWithin(SourceRange inner, const Stmt *outer, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  const SourceLocation at = sources.getFileLoc(inner.getBegin());
  return !sources.isBeforeInTranslationUnit(at, sources.getFileLoc(outer->getBeginLoc())) &&
         !sources.isBeforeInTranslationUnit(sources.getFileLoc(outer->getEndLoc()), at);
}

namespace {

/// The device that something of this type says, by its name.
std::string deviceIn(QualType type, const std::string &name) {
  if (const CXXRecordDecl *held = heldBy(type.getNonReferenceType()->getAsCXXRecordDecl()))
    return held->getName() == "Device" ? "*" + name : std::string();
  const std::string cls = classOf(type);
  if (cls == "Device" || cls == "DeviceType")
    return name;
  return cls == "Tensor" || cls == "TensorOptions" ? name + ".device()" : std::string();
}

/// Where a tensor is, in words that can be written again: the device of what it was made of.
std::string deviceOfTensor(const Expr *tensor, facts::SourceId place, const SourceText &source) {
  tensor = asWritten(tensor)->IgnoreParens();
  if (isPlain(tensor))
    return isTensor(tensor) && source.usableAt(tensor, place) ? source.text(tensor) + ".device()" : std::string();
  // Elsewhere the list need not have it yet.
  if (isRepeatable(tensor) && isTensor(tensor) && source.usableAt(tensor, place) && source.isBeside(tensor, place))
    return source.text(tensor) + ".device()";
  if (const auto *at = dyn_cast<CXXOperatorCallExpr>(tensor))
    return at->getOperator() == OO_Subscript ? deviceOfTensor(at->getArg(0), place, source) : std::string();
  const auto *call = dyn_cast<CXXMemberCallExpr>(tensor);
  const CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  if (!method || !method->getIdentifier() || !isTensor(call->getImplicitObjectArgument()) || !isTensor(call))
    return {};
  if (method->getName() == "cuda" || method->getName() == "cpu" || method->getName() == "grad")
    return {};
  const Expr *to = method->getName() == "to" && call->getNumArgs() ? asWritten(call->getArg(0)) : nullptr;
  const std::string where = to ? deviceIn(to->getType(), source.text(to)) : std::string();
  if (!where.empty())
    return source.usableAt(to, place) ? where : std::string();
  return deviceOfTensor(call->getImplicitObjectArgument(), place, source);
}

/// Where a module is that stands in the statement of `place`: with its parameters.
std::string deviceOfModuleBeside(const Expr *module, facts::SourceId place, const SourceText &source) {
  module = module ? withoutArrow(module) : nullptr;
  if (!module || !isRepeatable(module) || !source.usableAt(module, place) || !source.isBeside(module, place))
    return {};
  return deviceOfModule(module->getType(), source.text(module));
}

} // namespace

std::string deviceAt(const analysis::Fix &fix, facts::SourceId place, const SourceText &source) {
  if (const Expr *device = source.expression(fix.device)) {
    std::string text;
    if (fix.deviceOf)
      text = deviceOfTensor(device, place, source);
    else if (source.usableAt(fix.device, place) && source.isAskedForAt(fix.device, place))
      text = deviceIn(asWritten(device)->getType(), source.text(fix.device));
    if (!text.empty())
      return text;
  }
  for (const analysis::Home &home : fix.homes) {
    const std::string name = source.declaredAt(home.source, place);
    const auto *variable = name.empty() ? nullptr : dyn_cast<ValueDecl>(source.entry(home.source)->decl);
    if (!variable)
      continue;
    const std::string text =
        home.isModule ? deviceOfModule(variable->getType(), name) : deviceIn(variable->getType(), name);
    if (!text.empty())
      return text;
  }
  return deviceOfModuleBeside(source.expression(fix.module), place, source);
}

bool dependsOn(const Stmt *expression, const Stmt *statement, const SourceManager &sources) {
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    const SourceLocation place = reference->getDecl()->getLocation();
    if (!sources.isBeforeInTranslationUnit(place, statement->getBeginLoc()) &&
        sources.isBeforeInTranslationUnit(place, statement->getEndLoc()))
      return true;
  }
  return llvm::any_of(expression->children(),
                      [&](const Stmt *child) { return child && dependsOn(child, statement, sources); });
}

FixItHint lineAt(SourceLocation place, const Stmt *statement, const std::string &line, const SourceText &source,
                 const SourceManager &sources) {
  const llvm::StringRef rest = llvm::StringRef(sources.getCharacterData(place)).ltrim(" \t");
  if (rest.starts_with("}"))
    return FixItHint::CreateInsertion(place, " " + line);
  return FixItHint::CreateInsertion(place, "\n" + source.indentation(statement->getBeginLoc()) + line);
}

Fixes lineAfter(const SourceText::Room &room, const std::string &line, const SourceText &source,
                const ASTContext &context) {
  const Stmt *statement = room.statement;
  if (!statement || isa<ReturnStmt>(statement) || statement->getBeginLoc().isMacroID())
    return {};
  const std::optional<SourceLocation> after = source.afterStatement(statement);
  if (!after)
    return {};
  if (room.isLone)
    return {FixItHint::CreateInsertion(statement->getBeginLoc(), "{ "),
            FixItHint::CreateInsertion(*after, " " + line + " }")};
  return {lineAt(*after, statement, line, source, context.getSourceManager())};
}

FixItHint lineBefore(SourceLocation place, const std::string &line, const SourceText &source) {
  if (!source.isFirstOfLine(place))
    return FixItHint::CreateInsertion(place, line + " ");
  return FixItHint::CreateInsertion(place, line + "\n" + source.indentation(place));
}

} // namespace samedevice::tidy
