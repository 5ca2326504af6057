// Memory on the wrong side: a copy is told the right direction, from_blob where its memory is, and a function that
// works on the other side is replaced by its twin.
#include "CallsOf.h"
#include "FixParts.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"

namespace samedevice::tidy {
using namespace clang;
using analysis::Finding;
using analysis::Fix;

/// Memory on a device that from_blob took for the host's: it is told. The other way round the host's memory is wrapped
/// as what it is, and moved.
Fixes blobOptions(const Finding &finding, const SourceText &source, ASTContext &context) {
  const Fix &fix = finding.fix;
  std::string device = deviceAt(fix, fix.at, source);
  if (finding.variant == "from-blob-device")
    return addDevice(fix, device.empty() ? "torch::kCUDA" : device, source, context);
  const auto *call =
      dyn_cast_or_null<CallExpr>(source.expression(fix.at) ? source.expression(fix.at)->IgnoreImplicit() : nullptr);
  const Expr *options = call && call->getNumArgs() ? asWritten(call->getArg(call->getNumArgs() - 1)) : nullptr;
  if (!options || options->getBeginLoc().isMacroID() || options->getEndLoc().isMacroID() ||
      call->getEndLoc().isMacroID())
    return {};
  const std::string cls = classOf(options->getType()), text = source.text(options);
  std::string host = ".device(torch::kCPU)";
  if (cls == "Device" || cls == "DeviceType") {
    device = text;
    host = "torch::kCPU";
  } else if (cls != "TensorOptions")
    return {};
  else if (isPlain(options))
    device = text + ".device()";
  if (device.empty())
    return {};
  const FixItHint on = host[0] == '.' ? FixItHint::CreateInsertion(source.endOf(options), host)
                                      : FixItHint::CreateReplacement(options->getSourceRange(), host);
  return {on, FixItHint::CreateInsertion(source.endOf(call), ".to(" + device + ")")};
}

/// A kind of copy that only one of the two pointers contradicts.
Fixes memcpyKind(const Fix &fix, const SourceText &source, ASTContext &context) {
  const auto *call =
      dyn_cast_or_null<CallExpr>(source.expression(fix.at) ? source.expression(fix.at)->IgnoreImplicit() : nullptr);
  if (!call || fix.text.empty())
    return {};
  for (const Expr *argument : call->arguments())
    if (const Expr *kind = argument->IgnoreParenImpCasts();
        classOf(kind->getType()) == "cudaMemcpyKind" && isa<DeclRefExpr>(kind))
      if (const CharSourceRange written = asInFile(kind, context); written.isValid())
        return {FixItHint::CreateReplacement(written, fix.text)};
  return {};
}

namespace {

/// A name in namespaces, if the file has declared it.
bool isDeclared(std::initializer_list<const char *> path, ASTContext &context) {
  const DeclContext *scope = context.getTranslationUnitDecl();
  const NamedDecl *found = nullptr;
  for (const char *name : path) {
    auto result = scope ? scope->lookup(&context.Idents.get(name)) : DeclContextLookupResult();
    found = result.empty() ? nullptr : result.front();
    scope = dyn_cast_or_null<NamespaceDecl>(found);
  }
  return found;
}

/// `row + image.width` with `row`: the `image.width`.
const Expr *countBetween(const Expr *first, const Expr *last, const SourceText &source) {
  const auto *sum = dyn_cast<BinaryOperator>(last->IgnoreParenImpCasts());
  const bool isFrom = sum && sum->getOpcode() == BO_Add &&
                      source.text(sum->getLHS()->IgnoreParenImpCasts()) == source.text(first->IgnoreParenImpCasts());
  return isFrom ? sum->getRHS()->IgnoreParenImpCasts() : nullptr;
}

/// `std::memcpy(a, b, n)` becomes `cudaMemcpy(a, b, n, cudaMemcpyDefault)`, which sees by itself what is where.
Fixes copyByCuda(const CallExpr *call, llvm::StringRef name, const SourceText &source) {
  if (name == "memcpy")
    return {FixItHint::CreateReplacement(call->getCallee()->getSourceRange(), "cudaMemcpy"),
            FixItHint::CreateInsertion(call->getRParenLoc(), ", cudaMemcpyDefault")};
  const Expr *first = call->getArg(0)->IgnoreParenImpCasts(), *target = asWritten(call->getArg(2));
  const Expr *count = countBetween(first, asWritten(call->getArg(1)), source);
  const QualType element = first->getType()->isPointerType() ? first->getType()->getPointeeType() : QualType();
  if (!count || element.isNull() || !element->isArithmeticType())
    return {};
  QualType into = target->getType()->isPointerType() ? target->getType()->getPointeeType() : QualType();
  std::string to = source.text(target);
  if (const auto *iterator = dyn_cast_or_null<ClassTemplateSpecializationDecl>(target->getType()->getAsCXXRecordDecl());
      iterator && iterator->getName() == "__normal_iterator") { // of a vector, in a row
    into = iterator->getTemplateArgs()[0].getAsType()->getPointeeType();
    to = isa<CallExpr>(target) && !isa<CXXOperatorCallExpr>(target) ? "&*" + to : "&*(" + to + ")";
  }
  if (into.isNull() || into.getUnqualifiedType().getCanonicalType() != element.getUnqualifiedType().getCanonicalType())
    return {};
  const std::string number = isa<IntegerLiteral>(count) || isPlain(count) || isa<CallExpr>(count)
                                 ? source.text(count)
                                 : "(" + source.text(count) + ")";
  const std::string from = source.text(first);
  return {FixItHint::CreateReplacement(call->getSourceRange(), "cudaMemcpy(" + to + ", " + from + ", " + number +
                                                                   " * sizeof(*" + from + "), cudaMemcpyDefault)")};
}

/// `hits.data()`, `hits.data() + n` of a vector.
bool isOfVector(const Expr *pointer) {
  pointer = pointer->IgnoreParenImpCasts();
  if (const auto *sum = dyn_cast<BinaryOperator>(pointer))
    return isOfVector(sum->getLHS());
  const auto *call = dyn_cast<CXXMemberCallExpr>(pointer);
  const CXXRecordDecl *owner = call ? call->getMethodDecl()->getParent() : nullptr;
  return owner && owner->isInStdNamespace() && owner->getName() == "vector";
}

/// An algorithm of thrust's that is told to run on the device, over vectors of the host.
Fixes policyOfHost(const CallExpr *call, const SourceText &source, ASTContext &context) {
  const Expr *policy = call->getNumArgs() > 1 ? asWritten(call->getArg(0))->IgnoreParenImpCasts() : nullptr;
  const auto *named = dyn_cast_or_null<DeclRefExpr>(policy);
  const bool areOfHost = llvm::all_of(call->arguments(), [](const Expr *argument) {
    return !argument->getType()->isPointerType() || isOfVector(argument);
  });
  if (!named || !named->getDecl()->getIdentifier() || named->getDecl()->getName() != "device" || !areOfHost ||
      !isDeclared({"thrust", "host"}, context) || source.text(policy) != "thrust::device")
    return {};
  return {FixItHint::CreateReplacement(policy->getSourceRange(), "thrust::host")};
}

/// Whether what is named there was handed to the function, by several callers for all that is known: these may have
/// memory of either side.
bool mayBeOthers(const Stmt *named, ASTContext &context) {
  const auto *reference = dyn_cast<DeclRefExpr>(named);
  const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  if (variable && isa<ParmVarDecl>(variable)) {
    const auto *function = dyn_cast<FunctionDecl>(variable->getDeclContext());
    return !function || !onlyCallOf(function, context);
  }
  if (variable && variable->isLocalVarDecl() && variable->getInit())
    return mayBeOthers(variable->getInit(), context);
  return llvm::any_of(named->children(), [&](const Stmt *child) { return child && mayBeOthers(child, context); });
}

} // namespace

Fixes otherSide(const Finding &finding, const SourceText &source, ASTContext &context) {
  const Expr *at = source.expression(finding.at);
  const auto *call = dyn_cast_or_null<CallExpr>(at ? at->IgnoreImplicit() : nullptr);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier() || isa<CXXMemberCallExpr, CXXOperatorCallExpr>(call) ||
      call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID())
    return {};
  const llvm::StringRef name = callee->getName();
  const bool isThrusts = callee->getQualifiedNameAsString().starts_with("thrust::");
  if (finding.variant == "host-pointer" && isThrusts)
    return policyOfHost(call, source, context);
  const Expr *pointer = source.expression(finding.subject);
  if (finding.variant != "host-read" || isThrusts || !pointer || mayBeOthers(pointer, context))
    return {};
  if (name == "sort" && call->getNumArgs() == 2 && isDeclared({"thrust", "sort"}, context) &&
      isDeclared({"thrust", "device"}, context))
    return {FixItHint::CreateReplacement(call->getCallee()->getSourceRange(), "thrust::sort"),
            FixItHint::CreateInsertion(call->getArg(0)->getBeginLoc(), "thrust::device, ")};
  // What it gives back is something else.
  const bool isAlone = withoutCleanups(source.room(finding.at).statement) == call;
  if ((name == "memcpy" || name == "copy") && call->getNumArgs() == 3 && isAlone && isDeclared({"cudaMemcpy"}, context))
    return copyByCuda(call, name, source);
  return {};
}

} // namespace samedevice::tidy
