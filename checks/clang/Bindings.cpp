// What `m.def("name", &function)` and its like bind: the function is called from outside.
#include "FunctionLowering.h"

#include "clang/AST/DeclTemplate.h"

namespace samedevice::clangfront {

using namespace clang;

/// `"name"`, also within `TORCH_SELECTIVE_NAME("name")`.
static const StringLiteral *literalIn(const Stmt *stmt) {
  if (const auto *text = dyn_cast<StringLiteral>(stmt))
    return text->isOrdinary() ? text : nullptr;
  if (isa<LambdaExpr>(stmt))
    return nullptr;
  for (const Stmt *child : stmt->children())
    if (const StringLiteral *text = child ? literalIn(child) : nullptr)
      return text;
  return nullptr;
}

static bool isKindOfDevice(QualType type) {
  const auto *kinds = type.getNonReferenceType()->getAs<EnumType>();
  return kinds && kinds->getDecl()->getName() == "DeviceType";
}

/// `c10::DispatchKey::CUDA`, `torch::kCUDA`, where one is named: for what the function is.
static llvm::StringRef keyIn(const Stmt *stmt) {
  if (isa<LambdaExpr>(stmt))
    return {};
  if (const auto *ref = dyn_cast<DeclRefExpr>(stmt)) {
    const auto *key = dyn_cast<EnumConstantDecl>(ref->getDecl());
    const auto *kinds = key ? dyn_cast<EnumDecl>(key->getDeclContext()) : nullptr;
    if ((kinds && kinds->getName() == "DispatchKey") ||
        (isa<VarDecl>(ref->getDecl()) && isKindOfDevice(ref->getType())))
      return ref->getDecl()->getName();
  }
  for (const Stmt *child : stmt->children())
    if (const llvm::StringRef key = child ? keyIn(child) : llvm::StringRef(); !key.empty())
      return key;
  return {};
}

/// The functions that an argument of `def` or `impl` leads to: `&f`, `TORCH_FN(f)`, `py::overload_cast<..>(&f)`, a
/// lambda.
void FunctionLowering::boundBy(const Stmt *argument, llvm::SmallVectorImpl<const FunctionDecl *> &found) {
  if (const auto *body = dyn_cast<LambdaExpr>(argument)) {
    found.push_back(body->getCallOperator());
    return;
  }
  // What a function of the user's makes of another is bound, not that one itself: it may call it under a guard.
  if (const auto *call = dyn_cast<CallExpr>(argument);
      call && call->getDirectCallee() && unit_.names().isUser(call->getDirectCallee()))
    return;
  if (const auto *ref = dyn_cast<DeclRefExpr>(argument))
    if (const auto *function = dyn_cast<FunctionDecl>(ref->getDecl()); function && unit_.names().isUser(function))
      found.push_back(function);
  if (const auto *made = dyn_cast<Expr>(argument))
    if (const auto *wrapper = dyn_cast_or_null<ClassTemplateSpecializationDecl>(made->getType()->getAsCXXRecordDecl());
        wrapper && wrapper->getName() == "CompileTimeFunctionPointer")
      for (const TemplateArgument &of : wrapper->getTemplateArgs().asArray())
        if (of.getKind() == TemplateArgument::Declaration)
          if (const auto *function = dyn_cast<FunctionDecl>(of.getAsDecl()))
            found.push_back(function);
  for (const Stmt *child : argument->children())
    if (child)
      boundBy(child, found);
}

void FunctionLowering::markBindings(const CallSite &site) {
  // m.def("name", &function) and m.impl(...): the function is called from outside.
  llvm::StringRef name = site.name();
  if (name != "def" && name != "impl" && name != "def_static" && name != "fallback")
    return;
  const auto *library = site.object ? dyn_cast<DeclRefExpr>(stripped(site.object)) : nullptr;
  const bool isGiven = library && isa<ParmVarDecl>(library->getDecl());
  llvm::StringRef boundName, key;
  for (const Expr *argument : site.args)
    key = key.empty() ? keyIn(argument) : key;
  for (const Expr *argument : site.args) {
    if (const StringLiteral *text = boundName.empty() ? literalIn(argument) : nullptr) {
      boundName = text->getString();
      continue;
    }
    llvm::SmallVector<const FunctionDecl *, 2> functions;
    boundBy(argument, functions);
    for (const FunctionDecl *function : functions)
      unit_.markEntry(function, boundName);
    if (name != "impl" || functions.empty() || !llvm::all_equal(functions)) // which of several, others say
      continue;
    if (key == "CUDA" || key == "kCUDA")
      unit_.markForCuda(functions[0], nullptr);
    else if (key.empty() && isGiven && survey_.function() && survey_.isAlwaysDone(site.expr))
      unit_.markForCuda(functions[0], survey_.function());
  }
}

} // namespace samedevice::clangfront
