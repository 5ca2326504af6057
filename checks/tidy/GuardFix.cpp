// The guard line, before the first statement that needs it, and the header that declares it.
#include "FixParts.h"
#include "Fixes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

namespace samedevice::tidy {
using namespace clang;
using analysis::Fix;

namespace {

constexpr llvm::StringLiteral kHeader = "c10/cuda/CUDAGuard.h";

/// A name for the guard that nothing in the function has.
std::string freeName(const DeclContext *function) {
  for (const char *name : {"guard", "device_guard", "cuda_device_guard"}) {
    bool isTaken = false;
    for (const Decl *decl : function->decls())
      if (const auto *named = dyn_cast<NamedDecl>(decl))
        isTaken = isTaken || named->getDeclName().getAsString() == name;
    if (!isTaken)
      return name;
  }
  return {};
}

std::string guardFor(const ValueDecl *tensor) {
  const CXXRecordDecl *record = tensor->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || tensor->getName().empty())
    return {};
  if (record->getName() == "Tensor")
    return "const c10::cuda::CUDAGuard {0}(" + tensor->getNameAsString() + ".device());";
  // The tensors of a list may be on several devices: one guard would not do.
  if (record->getName() == "optional")
    return "const c10::cuda::OptionalCUDAGuard {0}(at::device_of(" + tensor->getNameAsString() + "));";
  return {};
}

} // namespace

std::optional<FixItHint> includeIn(FileID file, llvm::StringRef header, const SourceManager &sources) {
  llvm::StringRef text = sources.getBufferData(file);
  if (text.contains(header))
    return std::nullopt;
  std::size_t after = llvm::StringRef::npos;
  bool isAmongTorchs = false;
  for (std::size_t start = 0; start < text.size();) {
    std::size_t end = std::min(text.find('\n', start), text.size());
    llvm::StringRef line = text.slice(start, end).trim();
    if (line.consume_front("#") && line.ltrim().consume_front("include")) {
      llvm::StringRef name = line.drop_front(line.find_first_of("<\"") + 1);
      bool isTorchs = name.starts_with("c10/") || name.starts_with("ATen/") || name.starts_with("torch/");
      if (isTorchs || !isAmongTorchs)
        after = end;
      isAmongTorchs = isAmongTorchs || isTorchs;
    }
    start = end + 1;
  }
  if (after == llvm::StringRef::npos)
    return std::nullopt;
  return FixItHint::CreateInsertion(sources.getLocForStartOfFile(file).getLocWithOffset(static_cast<int>(after)),
                                    ("\n#include <" + header + ">").str());
}

namespace {

/// The variable, or the member of one's own, that is declared there or named there.
const Decl *namedAt(const clangfront::SourceEntry *place) {
  const auto *expression = place ? dyn_cast_or_null<Expr>(place->stmt) : nullptr;
  if (!expression)
    return place ? place->decl : nullptr;
  expression = expression->IgnoreParenImpCasts();
  if (const auto *variable = dyn_cast<DeclRefExpr>(expression))
    return variable->getDecl();
  const auto *member = dyn_cast<MemberExpr>(expression);
  return member && isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()) ? member->getMemberDecl() : nullptr;
}

/// What the guard is for, and the function that has it: the one that it was handed to, where it is a parameter.
std::pair<const ValueDecl *, const FunctionDecl *> givenTo(const Fix &fix, const SourceText &source) {
  const clangfront::SourceEntry *at = source.entry(fix.at);
  const Decl *tensor = namedAt(source.entry(fix.subject));
  // A lambda's launch is the business of the function that the tensor was given to, or made in.
  if (const auto *variable = dyn_cast_or_null<VarDecl>(tensor); variable && variable->isLocalVarDeclOrParm())
    return {variable, dyn_cast<FunctionDecl>(variable->getDeclContext())};
  const auto *member = dyn_cast_or_null<FieldDecl>(tensor);
  const auto *method = at ? dyn_cast_or_null<CXXMethodDecl>(at->function) : nullptr;
  return {member, member && method && method->getParent() == member->getParent() ? method : nullptr};
}

/// The statement that the guard precedes: as far out as its tensor is there already.
const Stmt *guardedStatement(const Fix &fix, const ValueDecl *tensor, const FunctionDecl *function,
                             const SourceText &source, const SourceManager &sources) {
  const Stmt *outermost = source.outermostStatement(fix.at, function);
  if (isa<ParmVarDecl, FieldDecl>(tensor) || !outermost ||
      sources.isBeforeInTranslationUnit(tensor->getLocation(), outermost->getBeginLoc()))
    return outermost;
  const clangfront::SourceEntry *at = source.entry(fix.at);
  const Stmt *whole = at->function == function ? source.wholeStatement(fix.at) : nullptr;
  return whole && sources.isBeforeInTranslationUnit(tensor->getLocation(), whole->getBeginLoc()) ? whole : nullptr;
}

/// Whether something is named that is declared between the two places.
bool namesLater(const Stmt *statement, SourceLocation from, SourceLocation to, const SourceManager &sources) {
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement)) {
    const SourceLocation declared = reference->getDecl()->getLocation();
    if (!sources.isBeforeInTranslationUnit(declared, from) && sources.isBeforeInTranslationUnit(declared, to))
      return true;
  }
  return llvm::any_of(statement->children(),
                      [&](const Stmt *child) { return child && namesLater(child, from, to, sources); });
}

Fixes guardAt(const Stmt *before, const ValueDecl *tensor, const FunctionDecl *function, const SourceText &source,
              ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  std::string guard = guardFor(tensor), name = freeName(function);
  if (!before || guard.empty() || name.empty())
    return {};
  guard.replace(guard.find("{0}"), 3, name);
  SourceLocation place = sources.getExpansionLoc(before->getBeginLoc()); // AT_DISPATCH is a macro
  Fixes hints{lineBefore(place, guard, source)};
  if (std::optional<FixItHint> include = includeIn(sources.getFileID(place), kHeader, sources))
    hints.push_back(*include);
  return hints;
}

} // namespace

Fixes guardBefore(const Fix &fix, const SourceText &source, ASTContext &context) {
  const clangfront::SourceEntry *at = source.entry(fix.at);
  const auto [tensor, function] = givenTo(fix, source);
  if (!function || !at || !dyn_cast_or_null<FunctionDecl>(at->function))
    return {};
  return guardAt(guardedStatement(fix, tensor, function, source, context.getSourceManager()), tensor, function, source,
                 context);
}

/// `CUDAGuard(x.device());` gets a name.
static Fixes nameGuard(const Stmt *statement, const FunctionDecl *function) {
  const auto *whole = dyn_cast_or_null<Expr>(statement);
  const Expr *made = whole ? whole->IgnoreImplicit() : nullptr;
  SourceLocation arguments;
  if (const auto *object = dyn_cast_or_null<CXXTemporaryObjectExpr>(made))
    arguments = object->getParenOrBraceRange().getBegin();
  else if (const auto *cast = dyn_cast_or_null<CXXFunctionalCastExpr>(made))
    arguments = cast->isListInitialization() ? cast->getSubExpr()->getBeginLoc() : cast->getLParenLoc();
  const std::string name = freeName(function);
  if (arguments.isInvalid() || arguments.isMacroID() || name.empty())
    return {};
  return {FixItHint::CreateInsertion(made->getBeginLoc(), "const "), FixItHint::CreateInsertion(arguments, " " + name)};
}

Fixes moveGuard(const Fix &fix, const SourceText &source, ASTContext &context) {
  const clangfront::SourceEntry *at = source.entry(fix.at);
  const auto [tensor, function] = givenTo(fix, source);
  if (!at || !function || at->function != function || fix.sisters.size() != 1)
    return {};
  const Stmt *use = source.wholeStatement(fix.at), *guard = source.wholeStatement(fix.sisters[0]);
  if (!use || !guard || guard->getBeginLoc().isMacroID())
    return {};
  if (use == guard)
    return nameGuard(guard, function);
  const SourceManager &sources = context.getSourceManager();
  const bool isLate = sources.isBeforeInTranslationUnit(use->getBeginLoc(), guard->getBeginLoc());
  // One that is still in force holds for another tensor.
  if (!isLate && isa<DeclStmt>(guard) && source.isInBlockOf(guard, use, function))
    return {};
  if (isLate && isa<DeclStmt>(guard) && source.isInBlockOf(use, guard, function)) {
    const std::optional<SourceLocation> end = source.afterStatement(guard);
    const std::string text = source.text(guard->getSourceRange());
    if (!end || text.empty() || namesLater(guard, use->getBeginLoc(), guard->getBeginLoc(), sources))
      return {};
    return {lineBefore(use->getBeginLoc(), text, source),
            FixItHint::CreateRemoval(CharSourceRange::getCharRange(guard->getBeginLoc(), *end))};
  }
  return guardAt(use, tensor, function, source, context);
}

} // namespace samedevice::tidy
