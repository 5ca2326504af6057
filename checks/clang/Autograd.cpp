// Functions of autograd's: what `apply` runs, and what its engine runs later.
#include "FunctionLowering.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

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

/// `autograd::grad({loss}, {x, y})`: as the inputs are, in their order.
Slot FunctionLowering::gradients(const CallSite &site) {
  evaluateAll(site.args);
  const Expr *inputs = site.arg(1);
  const Slot given = inputs ? value(inputs) : kNone;
  if (given == kNone || typeOf(inputs) != facts::Type::List)
    return facts_.unknown(site.expr);
  return facts_.result(Opcode::Clone, site.expr, {facts_.operand(given, inputs)});
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

} // namespace samedevice::clangfront
