// From a call to its word in the vocabulary, and from the word to whoever lowers it.
#include "FunctionLowering.h"

#include "ClangVersions.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Opcode;
using facts::Slot;

std::string FunctionLowering::scopeOf(const CallSite &site) {
  const Name &name = unit_.names().of(site.callee);
  if (const auto *method = dyn_cast<CXXMethodDecl>(site.callee)) {
    Types &types = unit_.types();
    const CXXRecordDecl *owner = method->getParent();
    if (types.isModule(owner) || !types.held(owner).isNull())
      return "nn::Module";
    if (types.isOwnTensor(owner))
      return "Tensor";
    const Name &ownerName = unit_.names().of(owner);
    if (ownerName.library == Name::Torch) {
      for (llvm::StringRef exact : {"Storage", "IValue", "DataPtr"})
        if (ownerName.path == exact)
          return exact.str();
      if (types.isWrapper(owner))
        return "(wrapper)";
      facts::Type type = kindOf(recordType(owner)).type;
      if (type == facts::Type::Tensor)
        return "Tensor";
      if (type == facts::Type::Guard)
        return "Guard";
      if (types.derivesFrom(owner, "optim::Optimizer"))
        return "optim::Optimizer";
      return ownerName.path;
    }
  }
  size_t end = name.path.rfind("::");
  std::string inside = end == std::string::npos ? "" : name.path.substr(0, end);
  if (name.library == Name::Torch)
    return inside;
  if (name.library == Name::Std)
    return inside.empty() ? "std" : "std::" + inside;
  return inside.empty() ? "C" : inside;
}

const Word *FunctionLowering::wordFor(const CallSite &site) {
  std::string scope = scopeOf(site);
  if (const IdentifierInfo *id = site.callee->getIdentifier())
    return findWord(scope, id->getName());
  return findWord(scope, site.callee->getNameAsString());
}

Slot FunctionLowering::subject(const CallSite &site) {
  if (site.object)
    return value(site.object);
  return site.args.empty() ? kNone : value(site.args[0]);
}

Slot FunctionLowering::word(const CallSite &site, const Word &word) {
  const Expr *expr = site.expr;
  const Expr *on = site.object ? site.object : site.arg(0);
  auto about = [&](Opcode opcode, Mode mode = Mode::None) {
    Slot slot = subject(site);
    return slot == kNone ? facts_.unknown(expr) : facts_.result(opcode, expr, {operand(on)}, mode);
  };
  switch (word.meaning) {
  case Meaning::Ignore:
    subject(site);
    evaluateAll(site.args);
    return facts_.unknown(expr);
  case Meaning::Transparent: {
    const bool makesGuard = !site.object && !site.args.empty() && typeOf(expr) == facts::Type::Guard &&
                            typeOf(site.args[0]) != facts::Type::Guard;
    if (makesGuard) // make_optional<CUDAGuard>(device)
      return guard(expr, site.args);
    Slot slot = subject(site);
    evaluateAll(site.args);
    return slot;
  }
  case Meaning::Downcast:
    return downcast(expr, on);
  case Meaning::MoveTo:
  case Meaning::MoveDevice:
  case Meaning::MoveLike:
    return moveTensor(site);
  case Meaning::Begin:
    return iterate(expr, subject(site));
  case Meaning::Size:
    return about(Opcode::Size);
  case Meaning::IsEmpty:
    return isEmpty(expr, subject(site));
  case Meaning::View: {
    Operands operands{operand(site.object)};
    const bool saysWhetherItLearns = site.name() == "requires_grad_" || site.name() == "set_requires_grad";
    if (saysWhetherItLearns && site.arg(0) && !isOmitted(site.arg(0)))
      operands.push_back(operand(site.arg(0)));
    else
      evaluateAll(site.args);
    return facts_.result(Opcode::View, expr, std::move(operands), site.name());
  }
  case Meaning::PinMemory:
    return facts_.result(Opcode::View, expr, {operand(site.object)}, site.name(), facts::kPinned);
  case Meaning::Data:
    if (typeOf(expr) != facts::Type::Pointer)
      return facts_.result(Opcode::View, expr, {operand(site.object)}, site.name());
    return memoryWord(site, word);
  case Meaning::OptionsOf:
    return about(Opcode::OptionsOf);
  case Meaning::DeviceOf:
    unit_.mentionDevice();
    return about(Opcode::DeviceOf);
  case Meaning::IsCuda:
  case Meaning::IsCpu:
    unit_.mentionDevice();
    return about(word.meaning == Meaning::IsCuda ? Opcode::IsCuda : Opcode::IsCpu);
  case Meaning::IsPinned:
    return about(Opcode::IsPinned);
  case Meaning::IsDefined:
    return about(Opcode::IsDefined);
  case Meaning::IsTensor:
    return about(Opcode::IsDefined, Mode::Tensor);
  case Meaning::SetData: {
    Operand to = operand(site.object), from = operand(site.arg(0));
    facts_.emit(Opcode::SetData, kNone, {to, from}, expr);
    return kNone;
  }
  case Meaning::Index:
  case Meaning::IndexPut:
    return index(site, site.name());
  case Meaning::Operation:
    return operation(site, site.name());
  case Meaning::FromBlob:
    return fromBlob(site);
  case Meaning::Factory:
    return factory(site);
  case Meaning::OptionsDevice:
  case Meaning::OptionsPlain:
  case Meaning::OptionsPinned:
  case Meaning::OptionsIndex:
    return optionsWord(site, word);
  case Meaning::MoveModule:
  case Meaning::Register:
  case Meaning::Unregister:
  case Meaning::Parameters:
  case Meaning::Clone:
  case Meaning::Load:
  case Meaning::ArchiveLoad:
  case Meaning::Save:
  case Meaning::Apply:
  case Meaning::ScriptLoad:
  case Meaning::Forward:
  case Meaning::Append:
  case Meaning::Insert:
  case Meaning::Extend:
  case Meaning::EmplaceBack:
  case Meaning::ElementAt:
  case Meaning::OptimizerStep:
  case Meaning::ParameterGroups:
    return moduleWord(site, word);
  case Meaning::MapSet:
    return mappedSet(site);
  case Meaning::MakeLoader:
    return loaderOver(site);
  case Meaning::SaveForBackward:
  case Meaning::SavedForBackward:
    return savedForBackward(site, word.meaning == Meaning::SaveForBackward);
  case Meaning::Gradients:
    return gradients(site);
  case Meaning::Available:
    unit_.mentionDevice();
    return facts_.result(Opcode::Available, expr, {});
  case Meaning::DeviceCount: {
    unit_.mentionDevice();
    Slot count = facts_.result(Opcode::Global, expr, {}, facts::kNumberOfGpus); // one number, whoever asks
    facts_.slot(count).reference = true;
    return count;
  }
  default:
    return memoryWord(site, word);
  }
}

} // namespace samedevice::clangfront
