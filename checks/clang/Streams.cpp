// Streams: which one a kernel is launched on, and which one is made PyTorch's current. What is told apart of them is
// whose they are, and whether it is the default one: Null.
#include "FunctionLowering.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

bool FunctionLowering::isStream(const Expr *expr) { return expr && isStream(expr->getType().getNonReferenceType()); }

bool FunctionLowering::isStream(QualType type) {
  if (type.isNull())
    return false;
  return Types::isCudaStream(type) || unit_.types().isTorch(type, "cuda::CUDAStream") ||
         unit_.types().isTorch(type, "Stream");
}

/// The stream as it is written. CUDA's own names for the default one are the numbers 0, 1 and 2, made pointers.
facts::Operand FunctionLowering::streamOf(const Expr *written) {
  Operand stream = operand(written);
  const Expr *inner = written ? written->IgnoreParenCasts() : nullptr;
  const auto *number = dyn_cast_or_null<IntegerLiteral>(inner);
  const auto *list = dyn_cast_or_null<InitListExpr>(inner);
  if ((number && number->getValue().ult(3)) || (list && list->getNumInits() == 0))
    facts_.emit(Opcode::Null, stream.slot = facts_.newSlot(facts::Type::Other), {}, written);
  return stream;
}

/// Whose stream is asked for, where that is said; the current device's has no number.
const Expr *FunctionLowering::deviceOfStream(const CallSite &site) const {
  const bool isSecond = site.name() == "getStreamFromPool" || site.name() == "getStreamFromExternal";
  const Expr *named = site.arg(isSecond ? 1 : 0);
  if (!named || isOmitted(named) || named->isValueDependent())
    return nullptr;
  const std::optional<std::int64_t> number = constantInt(named, unit_.context());
  return number && *number < 0 ? nullptr : named;
}

/// The event that is recorded or waited for, where it can be told from others: a variable or a member, none of an array
/// or of somebody else's.
facts::Operand FunctionLowering::eventOf(const CallSite &site) {
  const bool isMethod = site.object && (unit_.types().isTorch(site.object->getType(), "cuda::CUDAEvent") ||
                                        unit_.types().isTorch(site.object->getType(), "Event"));
  if (!isMethod && !site.name().starts_with("cudaEvent"))
    return {};
  const Expr *named = stripped(isMethod ? site.object : site.arg(0));
  const Expr *owner = named;
  while (const auto *member = dyn_cast_or_null<MemberExpr>(owner))
    owner = stripped(member->getBase());
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(owner);
  const auto *variable = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  const bool isKnown = variable ? isa<ParmVarDecl>(variable) || !variable->getType()->isReferenceType()
                                : isa_and_nonnull<CXXThisExpr>(owner);
  if (!isKnown || typeOf(named) != facts::Type::Other)
    return {};
  Operand event = operand(named);
  if (event.slot != kNone && facts_.slot(event.slot).type != facts::Type::Other)
    event.slot = kNone;
  return event;
}

void FunctionLowering::setStream(const Expr *stream, const Stmt *at) {
  facts_.emit(Opcode::SetStream, kNone, {streamOf(stream)}, at);
}

void FunctionLowering::queue(const CallSite &site, llvm::ArrayRef<const Expr *> memory, llvm::StringRef what) {
  const Expr *stream = nullptr;
  for (unsigned n = 0; n < site.args.size() && !stream; ++n)
    if (Types::isCudaStream(site.paramType(n)) && !isa<CXXDefaultArgExpr>(site.args[n]))
      stream = site.args[n];
  Operands args{stream ? streamOf(stream) : facts_.operand(facts_.newSlot(facts::Type::Other), site.expr)};
  if (!stream)
    facts_.emit(Opcode::Null, args[0].slot, {}, site.expr);
  for (const Expr *one : memory)
    if (Operand pointer = operand(one); pointer.slot != kNone) {
      pointer.mayWrite = mayWriteThrough(one);
      args.push_back(std::move(pointer));
    }
  if (args.size() > 1)
    facts_.emit(Opcode::OnStream, kNone, std::move(args), site.expr, what);
}

void FunctionLowering::launch(const Stmt *at, llvm::StringRef kernel, const Expr *stream, Operands pointers) {
  const bool isCallers = stream && isParameter(stream);
  pointers.insert(pointers.begin(), stream ? streamOf(stream) : Operand{});
  facts_.emit(Opcode::Launch, kNone, std::move(pointers), at, kernel).flags = isCallers ? facts::kCallersStream : 0u;
}

} // namespace samedevice::clangfront
