// `t.data_ptr<float>()[0]` reads a host copy when it says `t.cpu().data_ptr<float>()[0]`. Where the pointer (or an
// accessor) is kept, the copy needs a name, or it would be gone at the semicolon. What is written through it would
// be lost in the copy: then there is no fix.
#include "FixParts.h"

#include "clang/AstVisitor.h"

#include "clang/Lex/Lexer.h"

namespace samedevice::tidy {
using namespace clang;

namespace {

/// Looks for writes through a pointer or accessor, and for a name that is taken.
class Uses : public clangfront::AstVisitor {
public:
  Uses(const VarDecl *pointer, const Expr *taken, std::string name)
      : pointer_(pointer), taken_(taken), name_(std::move(name)) {}

  bool written = false;
  bool nameTaken = false;

  bool VisitBinaryOperator(BinaryOperator *op) override {
    if (op->isAssignmentOp() && !isa<DeclRefExpr>(op->getLHS()->IgnoreParens()))
      written |= concerns(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) override {
    if (op->isIncrementDecrementOp() && !isa<DeclRefExpr>(op->getSubExpr()->IgnoreParens()))
      written |= concerns(op->getSubExpr());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *op) override {
    if (op->isAssignmentOp())
      written |= concerns(op->getArg(0));
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = call->getDirectCallee();
    for (unsigned n = 0; callee && n < call->getNumArgs() && n < callee->getNumParams(); ++n)
      if (!isa<CXXOperatorCallExpr>(call) && mayWriteTo(*callee, n))
        written |= concerns(call->getArg(n));
    return true;
  }
  bool VisitVarDecl(VarDecl *variable) override {
    nameTaken |= !name_.empty() && variable->getName() == name_;
    return true;
  }

private:
  static bool mayWriteTo(const FunctionDecl &callee, unsigned parameter) {
    const QualType type = callee.getParamDecl(parameter)->getType();
    if (!type->isPointerType() || type->getPointeeType().isConstQualified())
      return false;
    // What std's algorithms do with an iterator does not show in its type.
    static constexpr llvm::StringLiteral kReading[] = {"accumulate", "reduce",       "find",        "find_if",
                                                       "count",      "count_if",     "max_element", "min_element",
                                                       "equal",      "inner_product"};
    static constexpr llvm::StringLiteral kCopying[] = {"copy", "copy_n", "copy_if", "transform"};
    if (!callee.isInStdNamespace() || !callee.getIdentifier())
      return true;
    const bool reads = llvm::is_contained(kReading, callee.getName());
    return !reads && !(llvm::is_contained(kCopying, callee.getName()) && parameter < 2);
  }

  /// Whether the memory behind this expression is what was taken from the tensor.
  bool concerns(const Stmt *stmt) const {
    if (!stmt)
      return false;
    if (stmt == taken_)
      return true;
    if (const auto *reference = dyn_cast<DeclRefExpr>(stmt))
      return pointer_ && reference->getDecl() == pointer_;
    for (const Stmt *child : stmt->children())
      if (concerns(child))
        return true;
    return false;
  }

  const VarDecl *pointer_;
  const Expr *taken_;
  std::string name_;
};

/// Every place of a statement where memory is taken of a tensor that is written like this one.
class Takings : public clangfront::AstVisitor {
public:
  Takings(std::string tensor, ASTContext &context) : tensor_(std::move(tensor)), context_(context) {}
  std::vector<const Expr *> found;
  bool isWhole = true; ///< nothing else is taken

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *call) override {
    const CXXMethodDecl *method = call->getMethodDecl();
    const Expr *object = call->getImplicitObjectArgument();
    if (!method || !method->getIdentifier() || !isTensor(object))
      return true;
    if (method->getName() != "data_ptr" && method->getName() != "data" && method->getName() != "accessor")
      return true;
    object = object->IgnoreParenImpCasts();
    if (isPlain(object) && textOf(object, context_) == tensor_)
      found.push_back(object);
    else
      isWhole = false;
    return true;
  }

private:
  std::string tensor_;
  ASTContext &context_;
};

/// How often the statement's text takes memory: in templates, calls may have no types yet.
std::size_t takingsIn(const Stmt *statement, const ASTContext &context) {
  llvm::StringRef text = Lexer::getSourceText(CharSourceRange::getTokenRange(statement->getSourceRange()),
                                              context.getSourceManager(), context.getLangOpts());
  return text.count("data_ptr") + text.count(".data<");
}

/// `(t.data_ptr(), t.data_ptr() + n)` must stay one memory.
bool takesTwice(const Stmt *statement, const Expr *tensor, ASTContext &context) {
  Takings takings(textOf(tensor->IgnoreParenImpCasts(), context), context);
  takings.walk(statement);
  return takings.found.size() > 1;
}

/// The other places take memory of other tensors, as far as can be seen.
bool isTakenOnce(const Stmt *statement, const Expr *tensor, ASTContext &context) {
  const std::string name = textOf(tensor->IgnoreParenImpCasts(), context);
  llvm::StringRef text = Lexer::getSourceText(CharSourceRange::getTokenRange(statement->getSourceRange()),
                                              context.getSourceManager(), context.getLangOpts());
  return isPlain(tensor) && text.count(name + ".data") == 1;
}

/// The copy gets a line and a name of its own, and the statement reads that.
Fixes namedCopy(const Stmt *statement, const Expr *tensor, const std::string &name, const std::string &copy,
                const SourceText &source, ASTContext &context) {
  Takings takings(textOf(tensor, context), context);
  takings.walk(statement);
  if (name.empty() || copy.empty() || takings.found.empty() || !takings.isWhole)
    return {};
  Fixes fixes{lineBefore(statement->getBeginLoc(), "const torch::Tensor " + name + " = " + copy + ";", source)};
  for (const Expr *taken : takings.found) {
    if (taken->getBeginLoc().isMacroID() || taken->getEndLoc().isMacroID())
      return {};
    fixes.push_back(FixItHint::CreateReplacement(taken->getSourceRange(), name));
  }
  return fixes;
}

/// "logits" becomes "logits_host", "classIds_" becomes "classIdsHost".
std::string hostName(const Expr *tensor, ASTContext &context) {
  std::string text = textOf(tensor->IgnoreParenImpCasts(), context);
  std::size_t begin = text.find_last_of(".>:");
  std::string name = begin == std::string::npos ? text : text.substr(begin + 1);
  while (!name.empty() && name.back() == '_')
    name.pop_back();
  if (name.empty() || !std::all_of(name.begin(), name.end(), [](char c) { return isalnum(c) || c == '_'; }))
    return {};
  bool camel = std::any_of(name.begin(), name.end(), [](char c) { return isupper(c); });
  return name + (camel ? "Host" : "_host");
}

/// Whether nothing points into the tensor any more once this was made of it.
bool isOwnCopy(const Expr *made) {
  made = made->IgnoreImplicit();
  if (const auto *call = dyn_cast<CXXMemberCallExpr>(made))
    return call->getMethodDecl() && call->getMethodDecl()->getIdentifier() &&
           call->getMethodDecl()->getName() == "clone";
  const auto *construct = dyn_cast<CXXConstructExpr>(made);
  const CXXRecordDecl *record = construct ? construct->getType()->getAsCXXRecordDecl() : nullptr;
  // With a third argument, the base, numpy would share the memory.
  return record && record->getName() == "array_t" && llvm::count_if(construct->arguments(), [](const Expr *argument) {
                                                       return !isa<CXXDefaultArgExpr>(argument);
                                                     }) == 2;
}

/// Whether a value of this type still points into the tensor.
bool pointsIn(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType())
    return true;
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->getName().starts_with("TensorAccessor");
}

/// Whether a structure was made of a pointer that it only reads through: a view of an image, Eigen's map.
bool looksIn(const VarDecl *variable, const Expr *pointer) {
  const Expr *init = variable->getInit() ? variable->getInit()->IgnoreImplicit() : nullptr;
  const auto *made = dyn_cast_or_null<CXXConstructExpr>(init);
  for (unsigned n = 0; made && n < made->getNumArgs() && n < made->getConstructor()->getNumParams(); ++n) {
    const QualType type = made->getConstructor()->getParamDecl(n)->getType();
    if (made->getArg(n)->IgnoreParenImpCasts() == pointer->IgnoreParenImpCasts())
      return variable->isLocalVarDecl() && !variable->isStaticLocal() && type->isPointerType() &&
             type->getPointeeType().isConstQualified();
  }
  return false;
}

bool isCopied(QualType type) {
  type = type.getNonReferenceType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return type->isArithmeticType() || (record && record->isInStdNamespace() &&
                                      (record->getName() == "vector" || record->getName() == "basic_string"));
}

/// `x->data_ptr<float>()` of an optional or a pointer becomes `x->cpu().data_ptr<float>()`.
Fixes onHost(const CXXMemberCallExpr *taken) {
  const auto *member = taken ? dyn_cast<MemberExpr>(taken->getCallee()->IgnoreParens()) : nullptr;
  if (!member || member->getMemberLoc().isMacroID() || !member->isArrow())
    return {};
  return {FixItHint::CreateInsertion(member->getMemberLoc(), "cpu().")};
}

} // namespace

Fixes hostCopy(const analysis::Fix &fix, const SourceText &source, ASTContext &context) {
  const Expr *tensor = source.expression(fix.at), *taken = source.expression(fix.subject);
  const Stmt *statement = source.statement(fix.subject);
  if (tensor && tensor == taken) // an argument: nothing points into it afterwards
    return isTensor(tensor) ? append(tensor, ".cpu()", source) : Fixes{};
  if (const auto *cast = dyn_cast_or_null<CallExpr>(tensor ? tensor->IgnoreImplicit() : nullptr);
      cast && !isTensor(tensor) && cast->getNumArgs() && isTensor(cast->getArg(0))) // what Python is handed
    return append(asWritten(cast->getArg(0)), ".cpu()", source);
  const bool isPointedTo = tensor && tensor->getType()->isPointerType(); // an optional's arrow leads to it
  if ((!isTensor(tensor) && !isPointedTo) || !taken || !statement || statement->getBeginLoc().isMacroID())
    return {};
  const VarDecl *variable = nullptr;
  if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
    variable = declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
    if (!variable)
      return {};
  }
  // A temporary that already is a host copy only needs a name; `t` in `t.cpu()` gives it.
  const auto *made = dyn_cast<CXXMemberCallExpr>(tensor->IgnoreImplicit());
  const Expr *named = made ? made->getImplicitObjectArgument() : tensor;
  bool isPointer = variable && (pointsIn(variable->getType()) || looksIn(variable, taken));
  const auto *call = dyn_cast<CXXMemberCallExpr>(taken->IgnoreImplicit());
  const CXXMethodDecl *method = call ? call->getMethodDecl() : nullptr;
  const bool isAccessor = method && method->getIdentifier() && method->getName() == "accessor"; // not of a temporary
  const bool needsName = isPointer || isAccessor || takesTwice(statement, tensor, context);
  std::string name = needsName && isPlain(named) ? hostName(named, context) : std::string();

  Uses uses(isPointer ? variable : nullptr, taken, name);
  const clang::Decl *function = source.entry(fix.subject)->function;
  uses.walk(function ? function->getBody() : nullptr);
  if (uses.written || uses.nameTaken)
    return {};
  if (isPointer && isPointedTo)
    return {};
  if (isPointer) {
    bool isDangling = made != nullptr;
    if (name.empty() || source.endOf(tensor->IgnoreImplicit()).isInvalid())
      return {};
    std::string copy = textOf(tensor->IgnoreImplicit(), context) + (isDangling ? "" : ".cpu()");
    return {lineBefore(statement->getBeginLoc(), "const torch::Tensor " + name + " = " + copy + ";", source),
            FixItHint::CreateReplacement(tensor->IgnoreImplicit()->getSourceRange(), name)};
  }
  // What the statement leaves behind must not point into the copy.
  if (variable && !isCopied(variable->getType()))
    return {};
  if (const auto *expression = dyn_cast<Expr>(statement)) {
    expression = expression->IgnoreImplicit();
    const auto *assignment = dyn_cast<BinaryOperator>(expression);
    bool plain = expression->getType()->isVoidType() || (assignment && isCopied(assignment->getType())) ||
                 (isa<CallExpr>(expression) && !asAssignment(expression));
    if (!plain)
      return {};
  }
  if (const auto *result = dyn_cast<ReturnStmt>(statement))
    if (!result->getRetValue() || (!isCopied(result->getRetValue()->getType()) && !isOwnCopy(result->getRetValue())))
      return {};
  if (!needsName && takingsIn(statement, context) > 1 && !isTakenOnce(statement, tensor, context))
    return {};
  if (isPointedTo)
    return needsName ? Fixes{} : onHost(call);
  if (needsName)
    return made ? Fixes{}
                : namedCopy(statement, tensor->IgnoreParenImpCasts(), name, textOf(tensor, context) + ".cpu()", source,
                            context);
  return append(tensor, ".cpu()", source);
}

} // namespace samedevice::tidy
