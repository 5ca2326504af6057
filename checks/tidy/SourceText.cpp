#include "SourceText.h"

#include "Paths.h"

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
  const bool isOwn = id > sourcesBefore_ && id - sourcesBefore_ < lowered_.sources.size();
  return isOwn ? &lowered_.sources[id - sourcesBefore_] : nullptr;
}

const facts::Source *SourceText::elsewhere(facts::SourceId id) const {
  return id && !entry(id) && id < program_.sources.size() ? &program_.sources[id] : nullptr;
}

/// A place in a file that Clang need not have read.
static SourceLocation locationIn(SourceManager &sources, const facts::Program &program, const facts::Source &at) {
  if (at.file >= program.files.size())
    return {};
  const auto file = sources.getFileManager().getOptionalFileRef(program.files[at.file]);
  if (!file)
    return {};
  const FileID id = sources.getOrCreateFileID(*file, SrcMgr::C_User);
  return sources.translateLineCol(id, at.line, at.column);
}

SourceLocation SourceText::location(facts::SourceId id) const {
  if (const facts::Source *far = elsewhere(id))
    return locationIn(context_.getSourceManager(), program_, *far);
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

bool contains(const SourceManager &sources, SourceRange outer, SourceRange inner) {
  SourceLocation begin = sources.getFileLoc(outer.getBegin()), end = sources.getFileLoc(outer.getEnd());
  if (outer.getEnd().isMacroID() && !sources.isMacroArgExpansion(outer.getEnd()))
    end = sources.getExpansionRange(outer.getEnd()).getEnd();
  SourceLocation at = sources.getFileLoc(inner.getBegin());
  return begin.isValid() && end.isValid() && at.isValid() && !sources.isBeforeInTranslationUnit(at, begin) &&
         !sources.isBeforeInTranslationUnit(end, at);
}

const Stmt *bodyOf(const Decl *function) { return function ? function->getBody() : nullptr; }

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

bool SourceText::isFirstOfLine(SourceLocation location) const {
  const SourceManager &sources = context_.getSourceManager();
  return indentation(location).size() + 1 == sources.getSpellingColumnNumber(sources.getFileLoc(location));
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

} // namespace samedevice::tidy
