// What can be named at a place, and means there what it means elsewhere.
#include "FixParts.h"
#include "Paths.h"
#include "SourceText.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

#include <algorithm>

namespace samedevice::tidy {
using namespace clang;

namespace {

bool declares(const Stmt *statement, const VarDecl *variable) {
  const auto *declaration = dyn_cast_or_null<DeclStmt>(statement);
  return declaration && llvm::is_contained(declaration->decls(), variable);
}

/// Whether what is declared in a body is in scope at a place in it.
bool isInScope(const VarDecl *variable, const Stmt *body, SourceRange at, const SourceManager &sources) {
  for (const Stmt *around = body; around;) {
    const Stmt *inner = nullptr;
    for (const Stmt *child : around->children())
      if (child && !inner && contains(sources, child->getSourceRange(), at))
        inner = child;
    if (const auto *loop = dyn_cast<CXXForRangeStmt>(around))
      if (inner == loop->getBody() && declares(loop->getLoopVarStmt(), variable))
        return true;
    if (isa<CompoundStmt, ForStmt, IfStmt>(around)) // what stands there before it
      for (const Stmt *before : around->children()) {
        if (before == inner)
          break;
        if (declares(before, variable))
          return true;
      }
    around = inner;
  }
  return false;
}

/// The closure whose body a function is; nullptr for other functions.
const CXXRecordDecl *closureOf(const Decl *function) {
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
  return method && method->getParent()->isLambda() ? method->getParent() : nullptr;
}

clangfront::SourceEntry placeOf(const CXXRecordDecl *closure) {
  return {closure->getLocation(), nullptr, nullptr, dyn_cast<FunctionDecl>(closure->getDeclContext())};
}

bool takesByReference(const CXXRecordDecl *closure) { return closure->getLambdaCaptureDefault() == LCD_ByRef; }

bool captures(const CXXRecordDecl *closure, const VarDecl *variable) {
  return llvm::any_of(closure->captures(), [&](const LambdaCapture &capture) {
    return capture.capturesVariable() && capture.getCapturedVar() == variable;
  });
}

/// Whether it names no variable, nor this object.
bool isConstant(const Stmt *expression) {
  const auto *reference = dyn_cast<DeclRefExpr>(expression);
  const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (isa<CXXThisExpr>(expression) || (variable && variable->isLocalVarDeclOrParm()))
    return false;
  return llvm::all_of(expression->children(), [](const Stmt *child) { return !child || isConstant(child); });
}

/// Whether `at` is in a branch that a condition decides on, of which `place` is no part.
bool isInBranchOfItsOwn(const Stmt *around, SourceRange at, SourceRange place, const SourceManager &sources) {
  for (const Stmt *inner = nullptr; around; around = inner) {
    inner = nullptr;
    for (const Stmt *child : around->children())
      if (child && !inner && contains(sources, child->getSourceRange(), at))
        inner = child;
    const auto *branch = dyn_cast<IfStmt>(around);
    const bool isArm = branch ? inner == branch->getThen() || inner == branch->getElse() : isa<SwitchStmt>(around);
    if (inner && isArm && !contains(sources, inner->getSourceRange(), place))
      return true;
  }
  return false;
}

bool livesAsLongAs(const FunctionDecl *function, const VarDecl *variable) {
  const auto *body = dyn_cast_or_null<CompoundStmt>(bodyOf(function));
  return isa<ParmVarDecl>(variable) ||
         (body && llvm::any_of(body->body(), [&](const Stmt *child) { return declares(child, variable); }));
}

/// Whether a variable, `orPart` of it, gets another value behind a place.
bool isAssignedAfter(const ValueDecl *variable, SourceLocation place, const Stmt *within, const SourceManager &sources,
                     bool orPart = false) {
  if (!within)
    return false;
  const Expr *target = nullptr;
  if (const auto *assignment = dyn_cast<CXXOperatorCallExpr>(within); assignment && assignment->isAssignmentOp())
    target = assignment->getArg(0);
  else if (const auto *plain = dyn_cast<BinaryOperator>(within); plain && plain->isAssignmentOp())
    target = plain->getLHS();
  if (target && sources.isBeforeInTranslationUnit(place, within->getBeginLoc())) {
    const auto *member = dyn_cast<MemberExpr>(target->IgnoreParenImpCasts());
    if (member && member->getMemberDecl() == variable)
      return true;
    const Expr *whole = target->IgnoreParenImpCasts();
    for (const MemberExpr *part; orPart && (part = dyn_cast<MemberExpr>(whole));)
      whole = part->getBase()->IgnoreParenImpCasts();
    const auto *reference = dyn_cast<DeclRefExpr>(whole);
    if (reference && reference->getDecl() == variable)
      return true;
  }
  return llvm::any_of(within->children(),
                      [&](const Stmt *child) { return isAssignedAfter(variable, place, child, sources, orPart); });
}

} // namespace

const FieldDecl *SourceText::initializedAt(facts::SourceId id) const {
  const clangfront::SourceEntry *at = entry(id);
  const auto *constructor = dyn_cast_or_null<CXXConstructorDecl>(at ? at->function : nullptr);
  if (!constructor)
    return nullptr;
  for (const CXXCtorInitializer *initializer : constructor->inits())
    if (initializer->isMemberInitializer() && initializer->isWritten() &&
        contains(context_.getSourceManager(), initializer->getSourceRange(), at->range))
      return initializer->getMember();
  return nullptr;
}

facts::SourceId SourceText::declarationOf(const ValueDecl *variable) const {
  for (facts::SourceId id = 1; id < lowered_.sources.size(); ++id)
    if (const clangfront::SourceEntry &at = lowered_.sources[id]; !at.stmt && at.decl == variable && at.function)
      return sourcesBefore_ + id;
  return 0;
}

facts::SourceId SourceText::idOf(const Stmt *statement) const {
  for (facts::SourceId id = 1; id < lowered_.sources.size(); ++id)
    if (const auto *expression = dyn_cast_or_null<Expr>(lowered_.sources[id].stmt);
        expression && expression->IgnoreImplicit() == statement)
      return sourcesBefore_ + id;
  return 0;
}

bool SourceText::isVisible(const VarDecl *variable, const clangfront::SourceEntry &at) const {
  const SourceManager &sources = context_.getSourceManager();
  if (!variable->isLocalVarDeclOrParm())
    return true;
  if (const CXXRecordDecl *closure = closureOf(at.function);
      closure && Decl::castFromDeclContext(variable->getDeclContext()) != at.function) {
    const clangfront::SourceEntry outside = placeOf(closure);
    const auto *function = dyn_cast_or_null<FunctionDecl>(outside.function);
    // Nobody knows when the lambda runs.
    return function && !isa<DecompositionDecl>(variable) && // C++17 captures none of its names
           (captures(closure, variable) || takesByReference(closure)) && livesAsLongAs(function, variable) &&
           isVisible(variable, outside) &&
           !isAssignedAfter(variable, variable->getLocation(), bodyOf(function), sources);
  }
  if (!at.function || Decl::castFromDeclContext(variable->getDeclContext()) != at.function)
    return false;
  if (isa<ParmVarDecl>(variable)) // not for what a class says of its members
    return contains(sources, at.function->getSourceRange(), at.range);
  return isInScope(variable, bodyOf(at.function), at.range, sources);
}

bool SourceText::isMemberAt(const Decl *member, const clangfront::SourceEntry &at) const {
  if (const CXXRecordDecl *closure = closureOf(at.function)) {
    const bool hasThis =
        closure->getLambdaCaptureDefault() != LCD_None ||
        llvm::any_of(closure->captures(), [](const LambdaCapture &capture) { return capture.capturesThis(); });
    return hasThis && isMemberAt(member, placeOf(closure));
  }
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(at.function);
  const auto *owner = dyn_cast<CXXRecordDecl>(member->getDeclContext());
  return method && owner && !method->isStatic() &&
         (method->getParent()->getCanonicalDecl() == owner->getCanonicalDecl() ||
          (method->getParent()->hasDefinition() && method->getParent()->isDerivedFrom(owner)));
}

std::string SourceText::declaredAt(facts::SourceId id, facts::SourceId place) const {
  const clangfront::SourceEntry *declared = entry(id), *at = entry(place);
  const auto *variable = dyn_cast_or_null<ValueDecl>(declared ? declared->decl : nullptr);
  if (!at || !variable || !variable->getIdentifier() || !isa<VarDecl, FieldDecl>(variable))
    return {};
  const SourceManager &sources = context_.getSourceManager();
  if (const auto *local = dyn_cast<VarDecl>(variable); local && !isVisible(local, *at))
    return {};
  if (const auto *member = dyn_cast<FieldDecl>(variable)) {
    if (!isMemberAt(member, *at))
      return {};
    const Stmt *body = bodyOf(at->function);
    const FieldDecl *made = initializedAt(place);
    const bool isInBody = body && contains(sources, body->getSourceRange(), at->range);
    // Members are made in the order of the class.
    if (!isInBody &&
        (made ? member->getParent() == made->getParent() && member->getFieldIndex() >= made->getFieldIndex()
              : !sources.isBeforeInTranslationUnit(member->getLocation(), at->range.getBegin())))
      return {};
  }
  if (isAssignedBehind(variable, place))
    return {};
  return variable->getNameAsString();
}

bool SourceText::visible(const Expr *expression, const clangfront::SourceEntry &at) const {
  expression = expression->IgnoreParenImpCasts();
  if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto *binding = dyn_cast<BindingDecl>(reference->getDecl());
    const auto *variable = dyn_cast<VarDecl>(binding ? binding->getDecomposedDecl() : reference->getDecl());
    return !variable || isVisible(variable, at);
  }
  if (const auto *member = dyn_cast<MemberExpr>(expression))
    if (isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
      return isMemberAt(member->getMemberDecl(), at);
  if (isa<LambdaExpr, CXXThisExpr>(expression))
    return false;
  for (const Stmt *child : expression->children())
    if (const auto *inner = dyn_cast_or_null<Expr>(child))
      if (!visible(inner, at))
        return false;
  return true;
}

bool SourceText::usableAt(facts::SourceId id, facts::SourceId place) const {
  return !text(id).empty() && usableAt(expression(id), place);
}

bool SourceText::usableAt(const Expr *wanted, facts::SourceId place) const {
  const clangfront::SourceEntry *at = entry(place);
  return wanted && at && wanted->getBeginLoc().isFileID() && visible(wanted, *at) &&
         (isBeside(wanted, place) || isSteady(wanted, place, wanted->getBeginLoc()));
}

bool SourceText::isAskedForAt(facts::SourceId id, facts::SourceId place) const {
  const Expr *device = expression(id);
  const clangfront::SourceEntry *written = entry(id), *at = entry(place);
  return !device || !at || !isConstant(device) ||
         !isInBranchOfItsOwn(bodyOf(written->function), written->range, at->range, context_.getSourceManager());
}

bool SourceText::isBeside(const Expr *written, facts::SourceId place) const {
  const Stmt *statement = room(place).statement;
  return statement && contains(context_.getSourceManager(), statement->getSourceRange(), written->getSourceRange());
}

/// Whether it says the same at a place as `where` it is written. A tensor that gets a new value most often stays where
/// it was.
bool SourceText::isSteady(const Stmt *wanted, facts::SourceId place, SourceLocation where, bool isWhole) const {
  const ValueDecl *named = nullptr;
  if (const auto *reference = dyn_cast<DeclRefExpr>(wanted))
    named = reference->getDecl();
  else if (const auto *member = dyn_cast<MemberExpr>(wanted))
    named = member->getMemberDecl();
  const bool isTensors = named && classOf(named->getType()) == "Tensor";
  // `pick(arguments)` depends on all of them, `arguments.gpu` on one.
  if (named && isAssignedBehind(named, place, isTensors ? SourceLocation() : where, isWhole))
    return false;
  const bool isPart = isa<MemberExpr>(wanted) && isa<FieldDecl>(cast<MemberExpr>(wanted)->getMemberDecl());
  const bool isCast = isa<ImplicitCastExpr, ParenExpr>(wanted);
  return llvm::all_of(wanted->children(), [&](const Stmt *child) {
    return !child || isSteady(child, place, where, isCast ? isWhole : !isPart);
  });
}

bool SourceText::isAssignedBehind(const ValueDecl *variable, facts::SourceId place, SourceLocation since,
                                  bool orPart) const {
  const clangfront::SourceEntry *at = entry(place);
  const Stmt *statement = room(place).statement, *body = bodyOf(at->function);
  SourceLocation from = statement ? statement->getEndLoc() : at->range.getEnd();
  if (since.isValid() && context_.getSourceManager().isBeforeInTranslationUnit(since, from))
    from = since;
  return body && isAssignedAfter(variable, from, body, context_.getSourceManager(), orPart);
}

} // namespace samedevice::tidy
