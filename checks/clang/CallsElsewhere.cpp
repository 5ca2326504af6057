// Calls of functions whose bodies are not here: what they may do, and what other files say of them.
#include "FunctionLowering.h"

#include "Surroundings.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

/// Whether a function that nobody can see may write to what it is given for this parameter.
bool FunctionLowering::mayWriteTo(const CallSite &site, unsigned index) {
  QualType param = site.paramType(index);
  const facts::Type type = typeOf(site.args[index]);
  if (param.isNull() || type == facts::Type::Pointer)
    return false;
  QualType inner = param.getNonReferenceType();
  const bool sharesObject = type == facts::Type::Module || type == facts::Type::Optimizer;
  if (sharesObject && !inner.isConstQualified())
    return true;
  if (!param->isReferenceType() && !inner->isPointerType())
    return false;
  QualType pointee = inner->isPointerType() ? inner->getPointeeType() : inner;
  return !pointee.isConstQualified() && !param->isRValueReferenceType();
}

/// `n` of `&n`, a number that whoever gets the address may change; or a structure, where it is given as plain memory.
static const Expr *numberBehind(const CallSite &site, unsigned index) {
  const QualType param = site.paramType(index);
  const auto *address = dyn_cast_or_null<UnaryOperator>(stripped(site.args[index]));
  const bool isVariadic = param.isNull() && site.callee && site.callee->isVariadic();
  if (!address || address->getOpcode() != UO_AddrOf ||
      !(isVariadic || (!param.isNull() && param->isPointerType() && !param->getPointeeType().isConstQualified())))
    return nullptr;
  const Expr *behind = address->getSubExpr();
  const bool isMemory = isVariadic || param->isVoidPointerType();
  return behind->getType()->isIntegralOrEnumerationType() || (isMemory && behind->getType()->isRecordType()) ? behind
                                                                                                             : nullptr;
}

void FunctionLowering::overwrite(const CallSite &site) {
  Operands written;
  for (unsigned i = 0; i < site.args.size(); ++i)
    if (const Expr *behind = numberBehind(site, i))
      if (Operand place = operand(behind); place.slot != kNone) {
        place.mayWrite = true;
        written.push_back(std::move(place));
      }
  if (!written.empty())
    facts_.emit(Opcode::CallUnknown, kNone, std::move(written), site.expr, site.name());
}

Slot FunctionLowering::callUnknown(const CallSite &site) {
  if (const facts::FunctionId declared = unit_.declared(site.callee); declared != kNone)
    return callElsewhere(site, declared);
  Operands args;
  Kind returned = kindOf(site.expr);
  // Whatever makes a module: where it is then depends on who registers and moves it.
  bool isRelevant =
      returned.type == facts::Type::Module && returned.record && !isStateless(Types::moduleName(returned.record));
  auto add = [&](const Expr *argument, bool mayWrite) {
    Operand passed = operand(argument);
    facts::Type type = typeOf(argument);
    if (passed.slot == kNone)
      return;
    passed.mayWrite = mayWrite;
    bool isPlain = type == facts::Type::Other || type == facts::Type::Int || type == facts::Type::Bool ||
                   type == facts::Type::String;
    isRelevant = isRelevant || !isPlain || mayWrite;
    if (!isPlain || mayWrite)
      args.push_back(std::move(passed));
  };
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(site.callee);
  if (site.object)
    add(site.object, method && !method->isConst() && !method->isStatic());
  const bool isOnObject = !args.empty();
  for (unsigned i = 0; i < site.args.size(); ++i) {
    add(site.args[i], mayWriteTo(site, i));
    if (const Expr *number = numberBehind(site, i))
      add(number, true);
    for (Operand &place : writtenByCallback(site.args[i])) {
      isRelevant = true;
      args.push_back(std::move(place));
    }
  }
  if (!isRelevant)
    return site.expr->getType()->isVoidType() ? kNone : facts_.unknown(site.expr);
  QualType type = site.expr->getType();
  Slot dest = type->isVoidType() ? kNone : facts_.newSlot(type, "", 0);
  const facts::ClassId knower = isOnObject && method ? unit_.record(method->getParent()) : kNone;
  facts::Instruction &unseen = facts_.emit(Opcode::CallUnknown, dest, std::move(args), site.expr,
                                           site.callee ? Names::qualified(site.callee) : "");
  if (knower != kNone)
    unseen.targets = {knower};
  return dest;
}

/// A function whose body is in another file: whoever has that can run it, to all others it is one nobody can see into.
Slot FunctionLowering::callElsewhere(const CallSite &site, facts::FunctionId declared) {
  Operands args = withObject(site);
  const size_t first = args.size() - site.args.size();
  if (first)
    args.front().mayWrite = !cast<CXXMethodDecl>(site.callee)->isConst();
  const BodyInText *body = bodyElsewhere(site);
  for (unsigned i = 0; i < site.args.size(); ++i) {
    const bool isKept =
        body && typeOf(site.args[i]) == facts::Type::Tensor && i < body->isRebound.size() && !body->isRebound[i];
    args[first + i].mayWrite = mayWriteTo(site, i) && !isKept;
  }
  // Behind what its parameters stand for.
  for (unsigned i = 0; i < site.args.size(); ++i)
    if (const Expr *number = numberBehind(site, i)) {
      args.push_back(operand(number));
      args.back().mayWrite = args.back().slot != kNone;
    }
  for (const Expr *argument : site.args)
    for (Operand &place : writtenByCallback(argument))
      args.push_back(std::move(place));
  QualType type = site.expr->getType();
  Slot dest = type->isVoidType() ? kNone : facts_.newSlot(type, "", 0);
  facts::Instruction &call = facts_.emit(Opcode::Call, dest, std::move(args), site.expr);
  call.targets = {declared};
  call.flags = (site.isVirtual() ? facts::kVirtual : 0u) | (survey_.isDiscarded(site.expr) ? facts::kDiscarded : 0u);
  if (body)
    guessBody(site, declared, *body, dest);
  return dest;
}

/// What the project's other files say of a function that is only declared here and gets tensors.
const BodyInText *FunctionLowering::bodyElsewhere(const CallSite &site) {
  const auto *function = dyn_cast_or_null<FunctionDecl>(site.callee);
  Surroundings *surroundings = unit_.surroundings();
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
  if (!surroundings || !function || (method && !method->isStatic()) || !function->getIdentifier() ||
      function->isTemplated() || function->hasBody() || !unit_.names().isUser(function))
    return nullptr;
  const bool getsTensors = llvm::any_of(site.args, [&](const Expr *argument) {
    const facts::Type type = typeOf(argument);
    return type == facts::Type::Tensor || type == facts::Type::Record || type == facts::Type::Pointer;
  });
  if (!getsTensors)
    return nullptr;
  const BodyInText *body = method ? nullptr : surroundings->bodyOf(function->getName(), function->getNumParams());
  const auto *within = dyn_cast<NamedDecl>(function->getDeclContext());
  if (body || !within || !within->getIdentifier())
    return body;
  return surroundings->bodyOf((within->getName() + "::" + function->getName()).str(), function->getNumParams());
}

/// The kernels that it starts, and where its result is: so far as nobody has its facts.
void FunctionLowering::guessBody(const CallSite &site, facts::FunctionId declared, const BodyInText &body,
                                 Slot result) {
  auto guess = [&](Opcode opcode, Slot dest, Operands args, const Stmt *at, StringRef text, std::uint32_t flags) {
    facts::Instruction &made = facts_.emit(opcode, dest, std::move(args), at, text);
    made.flags = facts::kGuess | flags;
    made.targets = {declared};
  };
  const std::uint32_t guarded = body.isGuarded ? facts::kGuarded : 0u;
  const std::string *launched = nullptr;
  for (const BodyInText::Use &use : body.uses) {
    if (use.parameter >= site.args.size())
      continue;
    const Expr *argument = site.args[use.parameter];
    const facts::Type type = typeOf(argument);
    Operand used = operand(argument);
    if (type == facts::Type::Pointer && use.member.empty() && used.slot != kNone) {
      guess(Opcode::DeviceUse, kNone, {used}, site.expr, use.kernel, guarded);
      launched = &use.kernel;
      continue;
    }
    if (type == facts::Type::Record && use.member.empty() && used.slot != kNone) { // as it is, all that is in it
      const Slot block = facts_.newSlot(argument->getType(), "", 0);
      facts_.slot(block).reference = false;
      guess(Opcode::Copy, block, {used}, argument, "", 0);
      guess(Opcode::DeviceUse, kNone, {facts_.operand(block, argument)}, site.expr, use.kernel, guarded);
      launched = &use.kernel;
      continue;
    }
    if (type == facts::Type::Record && !use.member.empty() && use.member.find('.') == std::string::npos)
      used.slot = facts_.field(used.slot, use.member, facts::Type::Tensor, argument);
    else if (type != facts::Type::Tensor || !use.member.empty())
      continue;
    if (used.slot == kNone)
      continue;
    Slot memory = facts_.newSlot(facts::Type::Pointer);
    guess(Opcode::Pointer, memory, {used}, argument, "data_ptr", 0);
    guess(Opcode::DeviceUse, kNone, {facts_.operand(memory, argument)}, site.expr, use.kernel, guarded);
  }
  for (const unsigned read : body.readOnHost)
    if (read < site.args.size() && typeOf(site.args[read]) == facts::Type::Tensor)
      guess(Opcode::HostRead, kNone, {operand(site.args[read])}, site.expr, site.name(), 0);
  // A launcher that knows nothing but pointers leaves it to who calls it to make their device current.
  if (launched && !body.isGuarded)
    guess(Opcode::Launch, kNone, {}, site.expr, *launched, 0);
  const bool isTensors = result != kNone && (facts_.slot(result).type == facts::Type::Tensor ||
                                             unit_.types().isStd(site.expr->getType(), "tuple") ||
                                             unit_.types().isStd(site.expr->getType(), "pair"));
  const unsigned like = body.resultLike.value_or(static_cast<unsigned>(site.args.size()));
  if (isTensors && like < site.args.size() && typeOf(site.args[like]) == facts::Type::Tensor)
    guess(Opcode::Like, result, {operand(site.args[like])}, site.expr, "", 0);
}

} // namespace samedevice::clangfront
