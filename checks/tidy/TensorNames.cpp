// What a tensor or a module is called in messages: by the name the user gave it, wherever there is one.
#include "FixParts.h"
#include "SourceText.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSet.h"

#include <cctype>

namespace samedevice::tidy {
using namespace clang;

namespace {

/// A number or options, of which something is made that is not called so: `GaugeNet(48)`.
bool isSetting(const Expr *given) {
  const QualType type = given->getType().getNonReferenceType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return type->isArithmeticType() || type->isEnumeralType() || (record && record->getName().ends_with("Options"));
}

/// What of an expression says which tensor it is: `x` of `x.detach().data_ptr<float>()`, of `*x`, of `x = x.to(d)`.
const Expr *core(const Expr *expression) {
  for (const Expr *before = nullptr; expression != before;) {
    before = expression;
    expression = expression->IgnoreUnlessSpelledInSource();
    if (const auto *cast = dyn_cast<ExplicitCastExpr>(expression)) {
      expression = cast->getSubExpr();
    } else if (const auto *unary = dyn_cast<UnaryOperator>(expression)) {
      if (unary->getOpcode() == UO_AddrOf || unary->getOpcode() == UO_Deref)
        expression = unary->getSubExpr();
    } else if (const auto *sum = dyn_cast<BinaryOperator>(expression)) {
      if (sum->isAdditiveOp() && sum->getType()->isPointerType()) // somewhere behind it
        expression = sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS();
    } else if (const auto *construct = dyn_cast<CXXConstructExpr>(expression)) {
      if (construct->getNumArgs() == 1 && !isa<CXXTemporaryObjectExpr>(construct) && !isSetting(construct->getArg(0)))
        expression = construct->getArg(0);
    } else if (const auto *op = dyn_cast<CXXOperatorCallExpr>(expression)) {
      const bool isDereference = op->getOperator() == OO_Star && op->getNumArgs() == 1;
      if (op->getOperator() == OO_Arrow || isDereference || op->getOperator() == OO_Equal)
        expression = op->getArg(0);
    } else if (const auto *call = dyn_cast<CXXMemberCallExpr>(expression)) {
      static const llvm::StringSet<> looksInto = {
          "data_ptr",          "const_data_ptr", "mutable_data_ptr", "data", "accessor", "packed_accessor32",
          "packed_accessor64", "contiguous",     "detach",           "get",  "ptr"};
      const CXXMethodDecl *method = call->getMethodDecl();
      const bool isOfOne = method && method->getIdentifier() && looksInto.contains(method->getName());
      if (isOfOne && (method->getName() != "get" || call->getNumArgs() == 0) && // which an index makes a lookup
          !isa<CXXThisExpr>(call->getImplicitObjectArgument()->IgnoreParenImpCasts()))
        expression = call->getImplicitObjectArgument();
    } else if (const auto *call = dyn_cast<CallExpr>(expression)) {
      const FunctionDecl *callee = call->getDirectCallee();
      if (callee && callee->isInStdNamespace() && call->getNumArgs() == 1 && callee->getIdentifier() &&
          (callee->getName() == "move" || callee->getName() == "forward" || callee->getName() == "ref"))
        expression = call->getArg(0);
    }
  }
  return expression;
}

/// `torch::zeros(3).view({3, 1})` is what zeros made, `TensorOptions().dtype(t)` are the same options.
bool isViewOf(const Expr *call, const Expr *object) {
  const CXXRecordDecl *made = object->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return made && made == call->getType().getNonReferenceType()->getAsCXXRecordDecl() &&
         (made->getName() == "Tensor" || made->getName() == "TensorOptions");
}

/// Goes through what makes `value`: itself, or what it is a view or a holder of.
template <typename Visit> void forMakers(const Expr *value, Visit visit) {
  for (const Expr *before = nullptr; value && value != before;) {
    before = value;
    visit(value);
    value = value->IgnoreUnlessSpelledInSource();
    visit(value);
    if (const auto *construct = dyn_cast<CXXConstructExpr>(value)) {
      // A copy, or a holder around what it holds.
      const CXXRecordDecl *given =
          construct->getNumArgs() == 1 ? construct->getArg(0)->getType()->getAsCXXRecordDecl() : nullptr;
      if (given && (given == construct->getType()->getAsCXXRecordDecl() || given->getName().ends_with("_ptr")))
        value = construct->getArg(0);
    } else if (const auto *call = dyn_cast<CXXMemberCallExpr>(value)) {
      const CXXMethodDecl *method = call->getMethodDecl();
      const bool registers = method && method->getIdentifier() && method->getName().starts_with("register_");
      if (registers && call->getNumArgs() > 1)
        value = call->getArg(1);
      else if (isViewOf(call, call->getImplicitObjectArgument()))
        value = call->getImplicitObjectArgument();
    } else if (const auto *op = dyn_cast<CXXOperatorCallExpr>(value)) {
      if (op->getOperator() == OO_Arrow)
        value = op->getArg(0);
    }
  }
}

/// What expressions are put into, somewhere in `from`; the first place counts.
void collectLabels(const Stmt *from, SourceText::Labels &labels) {
  auto put = [&](const Expr *value, const NamedDecl *declared, const Expr *assigned) {
    forMakers(value, [&](const Expr *made) { labels.try_emplace(made, SourceText::Label{declared, assigned}); });
  };
  if (const auto *declaration = dyn_cast<DeclStmt>(from))
    for (const Decl *declared : declaration->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declared); variable && variable->hasInit())
        put(variable->getInit(), variable, nullptr);
  if (const auto *assignment = dyn_cast<CXXOperatorCallExpr>(from))
    if (assignment->getOperator() == OO_Equal)
      put(assignment->getArg(1), nullptr, assignment->getArg(0));
  if (const auto *assignment = dyn_cast<BinaryOperator>(from))
    if (assignment->getOpcode() == BO_Assign)
      put(assignment->getRHS(), nullptr, assignment->getLHS());
  if (const auto *lambda = dyn_cast<LambdaExpr>(from)) {
    if (lambda->getBody())
      collectLabels(lambda->getBody(), labels);
    return;
  }
  for (const Stmt *child : from->children())
    if (child)
      collectLabels(child, labels);
}

} // namespace

const SourceText::Labels &SourceText::labelsIn(const Decl *function) const {
  auto [place, isNew] = labels_.try_emplace(function);
  Labels &labels = place->second;
  if (!isNew)
    return labels;
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    for (const CXXCtorInitializer *initializer : constructor->inits())
      if (initializer->isAnyMemberInitializer() && initializer->getInit()) {
        const Expr *init = initializer->getInit();
        if (const auto *inClass = dyn_cast<CXXDefaultInitExpr>(init))
          init = inClass->getExpr();
        forMakers(init, [&](const Expr *made) { labels[made] = {initializer->getAnyMember(), nullptr}; });
      }
  if (const Stmt *body = function->getBody())
    collectLabels(body, labels);
  return labels;
}

std::string SourceText::label(facts::SourceId id) const {
  if (const facts::Source *far = elsewhere(id))
    return far->label;
  const clangfront::SourceEntry *at = entry(id);
  const Expr *made = expression(id);
  if (!made || !at->function)
    return {};
  const Label found = labelsIn(at->function).lookup(made);
  if (found.declared)
    return found.declared->getNameAsString();
  return found.assigned ? shortText(found.assigned) : std::string();
}

/// As written, if that can be read at a glance.
std::string SourceText::shortText(const Expr *written) const {
  written = core(written);
  if (const auto *member = dyn_cast<MemberExpr>(written))
    if (isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
      return member->getMemberDecl()->getNameAsString();
  std::string text = this->text(written);
  while (text.ends_with("->")) // a holder's arrow belongs to the call
    text.resize(text.size() - 2);
  // `{x, y}` names neither of the two, `torch::rand({2, 4})` says enough.
  const std::size_t longest = text.find('{') == std::string::npos ? 40 : 32;
  const bool isReadable = !text.empty() && text.size() <= longest && text.find_first_of(";\n") == std::string::npos &&
                          text[0] != '{' && text[0] != '[' &&
                          llvm::any_of(text, [](unsigned char c) { return std::isalnum(c); });
  return isReadable ? text : std::string();
}

std::string SourceText::name(facts::SourceId id) const {
  if (const facts::Source *far = elsewhere(id))
    return far->name;
  const clangfront::SourceEntry *at = entry(id);
  if (at && !at->stmt)
    if (const auto *named = dyn_cast_or_null<NamedDecl>(at->decl))
      return named->getNameAsString();
  if (const auto *declaration = at ? dyn_cast_or_null<DeclStmt>(at->stmt) : nullptr)
    if (const auto *named = declaration->isSingleDecl() ? dyn_cast<NamedDecl>(declaration->getSingleDecl()) : nullptr)
      return named->getNameAsString();
  const Expr *written = expression(id);
  if (std::string put = isPlain(written) ? std::string() : label(id); !put.empty())
    return put;
  return written ? shortText(written) : std::string();
}

std::string SourceText::madeAs(facts::SourceId id) const {
  if (const facts::Source *far = elsewhere(id))
    return far->madeAs;
  const Expr *made = expression(id);
  return made && isa<CXXConstructExpr>(made->IgnoreUnlessSpelledInSource()) ? shortText(made) : std::string();
}

std::string SourceText::callee(facts::SourceId id) const {
  if (const facts::Source *far = elsewhere(id))
    return far->callee;
  const Expr *called = expression(id);
  const auto *call = called ? dyn_cast<CallExpr>(called->IgnoreUnlessSpelledInSource()) : nullptr;
  if (!call)
    return {};
  if (const auto *op = dyn_cast<CXXOperatorCallExpr>(call))
    return op->getOperator() == OO_Call ? shortText(op->getArg(0)) : std::string();
  return shortText(call->getCallee());
}

bool SourceText::isLaunch(facts::SourceId id) const {
  const facts::Source *far = elsewhere(id);
  return far ? far->isLaunch : isa_and_nonnull<CUDAKernelCallExpr>(expression(id));
}

bool SourceText::isSeenFrom(facts::SourceId named, facts::SourceId line) const {
  const clangfront::SourceEntry *there = entry(named), *here = entry(line);
  if (!there || !here)
    return false;
  if (there->function == here->function)
    return true;
  const auto *expression = dyn_cast_or_null<Expr>(there->stmt);
  const auto *member = expression ? dyn_cast<MemberExpr>(expression->IgnoreParenImpCasts()) : nullptr;
  if (!member || !isa<CXXThisExpr>(member->getBase()->IgnoreParenImpCasts()))
    return false;
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(here->function);
  const auto *owner = dyn_cast<CXXRecordDecl>(member->getMemberDecl()->getDeclContext());
  return method && owner &&
         (method->getParent()->getCanonicalDecl() == owner->getCanonicalDecl() ||
          (method->getParent()->hasDefinition() && method->getParent()->isDerivedFrom(owner)));
}

} // namespace samedevice::tidy
