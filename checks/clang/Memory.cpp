// Raw memory and the machine: pointers, copies, guards.
#include "FunctionLowering.h"

#include "StringSwitch.h"

#include "clang/AST/Attr.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

bool isTemporary(const Expr *object) {
  const Expr *inner = object->IgnoreParenImpCasts();
  return isa<MaterializeTemporaryExpr>(inner) || inner->isPRValue();
}

/// `t.cpu()`, `t.contiguous()`, `a + b` own fresh memory; `t.view(..)`, `t[0]` look into memory that stays.
bool mayOwnMemory(const Expr *object) {
  const auto *callExpr = dyn_cast_or_null<CallExpr>(stripped(object));
  const FunctionDecl *callee = callExpr ? callExpr->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier())
    return false;
  return StringSwitch<bool>(callee->getName())
      .Cases({"to", "cpu", "cuda", "contiguous", "clone", "toType", "type_as"}, true)
      .Default(false);
}

} // namespace

void FunctionLowering::readOnHost(const Expr *argument, const Stmt *at, llvm::StringRef by, bool write) {
  Operand read = operand(argument);
  if (read.slot != kNone)
    facts_.emit(Opcode::HostRead, kNone, {read}, at, by).flags = write ? facts::kWrite : 0u;
}

void FunctionLowering::readPointers(const CallSite &site, llvm::StringRef by) {
  llvm::StringRef name = site.name();
  bool writesAll =
      StringSwitch<bool>(name)
          .Cases({"memset", "fill", "fill_n", "iota", "generate", "generate_n", "sort", "stable_sort"}, true)
          .Cases({"partial_sort", "nth_element", "reverse", "shuffle", "fread", "read", "qsort"}, true)
          .Default(false);
  unsigned firstTarget =
      StringSwitch<unsigned>(name).Cases({"copy", "copy_n", "copy_if", "transform", "partial_sum"}, 2).Default(~0u);
  bool copiesBytes = name == "memcpy" || name == "memmove";
  const Expr *previous = nullptr;
  llvm::DenseSet<Slot> seen;
  for (unsigned i = 0; i < site.args.size(); ++i) {
    const Expr *argument = site.args[i], *inner = stripped(argument);
    Slot slot = value(argument);
    bool isPointer = inner && slot != kNone &&
                     (typeOf(inner) == facts::Type::Pointer || facts_.slot(slot).type == facts::Type::Pointer);
    if (!isPointer || !seen.insert(slot).second) {
      previous = nullptr;
      continue;
    }
    // The second of a pair `p, p + n` says nothing that the first has not.
    const auto *offset = dyn_cast<BinaryOperator>(inner);
    bool endsRange = previous && offset && offset->isAdditiveOp() && !copiesBytes;
    previous = endsRange ? nullptr : argument;
    if (endsRange)
      continue;
    bool write = writesAll || (copiesBytes && i == 0) || i >= firstTarget;
    readOnHost(argument, site.expr, by, write);
  }
}

/// `attributes.type == cudaMemoryTypeDevice`
Slot FunctionLowering::memoryKindTest(const Expr *whole, const Expr *kind, const Expr *expected) {
  const auto *access = dyn_cast_or_null<MemberExpr>(stripped(kind));
  const auto *ref = access ? dyn_cast_or_null<DeclRefExpr>(stripped(access->getBase())) : nullptr;
  const auto *name = dyn_cast_or_null<DeclRefExpr>(stripped(expected));
  if (!ref || !name || !isa<EnumConstantDecl>(name->getDecl()) || !asked_.count(ref->getDecl()))
    return kNone;
  bool onDevice = name->getDecl()->getName() == "cudaMemoryTypeDevice";
  bool onHost = name->getDecl()->getName() == "cudaMemoryTypeHost";
  if (!onDevice && !onHost)
    return kNone;
  Slot answer = facts_.newSlot(facts::Type::Bool);
  facts_.emit(onDevice ? Opcode::IsCuda : Opcode::IsCpu, answer, {facts_.operand(asked_.lookup(ref->getDecl()), kind)},
              whole);
  return answer;
}

/// What is to be current. An index that is written down there is a device that is.
facts::Operand FunctionLowering::chosenCurrent(const Expr *which) {
  Operand made = operand(which);
  if (made.slot != kNone && isStream(which)) {
    const Slot device = facts_.newSlot(facts::Type::Device);
    facts_.emit(Opcode::DeviceOf, device, {made}, which);
    made.slot = device;
    return made;
  }
  const bool isIndex = typeOf(which) == facts::Type::Int && !which->isValueDependent();
  if (std::optional<std::int64_t> index = isIndex ? constantInt(which, unit_.context()) : std::nullopt;
      index && *index >= 0)
    made.slot = facts_.device(which, "cuda:" + std::to_string(*index));
  return made;
}

void FunctionLowering::setDevice(const CallSite &site) {
  Operand which = chosenCurrent(site.arg(0));
  if (which.slot == kNone) // some device, then, that somebody has thought of
    facts_.emit(Opcode::Unknown, which.slot = facts_.newSlot(facts::Type::Int), {}, site.expr);
  facts_.emit(Opcode::SetDevice, kNone, {which}, site.expr);
}

Slot FunctionLowering::guard(const Expr *whole, llvm::ArrayRef<const Expr *> args) {
  Operands given;
  for (const Expr *argument : args)
    if (Operand on = chosenCurrent(argument); on.slot != kNone && given.empty())
      given.push_back(std::move(on));
  // An optional one's emplace() hands out nothing, in older versions.
  const bool isUnseen = whole->getType()->isVoidType();
  const Slot made = isUnseen ? facts_.newSlot(facts::Type::Guard) : facts_.newSlot(whole->getType(), "", 0);
  facts_.emit(Opcode::Guard, made, std::move(given), whole);
  for (const Expr *argument : args)
    if (isStream(argument))
      setStream(argument, whole);
  return made;
}

Slot FunctionLowering::memoryWord(const CallSite &site, const Word &word) {
  const Expr *expr = site.expr;
  auto behind = [&](const Expr *argument) { // the place that an out parameter `&p` names
    const Expr *inner = stripped(argument);
    const auto *address = dyn_cast_or_null<UnaryOperator>(inner);
    return address && address->getOpcode() == UO_AddrOf ? value(address->getSubExpr()) : value(inner);
  };
  auto lowerRest = [&](unsigned from) { evaluateAll(restOf(site, from)); };
  switch (word.meaning) {
  case Meaning::Pointer:
  case Meaning::Data: {
    if (!site.object)
      return facts_.unknown(expr);
    Operand tensor = operand(site.object);
    if (tensor.slot == kNone)
      return facts_.unknown(expr);
    bool dies = isTemporary(site.object) && mayOwnMemory(site.object) && survey_.pointerOutlives(expr);
    // char data is a Pointer too, whatever its spelling says.
    Slot dest = facts_.newSlot(facts::Type::Pointer);
    facts_.emit(Opcode::Pointer, dest, {tensor}, expr, site.name()).flags = dies ? facts::kOfTemporary : 0u;
    return dest;
  }
  case Meaning::Accessor:
    if (site.name().contains("packed_accessor")) { // a kernel's, as mostly: nobody has looked yet
      const Operand tensor = operand(site.object);
      return tensor.slot == kNone ? facts_.unknown(expr) : facts_.result(Opcode::Pointer, expr, {tensor}, site.name());
    }
    readOnHost(site.object, expr, "accessor", false);
    return kNone;
  case Meaning::SetDevice:
    unit_.mentionDevice();
    setDevice(site);
    return facts_.unknown(expr);
  case Meaning::ExchangeDevice: {
    unit_.mentionDevice();
    Slot before = facts_.result(Opcode::CurrentDevice, expr, {});
    setDevice(site);
    return before;
  }
  case Meaning::CurrentDevice:
    return facts_.result(Opcode::CurrentDevice, expr, {});
  case Meaning::GetDevice: {
    Slot place = behind(site.arg(0));
    Slot now = facts_.newSlot(facts::Type::Int);
    facts_.emit(Opcode::CurrentDevice, now, {}, expr);
    facts_.assign(place, facts_.operand(now, expr), expr);
    return facts_.unknown(expr);
  }
  case Meaning::CurrentStream:
    lowerRest(0);
    if (const Expr *named = deviceOfStream(site)) {
      const Operand device = chosenCurrent(named);
      return device.slot == kNone ? facts_.unknown(expr)
                                  : facts_.result(Opcode::CurrentStream, expr, {device}, site.name());
    }
    if (site.name() == "getStreamFromPool" && survey_.isNeverRead(expr)) {
      const Slot stream = facts_.newSlot(facts::Type::Other);
      facts_.emit(Opcode::CurrentStream, stream, {}, expr, site.name()).flags = facts::kDiscarded;
      return stream;
    }
    if (survey_.isNeverRead(expr) || survey_.isKeptInMember(expr)) // nothing runs on it, or not yet
      return word.text == "default" ? facts_.null(expr) : facts_.unknown(expr);
    if (word.text != "default")
      return facts_.result(Opcode::CurrentStream, expr, {}, site.name());
    facts_.emit(Opcode::CurrentStream, kNone, {}, expr, site.name());
    return facts_.null(expr);
  case Meaning::SetStream:
    setStream(site.arg(0), expr);
    return facts_.unknown(expr);
  case Meaning::WaitEvent:
    subject(site);
    lowerRest(0);
    facts_.emit(Opcode::WaitEvent, kNone, {}, expr);
    return facts_.unknown(expr);
  case Meaning::RecordEvent: {
    const Operand event = eventOf(site);
    lowerRest(0);
    if (event.slot != kNone)
      facts_.emit(Opcode::RecordEvent, kNone, {event}, expr);
    return facts_.unknown(expr);
  }
  case Meaning::Synchronize:
    subject(site);
    if (site.args.size() == 1 && !isa<CXXDefaultArgExpr>(site.args[0]) && typeOf(site.args[0]) == facts::Type::Int) {
      facts_.emit(Opcode::Synchronize, kNone, {operand(site.args[0])}, expr, site.name()); // one device
      return facts_.unknown(expr);
    }
    lowerRest(0);
    if (const Operand event = eventOf(site); event.slot != kNone)
      facts_.emit(Opcode::Synchronize, kNone, {event}, expr, site.name());
    else
      facts_.emit(Opcode::Synchronize, kNone, {}, expr, site.name());
    return facts_.unknown(expr);
  case Meaning::GuardSet: {
    Slot set = value(site.object);
    if (Operand which = chosenCurrent(site.arg(0)); which.slot != kNone && set != kNone)
      facts_.emit(Opcode::Guard, set, {which}, expr);
    if (isStream(site.arg(0)))
      setStream(site.arg(0), expr);
    return kNone;
  }
  case Meaning::GuardEnd:
    endOwned(site.object, expr);
    return kNone;
  case Meaning::Allocate: {
    Slot place = behind(site.arg(0));
    lowerRest(1);
    Slot memory = facts_.newSlot(facts::Type::Pointer);
    facts_.emit(Opcode::Allocate, memory, {}, expr, word.mode);
    facts_.assign(place, facts_.operand(memory, expr), expr);
    return facts_.unknown(expr);
  }
  case Meaning::AllocateResult:
    lowerRest(0);
    return facts_.result(Opcode::Allocate, expr, {}, word.mode);
  case Meaning::Memcpy:
  case Meaning::MatrixCopy:
  case Meaning::MemcpyPeer:
    copyMemory(site, word);
    return facts_.unknown(expr);
  case Meaning::MemcpyToSymbol:
    copyToSymbol(site);
    return facts_.unknown(expr);
  case Meaning::PointerAttributes:
    return askWhere(site);
  case Meaning::PageLock:
    lowerRest(1);
    if (Operand memory = operand(site.arg(0)); memory.slot != kNone)
      facts_.emit(Opcode::PageLock, kNone, {memory}, expr);
    return facts_.unknown(expr);
  case Meaning::RawPointer: {
    // What device_vector and its pointers lead to; a pointer of a host_vector is one already.
    const Expr *wrapped = site.arg(0);
    bool isPointer = wrapped && wrapped->getType().getNonReferenceType()->isPointerType();
    if (isPointer)
      return value(wrapped);
    if (wrapped)
      value(wrapped);
    bool isManaged =
        wrapped && wrapped->getType().getCanonicalType().getAsString().find("universal") != std::string::npos;
    return facts_.result(Opcode::Allocate, expr, {}, isManaged ? Mode::Managed : Mode::Symbol);
  }
  case Meaning::Launch: {
    lowerRest(0);
    Operands pointers = useOnDevice(launchArguments(site.arg(3)), expr, site.name());
    launch(expr, site.name(), site.args.empty() ? nullptr : site.args.back(), std::move(pointers));
    return facts_.unknown(expr);
  }
  case Meaning::DeviceGenerator:
    if (const ValueDecl *made = addressed(site.arg(0)))
      unit_.deviceGenerators().insert(made);
    lowerRest(1);
    return facts_.unknown(expr);
  case Meaning::DeviceUse:
    useByLibrary(site);
    if (site.name().starts_with("cudaMemset"))
      queue(site, site.arg(0), site.name());
    return facts_.unknown(expr);
  case Meaning::HostRead:
  case Meaning::HostWrite:
    readPointers(site, site.name());
    overwrite(site);
    return facts_.unknown(expr);
  default:
    return facts_.unknown(expr);
  }
}

} // namespace samedevice::clangfront
