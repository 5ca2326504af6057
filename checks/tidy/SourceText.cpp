#include "SourceText.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <vector>

namespace samedevice::tidy {
using namespace clang;

const clangfront::SourceEntry *SourceText::entry(facts::SourceId id) const {
  return id && id < lowered_.sources.size() ? &lowered_.sources[id] : nullptr;
}

SourceLocation SourceText::location(facts::SourceId id) const {
  const clangfront::SourceEntry *at = entry(id);
  return at ? context_.getSourceManager().getFileLoc(at->range.getBegin()) : SourceLocation();
}

std::string SourceText::text(facts::SourceId id) const {
  const clangfront::SourceEntry *at = entry(id);
  return at ? text(at->range) : std::string();
}

std::string SourceText::text(const Expr *expression) const { return text(expression->getSourceRange()); }

std::string SourceText::text(SourceRange written) const {
  if (written.isInvalid())
    return {};
  const SourceManager &sources = context_.getSourceManager();
  CharSourceRange range =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(written), sources, context_.getLangOpts());
  if (range.isInvalid())
    return {};
  std::string raw = Lexer::getSourceText(range, sources, context_.getLangOpts()).str();
  std::string line;
  for (char c : raw) {
    bool space = c == '\n' || c == '\t' || c == ' ' || c == '\r';
    if (!space)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return line;
}

const Expr *SourceText::expression(facts::SourceId id) const {
  const clangfront::SourceEntry *at = entry(id);
  return at ? dyn_cast_or_null<Expr>(at->stmt) : nullptr;
}

namespace {

bool contains(const SourceManager &sources, SourceRange outer, SourceRange inner) {
  SourceLocation begin = sources.getFileLoc(outer.getBegin()), end = sources.getFileLoc(outer.getEnd());
  if (outer.getEnd().isMacroID() && !sources.isMacroArgExpansion(outer.getEnd()))
    end = sources.getExpansionRange(outer.getEnd()).getEnd();
  SourceLocation at = sources.getFileLoc(inner.getBegin());
  return begin.isValid() && end.isValid() && at.isValid() && !sources.isBeforeInTranslationUnit(at, begin) &&
         !sources.isBeforeInTranslationUnit(end, at);
}

const Stmt *bodyOf(const Decl *function) { return function ? function->getBody() : nullptr; }

/// From the body inwards: every compound statement around `at`, and the child of each that holds it.
std::vector<std::pair<const CompoundStmt *, const Stmt *>> pathTo(const SourceManager &sources, const Stmt *from,
                                                                  SourceRange at) {
  std::vector<std::pair<const CompoundStmt *, const Stmt *>> path;
  for (const Stmt *stmt = from; stmt;) {
    const Stmt *next = nullptr;
    for (const Stmt *child : stmt->children())
      if (child && contains(sources, child->getSourceRange(), at)) {
        next = child;
        break;
      }
    if (const auto *lambda = dyn_cast<LambdaExpr>(stmt))
      if (lambda->getBody() && contains(sources, lambda->getBody()->getSourceRange(), at))
        next = lambda->getBody();
    if (const auto *compound = dyn_cast<CompoundStmt>(stmt))
      if (next)
        path.push_back({compound, next});
    stmt = next;
  }
  return path;
}

} // namespace

const Stmt *SourceText::statement(facts::SourceId id) const {
  const clangfront::SourceEntry *at = entry(id);
  const Stmt *body = at ? bodyOf(at->function) : nullptr;
  if (!body)
    return nullptr;
  auto path = pathTo(context_.getSourceManager(), body, at->range);
  if (path.empty())
    return nullptr;
  const Stmt *statement = path.back().second;
  // Within a statement that has parts of its own (an if without braces), there is no room for another.
  return isa<Expr, DeclStmt, ReturnStmt>(statement) ? statement : nullptr;
}

bool SourceText::isInBlockOf(const Stmt *statement, const Stmt *inner, const FunctionDecl *function) const {
  const SourceManager &sources = context_.getSourceManager();
  auto path = pathTo(sources, bodyOf(function), statement->getSourceRange());
  return !path.empty() && contains(sources, path.back().first->getSourceRange(), inner->getSourceRange());
}

const Stmt *SourceText::wholeStatement(facts::SourceId id) const {
  const clangfront::SourceEntry *at = entry(id);
  auto path = pathTo(context_.getSourceManager(), at ? bodyOf(at->function) : nullptr, at ? at->range : SourceRange());
  return path.empty() ? nullptr : path.back().second;
}

SourceText::Room SourceText::room(facts::SourceId id) const {
  const Stmt *statement = wholeStatement(id);
  bool isLone = false;
  while (statement && !isa<Expr, DeclStmt, ReturnStmt>(statement)) {
    const Stmt *inner = nullptr;
    for (const Stmt *child : statement->children())
      if (child && contains(context_.getSourceManager(), child->getSourceRange(), entry(id)->range))
        inner = child;
    // What a loop counts and what a condition asks has no room; its body has.
    const bool isBody = isa_and_nonnull<ForStmt>(statement) ? cast<ForStmt>(statement)->getBody() == inner
                        : isa<WhileStmt>(statement)         ? cast<WhileStmt>(statement)->getBody() == inner
                        : isa<CXXForRangeStmt>(statement)   ? cast<CXXForRangeStmt>(statement)->getBody() == inner
                        : isa<IfStmt>(statement)            ? cast<IfStmt>(statement)->getCond() != inner
                                                            : false;
    if (!isBody)
      return {};
    statement = inner;
    isLone = true;
  }
  return {statement, isLone};
}

namespace {

bool asksForDevice(const Stmt *condition) {
  if (!condition)
    return false;
  if (const auto *call = dyn_cast<CallExpr>(condition))
    if (const FunctionDecl *callee = call->getDirectCallee(); callee && callee->getIdentifier()) {
      StringRef name = callee->getName();
      if (name == "is_cuda" || name == "is_cpu" || name == "device" || name == "get_device" || name == "is_available")
        return true;
    }
  return llvm::any_of(condition->children(), asksForDevice);
}

} // namespace

const Stmt *SourceText::outermostStatement(facts::SourceId id, const FunctionDecl *function) const {
  const clangfront::SourceEntry *at = entry(id);
  const Stmt *body = bodyOf(function);
  if (!at || !body)
    return nullptr;
  auto path = pathTo(context_.getSourceManager(), body, at->range);
  for (const auto &[compound, child] : path) {
    const auto *branch = dyn_cast<IfStmt>(child);
    if (!branch || !asksForDevice(branch->getCond()))
      return child;
  }
  return nullptr;
}

std::string SourceText::indentation(SourceLocation location) const {
  return Lexer::getIndentationForLine(context_.getSourceManager().getFileLoc(location), context_.getSourceManager())
      .str();
}

std::optional<SourceLocation> SourceText::afterStatement(const Stmt *statement) const {
  const SourceManager &sources = context_.getSourceManager();
  SourceLocation end = statement->getEndLoc();
  if (end.isMacroID() && !Lexer::isAtEndOfMacroExpansion(end, sources, context_.getLangOpts(), &end))
    return std::nullopt;
  if (isa<DeclStmt>(statement))
    return Lexer::getLocForEndOfToken(end, 0, sources, context_.getLangOpts());
  SourceLocation after = Lexer::findLocationAfterToken(end, tok::semi, sources, context_.getLangOpts(), false);
  return after.isValid() ? std::optional(after) : std::nullopt;
}

std::optional<SourceLocation> SourceText::afterBlock(const Stmt *statement) const {
  const Stmt *body = statement;
  while (body && !isa<CompoundStmt, Expr>(body)) {
    const auto *loop = dyn_cast<ForStmt>(body);
    const auto *each = dyn_cast<CXXForRangeStmt>(body);
    body = loop ? loop->getBody() : each ? each->getBody() : nullptr;
  }
  if (!body || body->getEndLoc().isMacroID())
    return std::nullopt;
  return isa<Expr>(body) ? afterStatement(body)
                         : std::optional(Lexer::getLocForEndOfToken(body->getEndLoc(), 0, context_.getSourceManager(),
                                                                    context_.getLangOpts()));
}

SourceLocation SourceText::endOf(const Expr *expression) const {
  if (expression->getEndLoc().isMacroID())
    return {};
  return Lexer::getLocForEndOfToken(expression->getEndLoc(), 0, context_.getSourceManager(), context_.getLangOpts());
}

bool SourceText::isVisible(const VarDecl *variable, const clangfront::SourceEntry &at) const {
  const SourceManager &sources = context_.getSourceManager();
  if (!variable->isLocalVarDeclOrParm())
    return true;
  if (!at.function || Decl::castFromDeclContext(variable->getDeclContext()) != at.function)
    return false;
  if (isa<ParmVarDecl>(variable)) // not for what a class says of its members
    return contains(sources, at.function->getSourceRange(), at.range);
  for (auto &[compound, child] : pathTo(sources, bodyOf(at.function), at.range))
    for (const Stmt *sibling : compound->body()) {
      if (sibling == child)
        break;
      if (const auto *declaration = dyn_cast<DeclStmt>(sibling))
        if (std::find(declaration->decl_begin(), declaration->decl_end(), variable) != declaration->decl_end())
          return true;
    }
  return false;
}

bool SourceText::isMemberAt(const Decl *member, const clangfront::SourceEntry &at) const {
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(at.function);
  const auto *owner = dyn_cast<CXXRecordDecl>(member->getDeclContext());
  return method && owner && !method->isStatic() &&
         (method->getParent()->getCanonicalDecl() == owner->getCanonicalDecl() ||
          (method->getParent()->hasDefinition() && method->getParent()->isDerivedFrom(owner)));
}

namespace {

/// Whether a variable gets another value behind a place.
bool isAssignedAfter(const ValueDecl *variable, SourceLocation place, const Stmt *within,
                     const SourceManager &sources) {
  if (!within)
    return false;
  const Expr *target = nullptr;
  if (const auto *assignment = dyn_cast<CXXOperatorCallExpr>(within); assignment && assignment->isAssignmentOp())
    target = assignment->getArg(0);
  else if (const auto *plain = dyn_cast<BinaryOperator>(within); plain && plain->isAssignmentOp())
    target = plain->getLHS();
  if (target && sources.isBeforeInTranslationUnit(place, within->getBeginLoc())) {
    const auto *reference = dyn_cast<DeclRefExpr>(target->IgnoreParenImpCasts());
    const auto *member = dyn_cast<MemberExpr>(target->IgnoreParenImpCasts());
    if ((reference && reference->getDecl() == variable) || (member && member->getMemberDecl() == variable))
      return true;
  }
  return llvm::any_of(within->children(),
                      [&](const Stmt *child) { return isAssignedAfter(variable, place, child, sources); });
}

/// The member that a constructor's list makes at `at`; nullptr when that stands elsewhere.
const FieldDecl *initializedAt(const clangfront::SourceEntry &at, const SourceManager &sources) {
  if (const auto *constructor = dyn_cast_or_null<CXXConstructorDecl>(at.function))
    for (const CXXCtorInitializer *initializer : constructor->inits())
      if (initializer->isMemberInitializer() && initializer->isWritten() &&
          contains(sources, initializer->getSourceRange(), at.range))
        return initializer->getMember();
  return nullptr;
}

} // namespace

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
    const FieldDecl *made = initializedAt(*at, sources);
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
    const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable ? isVisible(variable, at) : !isa<BindingDecl>(reference->getDecl());
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
  return wanted && at && wanted->getBeginLoc().isFileID() && visible(wanted, *at) && isSteady(wanted, place);
}

bool SourceText::isSteady(const Stmt *wanted, facts::SourceId place) const {
  const ValueDecl *named = nullptr;
  if (const auto *reference = dyn_cast<DeclRefExpr>(wanted))
    named = reference->getDecl();
  else if (const auto *member = dyn_cast<MemberExpr>(wanted))
    named = member->getMemberDecl();
  if (named && isAssignedBehind(named, place))
    return false;
  return llvm::all_of(wanted->children(), [&](const Stmt *child) { return !child || isSteady(child, place); });
}

/// Whether a variable gets another value behind the statement at `place`.
bool SourceText::isAssignedBehind(const ValueDecl *variable, facts::SourceId place) const {
  const clangfront::SourceEntry *at = entry(place);
  const Stmt *statement = room(place).statement, *body = bodyOf(at->function);
  return body && isAssignedAfter(variable, statement ? statement->getEndLoc() : at->range.getEnd(), body,
                                 context_.getSourceManager());
}

} // namespace samedevice::tidy
