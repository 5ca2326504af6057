#include "Fixes.h"

#include "FixParts.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"

namespace samedevice::tidy {
using namespace clang;
using analysis::Finding;
using analysis::Fix;

namespace {

/// What it returns is meant in place of what it was called on; a part of a tensor is not.
bool keepsElements(llvm::StringRef method) {
  static constexpr llvm::StringLiteral kMethods[] = {"to",   "contiguous", "clone", "detach", "toType",
                                                     "add_", "sub_",       "mul_",  "div_",   "clamp_"};
  return llvm::is_contained(kMethods, method);
}

Fixes assign(const Fix &fix, const SourceText &source) {
  const Expr *subject = source.expression(fix.subject);
  const Expr *call = source.expression(fix.at);
  // Of `x.to(kFloat).div_(255).to(device)` the `x`.
  while (subject && !isPlain(subject)) {
    const auto *made = dyn_cast<CXXMemberCallExpr>(subject->IgnoreImplicit());
    const CXXMethodDecl *method = made ? made->getMethodDecl() : nullptr;
    const bool isWhole =
        method && ((method->getIdentifier() && isTensor(made) && keepsElements(method->getName())) ||
                   (classOf(made->getType()) == "TensorOptions" && method->getParent()->getName() == "TensorOptions"));
    subject = isWhole ? made->getImplicitObjectArgument() : nullptr;
  }
  if (!subject || !call || call->getBeginLoc().isMacroID())
    return {};
  subject = subject->IgnoreParenImpCasts(); // `to()` is const, what it is called on need not be
  if (subject->getType().isConstQualified())
    return {};
  std::string text = source.text(subject);
  return text.empty() ? Fixes{} : Fixes{FixItHint::CreateInsertion(call->getBeginLoc(), text + " = ")};
}

/// Options get a device where they are made, if nothing else is made as they say.
Fixes addDeviceTo(const Fix &fix, const Expr *options, const std::string &device, const SourceText &source) {
  const SourceLocation end = source.endOf(options);
  const Stmt *statement = source.statement(fix.at);
  if (device.empty() || end.isInvalid() || options->getBeginLoc().isMacroID() || !statement ||
      !isa<CallExpr, CXXTemporaryObjectExpr, CXXFunctionalCastExpr>(asWritten(options)) || isa<ReturnStmt>(statement) ||
      asAssignment(statement))
    return {};
  const VarDecl *made = onlyVariable(statement);
  if (made && classOf(made->getType()) == "TensorOptions" &&
      mentions(made, source.entry(fix.at)->function->getBody()) != 1)
    return {};
  return {FixItHint::CreateInsertion(end, ".device(" + device + ")")};
}

} // namespace

/// A factory call gets `.device(d)` on the options it has, or options of its own.
Fixes addDevice(const Fix &fix, const std::string &device, const SourceText &source, ASTContext &context) {
  if (const Expr *options = source.expression(fix.at); options && classOf(options->getType()) == "TensorOptions")
    return addDeviceTo(fix, options, device, source);
  const auto *call =
      dyn_cast_or_null<CallExpr>(source.expression(fix.at) ? source.expression(fix.at)->IgnoreImplicit() : nullptr);
  if (device.empty() || !call || call->getNumArgs() == 0 || call->getEndLoc().isMacroID())
    return {};
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || isa<CXXMethodDecl>(callee))
    return {};
  for (unsigned n = 0; n < call->getNumArgs() && n < callee->getNumParams(); ++n) {
    const CXXRecordDecl *record = callee->getParamDecl(n)->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!record || record->getName() != "TensorOptions")
      continue;
    const Expr *argument = call->getArg(n);
    if (isa<CXXDefaultArgExpr>(argument)) {
      const Expr *last = call->getArg(n - (n > 0));
      SourceLocation end = n == 0 ? SourceLocation() : source.endOf(last);
      if (end.isInvalid())
        return {};
      return {FixItHint::CreateInsertion(end, ", torch::device(" + device + ")")};
    }
    const Expr *written = argument->IgnoreImplicit();
    if (const auto *construct = dyn_cast<CXXConstructExpr>(written))
      if (construct->getNumArgs() > 0)
        written = construct->getArg(0)->IgnoreImplicit();
    const CXXRecordDecl *given = written->getType()->getAsCXXRecordDecl();
    SourceLocation begin = written->getBeginLoc(), end = source.endOf(written);
    if (end.isInvalid() || begin.isMacroID())
      return {};
    if (given && given->getName() == "TensorOptions")
      return {FixItHint::CreateInsertion(end, ".device(" + device + ")")};
    return {FixItHint::CreateReplacement(written->getSourceRange(),
                                         "torch::dtype(" + textOf(written, context) + ").device(" + device + ")")};
  }
  return {};
}

namespace {

/// Where what is loaded into is already: loading leaves it there.
std::string ownDevice(const Fix &fix, const SourceText &source) {
  const Expr *written = source.expression(fix.subject);
  if (!isPlain(written) || !source.usableAt(fix.subject, fix.at))
    return {};
  const Expr *loaded = withoutArrow(written);
  const char *access = accessOf(loaded->getType());
  const std::string name = source.text(loaded);
  if (!access || name.empty())
    return {};
  const CXXRecordDecl *record = loaded->getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (const CXXRecordDecl *held = heldBy(record))
    record = held;
  // What a template loads may be another thing for the next caller: then it has parameters(), if anything.
  const auto *function = dyn_cast_or_null<FunctionDecl>(source.entry(fix.at)->function);
  const bool isTemplate = function && function->isTemplateInstantiation();
  if (isA(record, "torch::optim::Optimizer"))
    return isTemplate ? std::string() : name + access + "param_groups()[0].params()[0].device()";
  return deviceOfModule(loaded->getType(), name);
}

/// `torch::load(model, path)` and `archive.load_from(path)` get a device; what neither of them loads is moved after it.
Fixes loadOnto(const Fix &fix, const SourceText &source, ASTContext &context) {
  const auto *call =
      dyn_cast_or_null<CallExpr>(source.expression(fix.at) ? source.expression(fix.at)->IgnoreImplicit() : nullptr);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier() || call->getRParenLoc().isMacroID())
    return {};
  std::string device = deviceAt(fix, fix.at, source);
  unsigned written = 0;
  for (const Expr *argument : call->arguments())
    written += !isa<CXXDefaultArgExpr>(argument);
  const bool isArchive = isa<CXXMethodDecl>(callee) && callee->getName() == "load_from";
  if (isa<CXXMethodDecl>(callee) && !isArchive)
    return moveAfter(fix, source, context);
  if (!isArchive && callee->getName() != "load")
    return {};
  const bool isScript = !isArchive && call->getType()->getAsCXXRecordDecl();
  if (source.text(call).find("...") != std::string::npos)
    return {};
  if (device.empty() && !isScript)
    device = ownDevice(fix, source);
  if (device.empty())
    return {};
  const unsigned without = isScript || isArchive ? 1 : 2;
  if (written == without)
    return {FixItHint::CreateInsertion(call->getRParenLoc(), ", " + device)};
  if (isScript && written == 2 && call->getArg(1)->getBeginLoc().isFileID() && call->getArg(1)->getEndLoc().isFileID())
    return {FixItHint::CreateReplacement(call->getArg(1)->getSourceRange(), device)};
  return {};
}

/// The call of options that says a device: `torch::device(..)`, `.device(..)` of a chain; nullptr where none does.
const CallExpr *deviceGivenTo(const Expr *options) {
  const auto *call = dyn_cast_or_null<CallExpr>(options ? asWritten(options) : nullptr);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier())
    return nullptr;
  if (callee->getName() == "device" && call->getNumArgs())
    return call;
  const auto *link = dyn_cast<CXXMemberCallExpr>(call);
  return link ? deviceGivenTo(link->getImplicitObjectArgument()) : nullptr;
}

/// Options are for another device from now on.
Fixes replaceDeviceOf(const Fix &fix, const Expr *options, const std::string &device, const SourceText &source) {
  if (isPlain(options)) // for this one use
    return {FixItHint::CreateInsertion(source.endOf(options), ".device(" + device + ")")};
  const CallExpr *given = deviceGivenTo(options);
  const VarDecl *made = onlyVariable(source.statement(fix.at));
  const bool isShared = made && classOf(made->getType()) == "TensorOptions" &&
                        mentions(made, source.entry(fix.at)->function->getBody()) != 1;
  if (!given || isShared || given->getArg(0)->getBeginLoc().isMacroID() || given->getRParenLoc().isMacroID())
    return {};
  return {FixItHint::CreateReplacement(
      CharSourceRange::getCharRange(given->getArg(0)->getBeginLoc(), given->getRParenLoc()), device)};
}

/// `x.device().type()` becomes `x.device()`.
Fixes keepNumber(const Fix &fix, const SourceText &source) {
  const Expr *written = source.expression(fix.at);
  const auto *call = dyn_cast_or_null<CXXMemberCallExpr>(written ? asWritten(written) : nullptr);
  const auto *member = call ? dyn_cast<MemberExpr>(call->getCallee()->IgnoreParens()) : nullptr;
  if (!member || classOf(member->getBase()->getType()) != "Device" || member->getOperatorLoc().isMacroID() ||
      call->getRParenLoc().isMacroID())
    return {};
  return {FixItHint::CreateRemoval(CharSourceRange::getTokenRange(member->getOperatorLoc(), call->getRParenLoc()))};
}

/// `torch::kCUDA`, `torch::Device("cuda:0")`, `torch::kCUDA, 0` and `.cuda()` become another device.
Fixes replaceDevice(const Fix &fix, const SourceText &source, ASTContext &context) {
  const Expr *written = source.expression(fix.at);
  const std::string device = deviceAt(fix, fix.at, source);
  if (!written || device.empty())
    return {};
  written = written->IgnoreImplicit();
  SourceLocation begin = written->getBeginLoc(), end = written->getEndLoc();
  if (isa<CXXDefaultArgExpr>(written) || begin.isMacroID() || end.isMacroID())
    return {};
  const std::string cls = classOf(written->getType());
  if (cls == "TensorOptions")
    return replaceDeviceOf(fix, written, device, source);
  if (const auto *move = dyn_cast<CXXMemberCallExpr>(written)) {
    const auto *member = dyn_cast<MemberExpr>(move->getCallee()->IgnoreParens());
    if (!member || !move->getMethodDecl()->getIdentifier() || move->getMethodDecl()->getName() != "cuda" ||
        !isTensor(move->getImplicitObjectArgument()))
      return {};
    return {FixItHint::CreateReplacement(SourceRange(member->getMemberLoc(), end), "to(" + device + ")")};
  }
  if (cls != "Device" && cls != "DeviceType")
    return {};
  const SourceManager &sources = context.getSourceManager();
  auto next = Lexer::findNextToken(end, sources, context.getLangOpts());
  if (cls == "DeviceType" && next && next->is(tok::comma))
    if (auto index = Lexer::findNextToken(next->getLocation(), sources, context.getLangOpts());
        index && index->is(tok::numeric_constant)) {
      auto close = Lexer::findNextToken(index->getLocation(), sources, context.getLangOpts());
      if (!close || !close->is(tok::r_paren))
        return {};
      end = index->getLocation();
    }
  return {FixItHint::CreateReplacement(SourceRange(begin, end), device)};
}

/// `CUDAGuard guard(0)` is for the device of a tensor instead.
Fixes indexOf(const Fix &fix, const SourceText &source) {
  const Expr *written = source.expression(fix.at);
  const clangfront::SourceEntry *subject = source.entry(fix.subject);
  const auto *tensor = subject ? dyn_cast_or_null<ParmVarDecl>(subject->decl) : nullptr;
  const CXXRecordDecl *record = tensor ? tensor->getType().getNonReferenceType()->getAsCXXRecordDecl() : nullptr;
  if (!written || !record || record->getName() != "Tensor" || tensor->getName().empty() ||
      written->getBeginLoc().isMacroID() || written->getEndLoc().isMacroID())
    return {};
  const char *what = written->getType()->isIntegerType() ? ".device().index()" : ".device()";
  return {FixItHint::CreateReplacement(written->getSourceRange(), tensor->getNameAsString() + what)};
}

/// Before the statement, or the whole loop, that reads: the copy has begun by then.
Fixes synchronizeBefore(const Fix &fix, const SourceText &source, ASTContext &context) {
  const Stmt *statement = source.wholeStatement(fix.at);
  const clangfront::SourceEntry *copied = source.entry(fix.subject);
  const DeclContext *scope = context.getTranslationUnitDecl();
  const NamedDecl *found = nullptr;
  for (const char *name : {"torch", "cuda", "synchronize"}) {
    auto result = scope ? scope->lookup(&context.Idents.get(name)) : DeclContextLookupResult();
    found = result.empty() ? nullptr : result.front();
    scope = dyn_cast_or_null<NamespaceDecl>(found);
  }
  if (!statement || !found || statement->getBeginLoc().isMacroID())
    return {};
  if (!isa<Expr, DeclStmt, ReturnStmt>(statement) && (!copied || isWithin(copied->range, statement, context)))
    return {};
  return {lineBefore(statement->getBeginLoc(), "torch::cuda::synchronize();", source)};
}

/// `copy_(x, /*non_blocking=*/true)` becomes one that waits.
Fixes copyBlocking(const Fix &fix, const SourceText &source) {
  const Expr *written = source.expression(fix.subject);
  const auto *call = dyn_cast_or_null<CallExpr>(written ? asWritten(written) : nullptr);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  for (unsigned n = 0; callee && n < call->getNumArgs() && n < callee->getNumParams(); ++n) {
    const auto *value = dyn_cast<CXXBoolLiteralExpr>(asWritten(call->getArg(n)));
    if (callee->getParamDecl(n)->getName() == "non_blocking" && value && value->getValue() &&
        value->getBeginLoc().isFileID())
      return {FixItHint::CreateReplacement(value->getSourceRange(), "false")};
  }
  return {};
}

/// Of an assignment the right side is meant.
const Expr *tensorAt(const Expr *expression) {
  const CXXOperatorCallExpr *assignment = asAssignment(expression);
  return assignment ? assignment->getArg(1) : expression;
}

} // namespace

Fixes fixesFor(const Finding &finding, const SourceText &source, ASTContext &context) {
  const Fix &fix = finding.fix;
  if (finding.check == analysis::Check::RawPointer && (fix.kind == Fix::None || fix.kind == Fix::HostCopy))
    if (Fixes fixes = otherSide(finding, source, context); !fixes.empty())
      return fixes;
  switch (fix.kind) {
  case Fix::MoveWithSister:
    return moveModule(finding, source, context);
  case Fix::MoveModuleAfter:
    return moveAfter(fix, source, context);
  case Fix::AppendTo: {
    std::string device = deviceAt(fix, fix.at, source);
    return append(tensorAt(source.expression(fix.at)), device.empty() ? "" : ".to(" + device + ")", source);
  }
  case Fix::AssignResult:
    return assign(fix, source);
  case Fix::IndexOf:
    return indexOf(fix, source);
  case Fix::GuardBefore:
    return guardBefore(fix, source, context);
  case Fix::MoveGuard:
    return moveGuard(fix, source, context);
  case Fix::AddDevice:
    return addDevice(fix, deviceAt(fix, fix.at, source), source, context);
  case Fix::HostCopy:
    return hostCopy(fix, source, context);
  case Fix::Register: {
    const Fixes registered = registerMember(fix, source, context);
    return registered.empty() ? moveWhereUsed(finding, source, context) : registered;
  }
  case Fix::SynchronizeBefore:
    return synchronizeBefore(fix, source, context);
  case Fix::CopyBlocking: {
    const Fixes blocking = copyBlocking(fix, source);
    return blocking.empty() ? synchronizeBefore(fix, source, context) : blocking;
  }
  case Fix::LoadOnto:
    return loadOnto(fix, source, context);
  case Fix::SetData:
    return setData(fix, source);
  case Fix::KeepNumber:
    return keepNumber(fix, source);
  case Fix::ReplaceDevice:
    return replaceDevice(fix, source, context);
  case Fix::AddParameters:
    return addParameters(fix, source, context);
  case Fix::ByReference:
    return byReference(fix, source, context);
  case Fix::MemcpyKind:
    return memcpyKind(fix, source, context);
  case Fix::BlobOptions:
    return blobOptions(finding, source, context);
  case Fix::CurrentStream:
    return currentStream(fix, source, context);
  case Fix::None:
    return {};
  }
  return {};
}

} // namespace samedevice::tidy
