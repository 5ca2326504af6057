// What kernels get: their arguments, and what stands in variables of the device.
#include "FunctionLowering.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Operand;
using facts::Slot;

/// `__managed__` leaves nothing in the AST of CUDA.
static bool isDeclaredManaged(const VarDecl *symbol, const SourceManager &sources) {
  bool invalid = false;
  auto [file, offset] = sources.getDecomposedExpansionLoc(symbol->getLocation());
  llvm::StringRef before = sources.getBufferData(file, &invalid).take_front(offset);
  size_t start = before.find_last_of(";}\"");
  return !invalid && before.drop_front(start == llvm::StringRef::npos ? 0 : start).contains("__managed__");
}

/// A `__device__` variable, seen from the host, which has a shadow of it: a number is read or written right here.
Slot FunctionLowering::deviceSymbol(const DeclRefExpr *ref, const VarDecl *symbol) {
  bool isManaged = isDeclaredManaged(symbol, unit_.context().getSourceManager());
  bool isConstant = symbol->getType().isConstQualified() && symbol->hasInit();
  Slot memory = facts_.newSlot(facts::Type::Pointer);
  facts_.emit(Opcode::Allocate, memory, {}, ref, isManaged ? Mode::Managed : Mode::Symbol);
  const Stmt *parent = survey_.parent(ref);
  while (isa_and_nonnull<ParenExpr>(parent))
    parent = survey_.parent(parent);
  const auto *load = dyn_cast_or_null<CastExpr>(parent);
  bool isRead = load && load->getCastKind() == CK_LValueToRValue, isWritten = survey_.isWrittenTo(ref);
  if (symbol->getType()->isArithmeticType() && !isConstant && (isRead || isWritten))
    facts_.emit(Opcode::HostRead, kNone, {facts_.operand(memory, ref)}, ref, symbol->getName()).flags =
        isWritten ? facts::kWrite : 0u;
  return memory;
}

/// What was last put into a `__constant__` or `__device__` variable; each GPU has one of its own.
Slot FunctionLowering::contentsOf(const VarDecl *symbol) {
  const Slot place = facts_.newSlot(facts::Type::Other);
  facts_.slot(place).reference = true;
  facts_.emit(Opcode::Global, place, {}, nullptr, "contents of " + globalName(symbol)).flags =
      symbol->isExternallyVisible() ? 0u : facts::kOwnName;
  return place;
}

/// A kernel reads what somebody has put into constant memory before.
void FunctionLowering::useConstants(const FunctionDecl *kernel, const Stmt *launch, llvm::StringRef name) {
  for (const DeclRefExpr *ref : unit_.constantsIn(kernel))
    facts_.emit(Opcode::DeviceUse, kNone, {facts_.operand(contentsOf(cast<VarDecl>(ref->getDecl())), ref)}, launch,
                name);
}

/// What `void *arguments[] = {&a, &b}` leads to, as far as it is pointers.
llvm::SmallVector<const clang::Expr *, 8> FunctionLowering::launchArguments(const Expr *array) {
  llvm::SmallVector<const Expr *, 8> found;
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(stripped(array));
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  const auto *list = variable && variable->getInit() ? dyn_cast<InitListExpr>(stripped(variable->getInit())) : nullptr;
  if (!list)
    return found;
  for (const Expr *init : list->inits()) {
    const auto *address = dyn_cast_or_null<UnaryOperator>(stripped(init));
    if (address && address->getOpcode() == UO_AddrOf && typeOf(address->getSubExpr()) == facts::Type::Pointer)
      found.push_back(address->getSubExpr());
  }
  return found;
}

/// A parameter of the function, or of the one that the lambda is in.
bool FunctionLowering::isParameter(const Expr *expr) {
  const Expr *inner = stripped(expr);
  while (const auto *converted = dyn_cast_or_null<CXXMemberCallExpr>(inner)) // CUDAStream to cudaStream_t
    inner = stripped(converted->getImplicitObjectArgument());
  value(expr);
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(inner);
  return ref && isa<ParmVarDecl>(ref->getDecl());
}

/// Whether who gets it may write to what it points to; of a structure, that is not looked into.
bool FunctionLowering::mayWriteThrough(const Expr *pointer) {
  const QualType type = pointer->getType();
  return !type->isPointerType() || !type->getPointeeType().isConstQualified();
}

/// Pointers among the arguments go to a kernel, or to a library that runs some.
Operands FunctionLowering::useOnDevice(llvm::ArrayRef<const Expr *> arguments, const Stmt *at, llvm::StringRef by) {
  Operands used;
  for (const Expr *argument : arguments) {
    Operand passed = operand(argument);
    bool isBlock = typeOf(argument) == facts::Type::Record && argument->getType()->isRecordType();
    if (!isBlock && !argument->getType()->isPointerType() && typeOf(argument) != facts::Type::Pointer)
      continue;
    const auto *address = dyn_cast_or_null<UnaryOperator>(stripped(argument));
    if (address && address->getOpcode() == UO_AddrOf && isOwnVariable(address->getSubExpr()) &&
        typeOf(argument) != facts::Type::Pointer) {
      passed.slot = facts_.newSlot(facts::Type::Pointer);
      facts_.emit(Opcode::Allocate, passed.slot, {}, argument, Mode::Host);
    }
    if (isBlock && passed.slot != kNone && facts_.slot(passed.slot).reference) { // by value, whoever has it
      const Slot block = facts_.newSlot(argument->getType(), "", 0);
      facts_.slot(block).reference = false;
      facts_.emit(Opcode::Copy, block, {passed}, argument);
      passed.slot = block;
    }
    passed.mayWrite = mayWriteThrough(argument);
    if (passed.slot != kNone)
      used.push_back(std::move(passed));
  }
  for (Operand passed : used) {
    passed.mayWrite = false;
    facts_.emit(Opcode::DeviceUse, kNone, {std::move(passed)}, at, by);
  }
  return used;
}

Slot FunctionLowering::kernelLaunch(const CUDAKernelCallExpr *launch) {
  std::string name = "kernel";
  if (const FunctionDecl *kernel = launch->getDirectCallee())
    name = kernel->getNameAsString();
  else if (const auto *ref = dyn_cast_or_null<DeclRefExpr>(stripped(launch->getCallee())))
    name = ref->getDecl()->getNameAsString();
  llvm::SmallVector<const Expr *, 8> arguments(launch->arguments());
  Operands pointers = useOnDevice(arguments, launch, name);
  useConstants(launch->getDirectCallee(), launch, name);
  const CallExpr *config = launch->getConfig();
  for (unsigned i = 0; config && i < config->getNumArgs() && i < 3; ++i)
    value(config->getArg(i));
  this->launch(launch, name, config && config->getNumArgs() > 3 ? config->getArg(3) : nullptr, std::move(pointers));
  return kNone;
}

} // namespace samedevice::clangfront
