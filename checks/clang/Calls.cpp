// Calls: who is called decides. Promises and the vocabulary first, then bodies we can see, then the models of whoever
// declares the function.
#include "FunctionLowering.h"

#include "../facts/Rules.h"
#include "Surroundings.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/Builtins.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

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

Slot FunctionLowering::call(const CallExpr *expr) {
  CallSite site = CallSite::of(expr);
  if (site.callee && site.callee->getBuiltinID() != 0 && site.name().starts_with("__builtin")) {
    evaluateAll(site.args);
    bool isHint = site.name() == "__builtin_expect" || site.name() == "__builtin_expect_with_probability" ||
                  site.name() == "__builtin_assume_aligned" || site.name() == "__builtin_addressof";
    return isHint && !site.args.empty() ? value(site.args[0]) : facts_.unknown(expr);
  }
  if (const auto *op = dyn_cast<CXXOperatorCallExpr>(expr)) {
    OverloadedOperatorKind kind = op->getOperator();
    const Expr *left = op->getArg(0);
    const Expr *right = op->getNumArgs() > 1 ? op->getArg(1) : nullptr;
    if (kind == OO_Call && readsAsNumpy(left, op))
      return kNone;
    bool byUser = site.callee && unit_.function(site.callee) != kNone;
    if (kind == OO_Equal && right && !byUser) {
      const Expr *target = stripped(left);
      if (const auto *tie = dyn_cast<CallExpr>(target); tie && tie->getDirectCallee() &&
                                                        unit_.names().of(tie->getDirectCallee()).library == Name::Std &&
                                                        tie->getDirectCallee()->getNameAsString() == "tie") {
        assignTie(tie, right, op);
        return kNone;
      }
      if (kindOf(left).type == facts::Type::Tensor && !left->isLValue()) {
        // `x[i] = v` writes into x; it rebinds nothing.
        if (const auto *accessor = dyn_cast<CallExpr>(target);
            accessor && CallSite::of(accessor).name().ends_with("grad")) {
          Operand to = operand(left, "self"), from = operand(right, "other");
          facts_.emit(Opcode::Op, kNone, {to, from}, op, facts::kSetGrad).flags = facts::kMethod;
          return to.slot;
        }
        if (typeOf(right) != facts::Type::Tensor)
          return value(left);
        Operand to = operand(left, "self"), from = operand(right, "src");
        facts_.emit(Opcode::Op, kNone, {to, from}, op, "copy_").flags = facts::kMethod;
        return to.slot;
      }
      if (const auto *accessor = dyn_cast<CallExpr>(target);
          accessor && kindOf(left).type == facts::Type::Tensor && CallSite::of(accessor).name() == "mutable_grad") {
        Operand to = operand(left, "self"), from = operand(right, "other");
        facts_.emit(Opcode::Op, kNone, {to, from}, op, facts::kSetGrad).flags = facts::kMethod;
        return to.slot;
      }
      assignTo(left, right, op);
      return value(left);
    }
    bool isIterator = !byUser && typeOf(left) == facts::Type::List;
    if (isIterator && (kind == OO_PlusPlus || kind == OO_MinusMinus)) {
      Slot place = value(left);
      if (place != kNone && kind == OO_PlusPlus)
        facts_.emit(Opcode::Advance, kNone, {facts_.operand(place, left)}, op);
      return place;
    }
    if (kind == OO_Plus && right && !byUser && typeOf(op) == facts::Type::String) {
      return facts_.unknown(op, {operand(left), operand(right)}); // what it is made of
    }
    if (kind == OO_EqualEqual || kind == OO_ExclaimEqual) {
      facts::Type type = typeOf(left), other = right ? typeOf(right) : facts::Type::Other;
      if (!byUser && right && type != facts::Type::Tensor && other != facts::Type::Tensor)
        return compare(op, kind == OO_EqualEqual ? BO_EQ : BO_NE, left, right);
      if (!byUser && right && isa<CXXNullPtrLiteralExpr>(right->IgnoreParenImpCasts()))
        return compare(op, kind == OO_EqualEqual ? BO_EQ : BO_NE, left, right);
    }
  }
  return dispatch(site);
}

Slot FunctionLowering::dispatch(const CallSite &site) {
  if (!site.callee) {
    const auto *callExpr = cast<CallExpr>(site.expr);
    return callValue(site, callExpr->getCallee());
  }
  if (const std::optional<Slot> promised = promisedCall(site))
    return *promised;
  const auto *method = dyn_cast<CXXMethodDecl>(site.callee);
  bool isLambdaCall = method && method->getParent()->isLambda() && method->getOverloadedOperator() == OO_Call;
  bool isOwn =
      method && (unit_.types().isOwnTensor(method->getParent()) || unit_.types().isOwnModule(method->getParent()));
  // Newer functions of torch's may be declared by hand.
  const bool isTorchs = unit_.names().of(site.callee).library == Name::Torch && !site.callee->hasBody();
  if (isOwn || isTorchs || !unit_.names().isUser(site.callee)) {
    if (const Word *known = wordFor(site))
      return word(site, *known);
  }
  if (auto targets = unit_.targets(site.callee, site.isVirtual()); !targets.empty())
    return callUser(site, std::move(targets));
  if (const CXXMethodDecl *forward = appliedForward(method))
    return callForward(site, forward);
  if (isLambdaCall)
    return callValue(site, site.object);
  if (site.object && unit_.types().isStd(site.object->getType(), "function") && site.callee->isOverloadedOperator() &&
      site.callee->getOverloadedOperator() == OO_Call)
    return callValue(site, site.object);
  if (unit_.names().isUser(site.callee))
    return isForwardElsewhere(site) ? moduleWord(site, *findWord("nn::Module", "forward")) : callUnknown(site);
  markBindings(site);
  for (const Model model : modelsOf(unit_.names().of(site.callee).library))
    if (const std::optional<Slot> known = (this->*model)(site))
      return *known;
  return callUnknown(site);
}

/// Who is asked, in this order. Containers and wrappers are alike, whoever declares them.
llvm::ArrayRef<FunctionLowering::Model> FunctionLowering::modelsOf(Name::Library library) {
  static constexpr Model ofStd[] = {&FunctionLowering::containerCall, &FunctionLowering::standardFunction};
  static constexpr Model ofTorch[] = {&FunctionLowering::containerCall, &FunctionLowering::tensorCall};
  static constexpr Model ofOthers[] = {&FunctionLowering::containerCall, &FunctionLowering::thrustCall,
                                       &FunctionLowering::cubCall};
  switch (library) {
  case Name::Std:
    return ofStd;
  case Name::Torch:
    return ofTorch;
  case Name::Cuda:
  case Name::Other:
    break;
  }
  return ofOthers;
}

/// `Swish::apply(x)` of an autograd function runs `Swish::forward(context, x)`.
const CXXMethodDecl *FunctionLowering::appliedForward(const CXXMethodDecl *apply) {
  if (!apply || !apply->isStatic() || !apply->getIdentifier() || apply->getName() != "apply")
    return nullptr;
  const Name &name = unit_.names().of(apply->getParent());
  const CXXRecordDecl *function = name.library == Name::Torch && name.path == "autograd::Function"
                                      ? Types::recordOf(Types::templateArgument(apply->getParent(), 0))
                                      : nullptr;
  if (!function || !function->hasDefinition())
    return nullptr;
  for (const CXXMethodDecl *method : function->getDefinition()->methods())
    if (method->isStatic() && method->getIdentifier() && method->getName() == "forward")
      return method;
  return nullptr;
}

Slot FunctionLowering::callForward(const CallSite &site, const CXXMethodDecl *forward) {
  std::vector<std::uint32_t> targets = unit_.targets(forward, false);
  if (targets.empty() || site.args.size() + 1 > forward->getNumParams())
    return callUnknown(site);
  const Slot context = facts_.newSlot(forward->getParamDecl(0)->getType(), "", 0);
  facts_.slot(context).reference = false;
  facts_.emit(Opcode::Object, context, {}, site.expr);
  const Slot byKey = facts_.newSlot(facts::Type::List);
  facts_.slot(byKey).element = facts::Type::Tensor;
  facts_.emit(Opcode::List, byKey, {}, nullptr);
  facts_.assign(facts_.field(context, "saved_data", facts::Type::List, nullptr), facts_.operand(byKey, nullptr),
                nullptr);
  Operands args{facts_.operand(context, nullptr)};
  for (const Expr *argument : site.args)
    args.push_back(operand(argument));
  Slot dest = facts_.newSlot(forward->getReturnType(), "", 0);
  facts_.emit(Opcode::Call, dest, std::move(args), site.expr).targets = std::move(targets);
  callBackward(site, forward, context, dest);
  return dest;
}

/// What autograd's engine does later, or never: it makes the device of the output current, and runs the backward with
/// what the forward has saved and with gradients that are where the outputs are. Nobody has written that call.
void FunctionLowering::callBackward(const CallSite &site, const CXXMethodDecl *forward, Slot context, Slot output) {
  const CXXMethodDecl *backward = nullptr;
  for (const CXXMethodDecl *method : forward->getParent()->methods())
    if (method->isStatic() && method->getIdentifier() && method->getName() == "backward")
      backward = method;
  if (!backward || backward->getNumParams() != 2)
    return;
  std::vector<std::uint32_t> targets = unit_.targets(backward, false);
  if (targets.empty())
    return;
  const facts::BlockId from = facts_.current(), later = facts_.newBlock(), after = facts_.newBlock();
  facts::Terminator &split = facts_.end(from);
  split.kind = facts::Terminator::Any;
  split.successors = {later, after};
  split.source = facts_.source(site.expr);
  facts_.enter(later);
  const Slot onDevice = facts_.newSlot(facts::Type::Guard);
  facts_.emit(Opcode::Guard, onDevice, {facts_.operand(output, nullptr)}, nullptr, Mode::Engine);
  Slot gradients = output;
  if (facts_.slot(output).type == facts::Type::Tensor) {
    gradients = facts_.newSlot(backward->getParamDecl(1)->getType(), "", 0);
    facts_.emit(Opcode::List, gradients, {facts_.operand(output, nullptr)}, site.expr);
  }
  const Slot result = facts_.newSlot(backward->getReturnType(), "", 0);
  facts_.emit(Opcode::Call, result, {facts_.operand(context, nullptr), facts_.operand(gradients, nullptr)}, nullptr)
      .targets = std::move(targets);
  facts_.emit(Opcode::End, kNone, {facts_.operand(onDevice, nullptr)}, nullptr);
  facts_.jump(facts_.current(), after);
  facts_.enter(after);
}

/// `context->save_for_backward({x, y})`, `context->get_saved_variables()`
Slot FunctionLowering::savedForBackward(const CallSite &site, bool isSaved) {
  const Slot context = value(site.object);
  const QualType type = isSaved ? site.paramType(0) : site.expr->getType();
  Operand tensors = isSaved ? operand(site.arg(0)) : Operand();
  if (context == kNone)
    return isSaved ? kNone : facts_.unknown(site.expr);
  const Slot saved = facts_.field(context, "saved variables", type, site.expr);
  if (isSaved && tensors.slot != kNone)
    facts_.assign(saved, std::move(tensors), site.expr);
  return isSaved ? kNone : saved;
}

/// A module's forward that is declared here and written in another file. It reads its tensors, as they all do.
bool FunctionLowering::isForwardElsewhere(const CallSite &site) {
  const auto *method = dyn_cast<CXXMethodDecl>(site.callee);
  return method && site.object && method->getIdentifier() && method->getName() == "forward" &&
         unit_.types().derivesFrom(method->getParent(), "nn::Module") &&
         llvm::none_of(method->parameters(), [](const ParmVarDecl *param) {
           QualType type = param->getType();
           return type->isLValueReferenceType() && !type->getPointeeType().isConstQualified();
         });
}

Operands FunctionLowering::argumentsFor(const CallSite &site) {
  Operands args;
  for (unsigned i = 0; i < site.args.size(); ++i)
    args.push_back(operand(site.args[i], site.paramName(i)));
  return args;
}

/// What a method is called on comes first.
Operands FunctionLowering::withObject(const CallSite &site) {
  Operands args;
  const auto *method = dyn_cast<CXXMethodDecl>(site.callee);
  if (method && !method->isStatic())
    args.push_back(site.object ? operand(site.object, "this") : facts_.operand(thisSlot(), site.expr, "this"));
  else if (site.object)
    value(site.object);
  for (Operand &argument : argumentsFor(site))
    args.push_back(std::move(argument));
  return args;
}

Slot FunctionLowering::callUser(const CallSite &site, std::vector<std::uint32_t> targets) {
  Operands args = withObject(site);
  QualType type = site.callee->getReturnType();
  Slot dest = type->isVoidType() ? kNone : facts_.newSlot(type, "", 0);
  std::uint32_t flags = survey_.isDiscarded(site.expr) ? facts::kDiscarded : 0u;
  if (site.isVirtual()) {
    // Others may override it as well: what they override comes first.
    if (unit_.function(site.callee) == kNone)
      if (const facts::FunctionId base = unit_.declared(site.callee); base != kNone)
        targets.insert(targets.begin(), base);
    flags |= facts::kVirtual;
  }
  facts::Instruction &call = facts_.emit(Opcode::Call, dest, std::move(args), site.expr);
  call.targets = std::move(targets);
  call.flags = flags;
  return dest;
}

Slot FunctionLowering::callValue(const CallSite &site, const Expr *callable) {
  Operands args{operand(callable)};
  for (const Expr *argument : site.args)
    args.push_back(operand(argument));
  if (args[0].slot == kNone)
    return facts_.unknown(site.expr);
  QualType type = site.expr->getType();
  Slot dest = type->isVoidType() ? kNone : facts_.newSlot(type, "", 0);
  facts_.emit(Opcode::CallValue, dest, std::move(args), site.expr);
  return dest;
}

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

/// `n` of `&n`, a number that whoever gets the address may change.
static const Expr *numberBehind(const CallSite &site, unsigned index) {
  const QualType param = site.paramType(index);
  const auto *address = dyn_cast_or_null<UnaryOperator>(stripped(site.args[index]));
  if (!address || address->getOpcode() != UO_AddrOf || param.isNull() || !param->isPointerType() ||
      param->getPointeeType().isConstQualified())
    return nullptr;
  return address->getSubExpr()->getType()->isIntegralOrEnumerationType() ? address->getSubExpr() : nullptr;
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

/// `object.attr("numpy")()` on what was cast from a tensor.
bool FunctionLowering::readsAsNumpy(const Expr *called, const Expr *whole) {
  const auto *attribute = dyn_cast_or_null<CXXMemberCallExpr>(convertedAlone(called));
  const CXXMethodDecl *method = attribute ? attribute->getMethodDecl() : nullptr;
  if (!method || !method->getIdentifier() || method->getName() != "attr" || attribute->getNumArgs() != 1)
    return false;
  const auto *name = dyn_cast_or_null<StringLiteral>(stripped(attribute->getArg(0)));
  Slot object = value(attribute->getImplicitObjectArgument());
  if (!name || name->getString() != "numpy" || object == kNone)
    return false;
  facts_.emit(Opcode::HostRead, kNone, {facts_.operand(object, attribute->getImplicitObjectArgument())}, whole,
              "numpy");
  return true;
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
  llvm::StringRef boundName;
  for (const Expr *argument : site.args) {
    if (const StringLiteral *text = boundName.empty() ? literalIn(argument) : nullptr) {
      boundName = text->getString();
      continue;
    }
    llvm::SmallVector<const FunctionDecl *, 2> functions;
    boundBy(argument, functions);
    for (const FunctionDecl *function : functions)
      unit_.markEntry(function, boundName);
  }
}

} // namespace samedevice::clangfront
