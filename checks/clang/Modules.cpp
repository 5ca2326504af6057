// Modules, their containers, optimizers, saved state.
#include "FunctionLowering.h"

#include "ClangVersions.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

/// A user's method by name and number of arguments, in the class or its bases.
const CXXMethodDecl *findMethod(const CXXRecordDecl *record, StringRef name, unsigned args) {
  if (!record || !record->hasDefinition())
    return nullptr;
  for (const Decl *member : record->getDefinition()->decls()) {
    if (const auto *made = dyn_cast<FunctionTemplateDecl>(member);
        made && made->getIdentifier() && made->getName() == name)
      for (const FunctionDecl *special : made->specializations())
        if (special->getNumParams() >= args && special->getMinRequiredArguments() <= args)
          return dyn_cast<CXXMethodDecl>(special);
    const auto *method = dyn_cast<CXXMethodDecl>(member);
    if (method && method->getIdentifier() && method->getName() == name && method->getNumParams() >= args &&
        method->getMinRequiredArguments() <= args)
      return method;
  }
  for (const CXXBaseSpecifier &base : record->getDefinition()->bases())
    if (const CXXMethodDecl *found = findMethod(base.getType()->getAsCXXRecordDecl(), name, args))
      return found;
  return nullptr;
}

} // namespace

// --- Making modules. ----------------------------------------------------------------------------------------------

Operands FunctionLowering::modulesIn(llvm::ArrayRef<const Expr *> args) {
  Operands found;
  for (const Expr *argument : args) {
    const Expr *inner = stripped(argument);
    if (!inner)
      continue;
    if (const auto *list = dyn_cast<CXXStdInitializerListExpr>(inner))
      inner = stripped(list->getSubExpr());
    if (const auto *list = dyn_cast<InitListExpr>(inner)) {
      for (Operand &module : modulesIn(list->inits()))
        found.push_back(std::move(module));
      continue;
    }
    Kind kind = kindOf(argument);
    if (const auto *construction = dyn_cast<CXXConstructExpr>(inner)) {
      // OrderedDict<string, shared_ptr<Module>>{{"a", ..}}, NamedAnyModule("a", ..), pair("a", ..).
      bool wraps = unit_.types().isTorch(construction->getType(), "nn::NamedAnyModule") ||
                   (kind.type != facts::Type::Module && construction->getNumArgs() > 0);
      if (wraps) {
        llvm::SmallVector<const Expr *, 4> inside(construction->arg_begin(), construction->arg_end());
        for (Operand &module : modulesIn(inside))
          found.push_back(std::move(module));
        continue;
      }
    }
    bool isList = kind.type == facts::Type::List && !kind.element.isNull();
    bool holdsModules = isList && kindOf(kind.element).type == facts::Type::Module;
    if (isList && unit_.types().isStd(kind.element, "pair")) { // names and modules
      QualType module = Types::templateArgument(Types::recordOf(kind.element), 1);
      Slot list = value(argument);
      if (list != kNone && kindOf(module).type == facts::Type::Module)
        found.push_back(facts_.operand(
            facts_.field(facts_.element(list, kind.element, argument), "1", module, argument), argument));
      continue;
    }
    if (kind.type == facts::Type::Module || holdsModules) {
      if (Operand module = operand(argument); module.slot != kNone)
        found.push_back(std::move(module));
    } else {
      value(argument);
    }
  }
  return found;
}

Slot FunctionLowering::makeModule(const Expr *whole, const CXXRecordDecl *impl, llvm::ArrayRef<const Expr *> args) {
  if (!impl)
    return kNone;
  if (unit_.names().isUser(impl))
    return constructUser(whole, impl, args, nullptr);
  QualType type = recordType(impl);
  Slot dest = facts_.newSlot(type, "", 0);
  const std::string name = Types::moduleName(impl);
  Operands given = modulesIn(args);
  for (const Expr *argument : args)
    collectOptionTensors(argument, given);
  facts::Instruction &made = facts_.emit(Opcode::Module, dest, std::move(given), whole, name);
  made.flags = isStateless(name) ? facts::kStateless : 0u; // but for what its options bring
  return dest;
}

// --- Registration and containers. ---------------------------------------------------------------------------------

Slot FunctionLowering::registerChild(const CallSite &site, const Word &word) {
  Operand parent = site.object ? operand(site.object) : facts_.operand(thisSlot(), site.expr);
  Operand name = operand(site.arg(0)), child = operand(site.arg(1));
  if (parent.slot == kNone || child.slot == kNone)
    return facts_.unknown(site.expr);
  // register_parameter("b", {}, false) and the like give an undefined tensor.
  Operands args{parent, child, name};
  if (name.slot == kNone)
    args.pop_back();
  facts_.emit(Opcode::Register, kNone, std::move(args), site.expr, word.mode);
  if (const Expr *learns = word.mode == Mode::Parameter ? site.arg(2) : nullptr; learns && !isOmitted(learns))
    facts_.result(Opcode::View, site.expr, {child, operand(learns)}, "requires_grad_");
  // The call returns the child that now stands there.
  return child.slot;
}

Slot FunctionLowering::registerParameter(const MemberExpr *parameters, const Expr *name, const Expr *tensor,
                                         const Expr *whole) {
  Operands args{operand(parameters->getBase()), operand(tensor), operand(name)};
  if (args[0].slot == kNone || args[1].slot == kNone)
    return facts_.unknown(whole);
  const Slot registered = args[1].slot;
  if (args[2].slot == kNone)
    args.pop_back();
  facts_.emit(Opcode::Register, kNone, std::move(args), whole, Mode::Parameter);
  return registered;
}

Slot FunctionLowering::appendToContainer(const CallSite &site, const Word &word) {
  Operand parent = operand(site.object);
  std::vector<const Expr *> rest;
  Operand name;
  for (const Expr *argument : site.args) {
    facts::Type type = typeOf(argument);
    if (type == facts::Type::String && name.slot == kNone)
      name = operand(argument);
    else if (type == facts::Type::Tensor || type == facts::Type::Module || type == facts::Type::List ||
             type == facts::Type::Record || isa<InitListExpr>(stripped(argument)) ||
             isa<CXXConstructExpr>(stripped(argument)))
      rest.push_back(argument);
    else
      value(argument);
  }
  if (parent.slot == kNone)
    return facts_.unknown(site.expr);
  auto add = [&](const Operand &child) {
    Operands args{parent, child};
    if (name.slot != kNone)
      args.push_back(name);
    facts_.emit(Opcode::Register, kNone, std::move(args), site.expr, Mode::Push);
  };
  for (const Expr *argument : rest) {
    if (typeOf(argument) == facts::Type::Tensor) { // ParameterList, ParameterDict
      add(operand(argument));
      continue;
    }
    for (const Operand &child : modulesIn({argument})) {
      Operand pushed = child;
      facts::Type type = facts_.slot(child.slot).type;
      bool spreads =
          type == facts::Type::List || (word.meaning == Meaning::Extend && typeOf(argument) == facts::Type::Module);
      if (spreads) { // every element of the other container is registered here
        Slot one = facts_.newSlot(facts::Type::Module);
        facts_.slot(one).reference = true;
        facts_.emit(Opcode::Element, one, {child}, site.expr);
        pushed.slot = one;
      }
      add(pushed);
    }
  }
  return kNone;
}

// --- Calls on modules. --------------------------------------------------------------------------------------------

Slot FunctionLowering::load(const CallSite &site, const Word &word) {
  const Expr *expr = site.expr;
  if (word.text == "part") { // of an archive: another archive, or a tensor
    Operand archive = operand(site.object), into = operand(site.arg(1));
    if (archive.slot != kNone && into.slot != kNone && typeOf(site.arg(1)) == facts::Type::Device)
      facts_.assign(into.slot, archive, expr);
    else if (archive.slot != kNone && into.slot != kNone)
      facts_.emit(Opcode::LoadState, kNone, {into, archive}, expr, site.name());
    return facts_.unknown(expr);
  }
  const Expr *where = nullptr;
  for (unsigned i = word.text == "archive" ? 0 : 1; i < site.args.size(); ++i)
    if (typeOf(site.args[i]) == facts::Type::Device && !isOmitted(site.args[i]))
      where = site.args[i];
    else if (!isOmitted(site.args[i]) && site.args[i] != where)
      value(site.args[i]);
  if (word.text == "archive") {
    Slot archive = value(site.object);
    Operand device = where ? operand(where) : Operand();
    if (archive == kNone)
      return kNone;
    if (device.slot == kNone) {
      device.slot = facts_.newSlot(facts::Type::Device);
      facts_.emit(Opcode::Null, device.slot, {}, expr);
    }
    facts_.assign(archive, device, expr);
    return kNone;
  }
  Operands args;
  if (word.meaning == Meaning::ScriptLoad) {
    for (const Expr *argument : site.args)
      if (!isOmitted(argument) && typeOf(argument) != facts::Type::Device)
        value(argument);
    for (const Expr *argument : site.args)
      if (!isOmitted(argument) && typeOf(argument) == facts::Type::Device)
        if (Operand device = operand(argument); device.slot != kNone)
          args.push_back(device);
    return facts_.result(Opcode::LoadScript, expr, std::move(args), site.name());
  }
  Operand into = operand(site.arg(0));
  if (into.slot == kNone)
    return facts_.unknown(expr);
  args.push_back(into);
  if (where)
    if (Operand device = operand(where); device.slot != kNone)
      args.push_back(device);
  facts_.emit(Opcode::LoadState, kNone, std::move(args), expr, site.name());
  return kNone;
}

void FunctionLowering::applyToModule(const Expr *callback, const Operand &module, const Expr *whole) {
  Operand called = operand(callback);
  const CXXRecordDecl *record = Types::recordOf(callback->getType());
  const Expr *inner = converted(callback); // without the std::function around it
  if (inner && Types::recordOf(inner->getType()) && Types::recordOf(inner->getType())->isLambda())
    record = Types::recordOf(inner->getType());
  const CXXMethodDecl *body = lambdaBody(record);
  if (!body || called.slot == kNone || module.slot == kNone)
    return;
  Operands args{called};
  for (const ParmVarDecl *param : body->parameters()) {
    if (kindOf(param->getType()).type == facts::Type::Module) {
      args.push_back(module);
      continue;
    }
    Slot given = facts_.newSlot(param->getType(), "", 0);
    facts_.emit(Opcode::Unknown, given, {}, whole);
    args.push_back(facts_.operand(given, whole));
  }
  facts_.emit(Opcode::CallValue, kNone, std::move(args), whole);
}

Slot FunctionLowering::moduleWord(const CallSite &site, const Word &word) {
  const Expr *expr = site.expr;
  Operand self = site.object ? operand(site.object) : Operand();
  if (!site.object && !site.args.empty() && word.meaning == Meaning::Clone)
    self = operand(site.args[0]);
  auto deviceArgument = [&]() -> Operand {
    for (const Expr *argument : site.args)
      if (!isOmitted(argument) && typeOf(argument) == facts::Type::Device)
        return operand(argument);
    return {};
  };
  switch (word.meaning) {
  case Meaning::MoveModule: {
    Operand where = deviceArgument();
    evaluateWritten(site.args);
    if (where.slot == kNone || self.slot == kNone)
      return kNone; // to(dtype)
    unit_.mentionDevice();
    Operands args{self, where};
    std::uint32_t flags = nonBlocking(site, args);
    facts_.emit(Opcode::MoveModule, kNone, std::move(args), expr).flags = flags;
    return kNone;
  }
  case Meaning::Register:
    return registerChild(site, word);
  case Meaning::Unregister:
    if (self.slot == kNone)
      self = facts_.operand(thisSlot(), expr);
    facts_.emit(Opcode::Unregister, kNone, {self, operand(site.arg(0))}, expr);
    return kNone;
  case Meaning::Parameters:
    evaluateWritten(site.args);
    return self.slot == kNone ? facts_.unknown(expr) : facts_.result(Opcode::Parameters, expr, {self}, word.mode);
  case Meaning::Clone: {
    Operands args{self};
    if (Operand where = deviceArgument(); where.slot != kNone)
      args.push_back(where);
    if (self.slot == kNone)
      return facts_.unknown(expr);
    facts::Instruction &clone = facts_.emitResult(Opcode::CloneModule, expr, std::move(args));
    clone.mode = word.mode;
    clone.flags |= survey_.isDiscarded(expr) ? facts::kDiscarded : 0u;
    return clone.dest;
  }
  case Meaning::Load:
  case Meaning::ScriptLoad:
    return load(site, word);
  case Meaning::ArchiveLoad: {
    Operands args{self};
    if (Operand archive = deviceArgument(); archive.slot != kNone)
      args.push_back(archive);
    if (self.slot != kNone)
      facts_.emit(Opcode::LoadState, kNone, std::move(args), expr, site.name());
    return kNone;
  }
  case Meaning::Apply:
    if (const Expr *callback = site.arg(0))
      applyToModule(callback, self, expr);
    return kNone;
  case Meaning::Save: {
    if (!site.object)
      self = operand(site.arg(0));
    evaluateAll(site.args);
    if (self.slot != kNone)
      facts_.emit(Opcode::SaveState, kNone, {self}, expr);
    return kNone;
  }
  case Meaning::Forward: {
    const CXXRecordDecl *record = site.object ? kindOf(site.object).record : nullptr;
    if (record && unit_.names().isUser(record))
      if (const CXXMethodDecl *method = findMethod(record, "forward", site.args.size()))
        if (auto targets = unit_.targets(method, true); !targets.empty()) {
          CallSite direct = site;
          direct.callee = method;
          return callUser(direct, std::move(targets));
        }
    Operands args{self};
    std::string method = site.callee->getNameAsString() == "operator()" ? "forward" : site.callee->getNameAsString();
    for (const Expr *argument : site.args) {
      if (isOmitted(argument))
        continue;
      facts::Type type = typeOf(argument);
      Operand passed = operand(argument);
      if (type != facts::Type::String && passed.slot != kNone)
        args.push_back(std::move(passed));
    }
    return self.slot == kNone ? facts_.unknown(expr) : facts_.result(Opcode::Forward, expr, std::move(args), method);
  }
  case Meaning::Append:
  case Meaning::Insert:
  case Meaning::Extend:
    return appendToContainer(site, word);
  case Meaning::EmplaceBack: {
    // Sequential::emplace_back<LinearImpl>(in, out)
    const TemplateArgumentList *arguments = site.callee->getTemplateSpecializationArgs();
    if (!arguments || arguments->size() == 0 || arguments->get(0).getKind() != TemplateArgument::Type)
      return facts_.unknown(expr);
    Slot made = makeModule(expr, arguments->get(0).getAsType()->getAsCXXRecordDecl(), site.args);
    if (made != kNone && self.slot != kNone)
      facts_.emit(Opcode::Register, kNone, {self, facts_.operand(made, expr)}, expr, Mode::Push);
    return kNone;
  }
  case Meaning::ElementAt:
    if (site.args.empty())
      return self.slot;
    return element(self.slot, site.arg(0), expr->getType(), expr);
  case Meaning::ParameterGroups: // what is put into one of them is the optimizer's
    return self.slot == kNone ? facts_.unknown(expr) : facts_.result(Opcode::List, expr, {self});
  case Meaning::OptimizerStep:
    if (site.name() == "add_param_group") {
      Operand group = operand(site.arg(0));
      if (self.slot != kNone)
        facts_.emit(Opcode::OptimizerAdd, kNone, {self, std::move(group)}, expr);
      return facts_.unknown(expr);
    }
    evaluateWritten(site.args);
    if (Slot loss = invokeCallbacks(site); self.slot != kNone || loss != kNone) { // of the closure
      if (self.slot != kNone)
        facts_.emit(Opcode::OptimizerStep, kNone, {self}, expr);
      if (loss != kNone)
        return loss;
    }
    return facts_.unknown(expr);
  default:
    return facts_.unknown(expr);
  }
}

} // namespace samedevice::clangfront
