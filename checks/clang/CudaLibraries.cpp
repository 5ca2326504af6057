// What CUDA and its libraries (cuBLAS, cuSPARSE, cuRAND, ...) do with the pointers they are given.
#include "FunctionLowering.h"

#include "StringSwitch.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Mode;
using facts::Slot;

namespace {

facts::Mode directionOf(const Expr *kind) {
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(stripped(kind));
  if (!ref || !isa<EnumConstantDecl>(ref->getDecl()))
    return Mode::SomeDirection;
  return StringSwitch<Mode>(ref->getDecl()->getName())
      .Case("cudaMemcpyHostToDevice", Mode::HostToDevice)
      .Case("cudaMemcpyDeviceToHost", Mode::DeviceToHost)
      .Case("cudaMemcpyDeviceToDevice", Mode::DeviceToDevice)
      .Case("cudaMemcpyHostToHost", Mode::HostToHost)
      .Case("cudaMemcpyDefault", Mode::ByPointers)
      .Default(Mode::SomeDirection);
}

/// Whether a function of CUDA's libraries hands what this parameter points at to the GPU. Where work is only described
/// or prepared, the arrays are the host's.
bool isDeviceParameter(llvm::StringRef function, llvm::StringRef name, QualType type) {
  if (function.starts_with("nccl"))
    return name.contains("buf");
  if (function.starts_with("cusparseCreate"))
    return type->isVoidPointerType();
  if (function.starts_with("cufft"))
    return function.contains("Exec");
  for (llvm::StringRef prepares : {"Create", "Destroy", "Get", "Set", "Find", "Init", "Config", "Heuristic", "Query"})
    if (function.contains(prepares))
      return false;
  if (function.starts_with("cudnn") && !type->isVoidPointerType())
    return false;
  bool isHosts = StringSwitch<bool>(name)
                     .Cases({"alpha", "beta", "result", "handle", "devInfo", "info", "lwork", "workspaceSize"}, true)
                     .Case("position", function.starts_with("cusolverRf"))
                     .Default(name.contains("Host"));
  return !isHosts;
}

/// A handle or a plan belongs to the GPU that is current when it is made, and works on memory of that one alone.
bool makesHandle(llvm::StringRef function) {
  return StringSwitch<bool>(function)
      .Cases({"cublasCreate", "cublasCreate_v2", "cublasLtCreate", "cusparseCreate", "cudnnCreate"}, true)
      .Cases({"cusolverDnCreate", "cusolverSpCreate", "cufftCreate"}, true)
      .Default(function.starts_with("cufftPlan"));
}

bool isHandle(llvm::StringRef parameter) {
  return parameter == "handle" || parameter == "plan" || parameter == "lightHandle";
}

/// cuSOLVER has functions that do the host's part of the work, on its memory.
bool isForHost(llvm::StringRef function) { return function.starts_with("cusolver") && function.ends_with("Host"); }

/// Whether this source uses the function of that name, the namespaces first.
bool isUsed(const ASTContext &context, llvm::ArrayRef<llvm::StringRef> path) {
  const DeclContext *within = context.getTranslationUnitDecl();
  auto lookUp = [&](llvm::StringRef name) {
    return within ? within->lookup(&context.Idents.get(name)) : DeclContext::lookup_result();
  };
  for (llvm::StringRef name : path.drop_back()) {
    const auto found = lookUp(name);
    within = found.empty() ? nullptr : dyn_cast<DeclContext>(found.front());
  }
  return llvm::any_of(lookUp(path.back()), [](const NamedDecl *decl) {
    return llvm::any_of(decl->redecls(), [](const Decl *one) { return one->isReferenced() || one->isUsed(); });
  });
}

/// Copies by cuBLAS: where from and where to.
std::pair<unsigned, unsigned> matrixCopy(llvm::StringRef function) {
  return function.contains("Matrix") ? std::pair(3u, 5u) : std::pair(2u, 4u);
}

} // namespace

void FunctionLowering::copyMemory(const CallSite &site, const Word &word) {
  unsigned to = 0, from = 1;
  if (word.meaning == Meaning::MatrixCopy)
    std::tie(from, to) = matrixCopy(site.name());
  else if (word.meaning == Meaning::MemcpyPeer || site.name().contains("2D"))
    from = 2;
  Operands args{operand(site.arg(to)), operand(site.arg(from))};
  Mode direction = word.mode;
  if (word.meaning == Meaning::MemcpyPeer)
    direction = Mode::Peer;
  if (word.meaning == Meaning::Memcpy) {
    evaluateAll(restOf(site, 2));
    direction = Mode::ByPointers;
    for (unsigned i = 0; i < site.args.size(); ++i)
      if (site.paramName(i) == "kind") {
        direction = directionOf(site.args[i]);
        if (Operand chosen = operand(site.args[i]); direction == Mode::SomeDirection && chosen.slot != kNone)
          args.push_back(std::move(chosen));
      }
  }
  const bool isAsync = word.meaning != Meaning::MemcpyPeer && site.name().contains("Async");
  if (args[0].slot != kNone && args[1].slot != kNone)
    facts_.emit(Opcode::Memcpy, kNone, std::move(args), site.expr, direction).flags =
        isAsync ? facts::kNonBlocking : 0u;
  // A copy that is waited for is over before anybody else gets at what it has written.
  const Expr *ends[] = {site.arg(from), site.arg(to)};
  queue(site, llvm::ArrayRef(ends).take_front(isAsync ? 2 : 1), site.name());
}

/// cudaMemcpyToSymbol(symbol, from, ...)
void FunctionLowering::copyToSymbol(const CallSite &site) {
  evaluateAll(restOf(site, 1));
  const auto *symbol = dyn_cast_or_null<VarDecl>(addressed(site.arg(0)));
  const Expr *kind = site.arg(4);
  const bool isUpload = !kind || isa<CXXDefaultArgExpr>(kind) || directionOf(kind) == Mode::HostToDevice;
  if (!symbol || !symbol->hasGlobalStorage())
    return;
  Slot memory = facts_.newSlot(facts::Type::Pointer);
  facts_.emit(Opcode::Allocate, memory, {}, site.arg(0), Mode::Symbol);
  if (Operand from = operand(site.arg(1)); isUpload && from.slot != kNone)
    facts_.emit(Opcode::Memcpy, kNone, {facts_.operand(memory, site.arg(0)), from}, site.expr, Mode::HostToDevice);
  facts_.assign(contentsOf(symbol), facts_.operand(memory, site.arg(0)), site.expr);
}

/// cudaPointerGetAttributes(&attributes, pointer)
Slot FunctionLowering::askWhere(const CallSite &site) {
  evaluateAll(site.args);
  const auto *address = dyn_cast_or_null<UnaryOperator>(stripped(site.arg(0)));
  const auto *ref = address ? dyn_cast_or_null<DeclRefExpr>(stripped(address->getSubExpr())) : nullptr;
  if (Slot about = site.arg(1) ? value(site.arg(1)) : kNone; ref && about != kNone)
    asked_[ref->getDecl()] = about;
  if (ref && survey_.isAnswerPassedOn(ref->getDecl())) { // who knows what it makes of the answer
    if (const Operand about = operand(site.arg(1)); about.slot != kNone)
      facts_.emit(Opcode::AskedWhere, kNone, {about}, site.expr);
    return callUnknown(site);
  }
  return facts_.result(Opcode::Const, site.expr, {}); // cudaSuccess: it answers
}

/// cuBLAS reads alpha and beta on the host, unless its handle was told otherwise; torch's never is.
bool FunctionLowering::isScalarOfHost(const CallSite &site, unsigned argument) {
  const std::string name = site.paramName(argument);
  return site.name().starts_with("cublas") && !site.name().starts_with("cublasLt") &&
         (name == "alpha" || name == "beta") && typeOf(site.args[argument]) == facts::Type::Pointer &&
         isUsed(unit_.context(), {"at", "cuda", "getCurrentCUDABlasHandle"}) &&
         !isUsed(unit_.context(), {"cublasSetPointerMode_v2"});
}

/// `cufftPlan1d(&plan, ...)`. One of an array is not told from the others.
void FunctionLowering::makeHandle(const CallSite &site) {
  evaluateAll(restOf(site, 1));
  const auto *address = dyn_cast_or_null<UnaryOperator>(stripped(site.arg(0)));
  const Expr *named = address && address->getOpcode() == UO_AddrOf ? stripped(address->getSubExpr()) : nullptr;
  if (!named || !(isa<DeclRefExpr>(named) || isa<MemberExpr>(named)))
    return;
  const Slot made = facts_.newSlot(facts::Type::Pointer);
  facts_.emit(Opcode::Allocate, made, {}, site.expr, Mode::Symbol);
  facts_.assign(value(named), facts_.operand(made, site.expr), site.expr);
}

void FunctionLowering::useByLibrary(const CallSite &site) {
  const Expr *expr = site.expr;
  if (site.name().starts_with("curandGenerate") && !unit_.deviceGenerators().count(addressed(site.arg(0))))
    return evaluateAll(site.args); // perhaps a generator of the host's
  if (isForHost(site.name()))
    return readPointers(site, site.name());
  if (makesHandle(site.name()))
    return makeHandle(site);
  for (unsigned i = 0; i < site.args.size(); ++i) {
    Operand used = operand(site.args[i]);
    // alpha and beta of a BLAS call are scalars of the host's.
    const auto *address = dyn_cast<UnaryOperator>(site.args[i]->IgnoreParenCasts());
    if (address && address->getOpcode() == UO_AddrOf)
      continue;
    if (used.slot != kNone && isScalarOfHost(site, i))
      facts_.emit(Opcode::HostRead, kNone, {used}, expr, site.name());
    const bool isMemory = typeOf(site.args[i]) == facts::Type::Pointer &&
                          isDeviceParameter(site.name(), site.paramName(i), site.paramType(i));
    if (used.slot != kNone && (isMemory || isHandle(site.paramName(i))))
      facts_.emit(Opcode::DeviceUse, kNone, {used}, expr, site.name());
  }
}

} // namespace samedevice::clangfront
