// Tensors: factories, moves, indexing, and every other operation by its own name.
#include "FunctionLowering.h"

#include "StringSwitch.h"

#include "clang/AST/DeclTemplate.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

/// Whether a copy waits: as written, or as a variable says that is then one of the arguments.
std::uint32_t FunctionLowering::nonBlocking(const CallSite &site, Operands &args) {
  for (unsigned i = 0; i < site.args.size(); ++i) {
    const Expr *given = site.args[i];
    if (site.paramName(i) != "non_blocking" || isOmitted(given) || given->isValueDependent())
      continue;
    if (bool flag = false; given->EvaluateAsBooleanCondition(flag, unit_.context()))
      return flag ? facts::kNonBlocking : 0u;
    if (Operand flag = operand(given, "non_blocking"); flag.slot != kNone)
      args.push_back(std::move(flag));
  }
  return 0;
}

Slot FunctionLowering::moveTensor(const CallSite &site) {
  const Expr *expr = site.expr;
  Operand self = operand(site.object);
  // What was made for this alone warms a device up: there is nothing that should have been assigned to.
  const auto *made = dyn_cast_or_null<CallExpr>(stripped(site.object));
  bool isMadeHere = made && made->getDirectCallee() && isFactory(CallSite::of(made));
  std::uint32_t flags = survey_.isDiscarded(expr) && !isMadeHere ? facts::kDiscarded : 0u;
  llvm::StringRef name = site.name();
  if (name != "to" && name != "type_as") {
    unit_.mentionDevice();
    Operand where = facts_.operand(facts_.device(expr, name), expr);
    return facts_.result(Opcode::Move, expr, {self, where}, name, flags);
  }
  for (unsigned i = 0; i < site.args.size(); ++i) {
    facts::Type type = kindOf(site.paramType(i)).type;
    if (isOmitted(site.args[i]))
      continue;
    if (type == facts::Type::Device || type == facts::Type::Options || type == facts::Type::Tensor) {
      Operand where = operand(site.args[i]);
      if (where.slot == kNone)
        return facts_.unknown(expr);
      if (type == facts::Type::Device)
        unit_.mentionDevice();
      Operands args{self, where};
      flags |= nonBlocking(site, args);
      return facts_.result(Opcode::Move, expr, std::move(args), name, flags);
    }
  }
  return facts_.result(Opcode::View, expr, {self}, name);
}

// --- Factories. ---------------------------------------------------------------------------------------------------

const Expr *FunctionLowering::placeArgument(const CallSite &site) {
  for (unsigned i = 0; i < site.args.size(); ++i) {
    facts::Type type = kindOf(site.paramType(i)).type;
    if ((type == facts::Type::Options || type == facts::Type::Device) && !isOmitted(site.args[i]) &&
        !unit_.types().isGenerator(site.paramType(i)))
      return site.args[i];
  }
  return nullptr;
}

bool FunctionLowering::isFactory(const CallSite &site) {
  if (typeOf(site.expr) != facts::Type::Tensor || site.name().starts_with("sparse_"))
    return false;
  for (const ParmVarDecl *param : site.callee->parameters()) {
    facts::Type type = kindOf(param->getType()).type;
    if (type == facts::Type::Options || (type == facts::Type::Device && param->getName() == "device"))
      return true;
  }
  return false;
}

Slot FunctionLowering::factory(const CallSite &site) {
  Operands args;
  Operands tensors = tensorOperands(site);
  const Expr *place = placeArgument(site);
  for (const Expr *argument : site.args)
    if (argument != place && !isOmitted(argument))
      value(argument);
  bool isLike = !tensors.empty() && (site.name().ends_with("_like") || site.name().starts_with("new_"));
  if (!tensors.empty() && !isLike)
    return operation(site, site.name());
  if (isLike)
    args.push_back(tensors[0]);
  if (place) {
    Operand where = operand(place);
    if (where.slot == kNone)
      return facts_.unknown(site.expr);
    args.push_back(where);
  }
  facts::Instruction &made =
      facts_.emitResult(isLike ? Opcode::Like : Opcode::New, site.expr, std::move(args), site.name());
  noteSizes(site, made);
  return made.dest;
}

Slot FunctionLowering::fromBlob(const CallSite &site) {
  Operands args{operand(site.arg(0))};
  for (unsigned i = 1; i < site.args.size(); ++i)
    if (!isOmitted(site.args[i]) && kindOf(site.paramType(i)).type != facts::Type::Options)
      value(site.args[i]);
  for (unsigned i = 1; i < site.args.size(); ++i)
    if (kindOf(site.paramType(i)).type == facts::Type::Options && !isOmitted(site.args[i]))
      args.push_back(operand(site.args[i]));
  if (args[0].slot == kNone)
    return facts_.unknown(site.expr);
  return facts_.result(Opcode::FromBlob, site.expr, std::move(args), site.name());
}

// --- Operations. --------------------------------------------------------------------------------------------------

Operands FunctionLowering::tensorOperands(const CallSite &site) {
  Operands found;
  if (site.object && typeOf(site.object) == facts::Type::Tensor)
    found.push_back(operand(site.object, "self"));
  for (unsigned i = 0; i < site.args.size(); ++i) {
    const Expr *argument = site.args[i];
    if (isOmitted(argument))
      continue;
    Kind kind = kindOf(argument);
    bool holdsTensors =
        kind.type == facts::Type::List && !kind.element.isNull() && kindOf(kind.element).type == facts::Type::Tensor;
    bool isState = kind.type == facts::Type::Record && // a tuple of hidden states
                   unit_.types().optionTensors(Types::recordOf(argument->getType())).empty();
    if (kind.type != facts::Type::Tensor && !holdsTensors && !isState)
      continue;
    std::string name = site.paramName(i);
    if (site.callee->isOverloadedOperator()) // whatever their declarations call them
      name = found.empty() ? "self" : "other";
    if (Operand passed = operand(argument, name); passed.slot != kNone)
      found.push_back(std::move(passed));
  }
  return found;
}

// --- Options objects that hold tensors: the weight of a loss, of an embedding. ----------------------------------

/// What a chain of setters in this very expression gave: `Options().weight(w).ignore_index(0)`.
static const Expr *givenInline(const Expr *expr, llvm::StringRef name) {
  const auto *setter = dyn_cast_or_null<CXXMemberCallExpr>(converted(expr));
  if (!setter || !setter->getMethodDecl())
    return nullptr;
  const IdentifierInfo *id = setter->getMethodDecl()->getIdentifier();
  if (id && id->getName() == name && setter->getNumArgs() == 1)
    return setter->getArg(0);
  return givenInline(setter->getImplicitObjectArgument(), name);
}

void FunctionLowering::collectOptionTensors(const Expr *expr, Operands &found) {
  std::vector<std::string> names = unit_.types().optionTensors(Types::recordOf(expr->getType()));
  if (names.empty())
    return;
  Slot options = value(expr);
  for (const std::string &name : names)
    if (Slot tensor = facts_.field(options, name, facts::Type::Tensor, expr); tensor != kNone) {
      const Expr *given = givenInline(expr, name);
      found.push_back(facts_.operand(tensor, given ? given : expr, name));
    }
}

/// options.weight(w) sets, options.weight() reads.
bool FunctionLowering::optionCall(const CallSite &site, Slot &slot) {
  const CXXRecordDecl *record = site.object ? Types::recordOf(site.object->getType()) : nullptr;
  std::vector<std::string> names = unit_.types().optionTensors(record);
  if (names.empty())
    return false;
  slot = value(site.object);
  evaluateAll(site.args);
  if (!llvm::is_contained(names, site.name().str()))
    return true;
  Slot place = facts_.field(slot, site.name(), facts::Type::Tensor, site.expr);
  if (site.args.empty())
    slot = place;
  else
    facts_.assign(place, operand(site.args[0]), site.expr);
  return true;
}

Slot FunctionLowering::operation(const CallSite &site, StringRef text) {
  Operands args = tensorOperands(site);
  for (const Expr *argument : site.args)
    if (!isOmitted(argument)) {
      value(argument);
      collectOptionTensors(argument, args);
    }
  std::uint32_t flags = (site.object ? facts::kMethod : 0u) | nonBlocking(site, args);
  facts::Instruction &operation = facts_.emitResult(Opcode::Op, site.expr, std::move(args), text);
  operation.flags = flags;
  if (text == "view" || text == "reshape" || text == "expand")
    noteSizes(site, operation);
  noteDims(site, operation);
  const Slot made = operation.dest;
  return text == "pad_packed_sequence" || text == "_pad_packed_sequence" ? withHostLengths(site.expr, made) : made;
}

/// Beside a padded sequence come its lengths: numbers for the host, and there they are.
Slot FunctionLowering::withHostLengths(const Expr *whole, Slot sequence) {
  Slot both = facts_.newSlot(whole->getType(), "", 0), cpu = facts_.newSlot(facts::Type::Device);
  Slot lengths = facts_.newSlot(facts::Type::Tensor);
  facts_.emit(Opcode::Object, both, {}, whole);
  facts_.emit(Opcode::Device, cpu, {}, whole, "cpu");
  facts_.emit(Opcode::New, lengths, {facts_.operand(cpu, whole)}, whole, "lengths").flags = facts::kRankN;
  for (auto [name, part] : {std::pair("0", sequence), std::pair("1", lengths)}) {
    Slot place = facts_.newSlot(facts::Type::Tensor);
    facts_.slot(place).reference = true;
    facts_.emit(Opcode::Field, place, {facts_.operand(both, whole)}, whole, name);
    facts_.assign(place, facts_.operand(part, whole), whole);
  }
  return both;
}

/// `at::detail::createCPUGenerator()`, `at::make_generator<at::CUDAGeneratorImpl>(0)`: by the name of what is made.
Slot FunctionLowering::makeGenerator(const CallSite &site) {
  evaluateWritten(site.args);
  std::string made = site.name().str();
  if (const TemplateArgumentList *arguments = site.callee->getTemplateSpecializationArgs();
      arguments && arguments->size() > 0 && arguments->get(0).getKind() == TemplateArgument::Type)
    if (const CXXRecordDecl *kind = arguments->get(0).getAsType()->getAsCXXRecordDecl())
      made += kind->getName();
  const llvm::StringRef name = made;
  return name.contains("CPU")    ? facts_.device(site.expr, "cpu")
         : name.contains("CUDA") ? facts_.device(site.expr, "cuda")
                                 : kNone;
}

/// Where a generator fills a tensor, the two must be of one kind of device.
Slot FunctionLowering::drawn(const CallSite &site, Slot made) {
  for (unsigned i = 0; i < site.args.size(); ++i) {
    if (isOmitted(site.args[i]) || !unit_.types().isGenerator(site.paramType(i)))
      continue;
    Operand filled = facts_.operand(made, site.expr, "self"), generator = operand(site.args[i], "generator");
    if (filled.slot != kNone && generator.slot != kNone)
      facts_.emit(Opcode::Op, kNone, {filled, generator}, site.expr, site.name()).flags = facts::kDraws;
  }
  return made;
}

std::optional<Slot> FunctionLowering::tensorCall(const CallSite &site) {
  const Expr *expr = site.expr;
  const std::string path = unit_.names().of(site.callee).path;
  size_t end = path.rfind("::");
  std::string scope = end == std::string::npos ? "" : path.substr(0, end);
  std::string name = site.callee->getNameAsString();
  if (Slot slot = kNone; optionCall(site, slot))
    return slot;
  if (scope == "nn::functional" || llvm::StringRef(scope).starts_with("nn::functional::"))
    return operation(site, "F::" + name);
  if (scope == "nn::init") {
    evaluateAll(site.args);
    return site.args.empty() ? kNone : value(site.args[0]);
  }
  if (site.object && typeOf(site.object) == facts::Type::Pointer &&
      site.callee->getOverloadedOperator() == OO_Subscript) { // of a packed accessor
    // All but the last index only say where the row begins: `table_a[1].data()` is for a kernel.
    if (expr->getType()->isRecordType())
      return value(site.object);
    readOnHost(site.object, expr, "accessor", false);
    return facts_.unknown(expr);
  }
  if (unit_.types().isGenerator(expr->getType()) && !site.object)
    return makeGenerator(site);
  if (isFactory(site))
    return drawn(site, factory(site));
  if (site.callee->getOverloadedOperator() == OO_GreaterGreater && site.args.size() == 2 &&
      unit_.types().isTorch(site.args[0]->getType(), "serialize::InputArchive")) { // archive >> module
    Operand into = operand(site.args[1]), archive = operand(site.args[0]);
    Operands args{into};
    if (archive.slot != kNone)
      args.push_back(archive);
    if (into.slot != kNone)
      facts_.emit(Opcode::LoadState, kNone, std::move(args), expr, "operator>>");
    return archive.slot;
  }
  bool onTensor = site.object && typeOf(site.object) == facts::Type::Tensor;
  if (onTensor && site.callee->isOverloadedOperator()) {
    OverloadedOperatorKind kind = site.callee->getOverloadedOperator();
    if (kind == OO_Arrow || (kind == OO_Star && site.args.empty()))
      return value(site.object); // OptionalTensorRef and its like
    if (kind == OO_Subscript)
      return index(site, "select");
  }
  if (site.object && isa<CXXConversionDecl>(site.callee))
    return typeOf(expr) == facts::Type::Bool ? facts_.unknown(expr) : value(site.object);
  Operands tensors = tensorOperands(site);
  Kind kind = kindOf(expr);
  facts::Type type = kind.type;
  bool makesTensors = type == facts::Type::Tensor || type == facts::Type::Record ||
                      (type == facts::Type::List && kindOf(kind.element).type == facts::Type::Tensor);
  bool compares = type == facts::Type::Bool && tensors.size() > 1;
  bool readsValue = onTensor && (name == "item" || name == "is_nonzero"); // waits for it
  if (!tensors.empty() && (makesTensors || compares || readsValue || (onTensor && tensors.size() > 1))) {
    for (llvm::StringRef nested : {"linalg", "fft", "special"})
      if (scope == nested && !llvm::StringRef(name).starts_with((nested + "_").str()))
        name = (nested + "_" + name).str();
    return drawn(site, operation(site, name));
  }
  Slot on = site.object ? value(site.object) : kNone;
  evaluateWritten(site.args);
  invokeCallbacks(site);
  // Wrappers of torch's own (ListElementReference, Tuple, ..) lead to what they wrap.
  if (site.object && on != kNone && makesTensors && typeOf(site.object) == facts::Type::List)
    return element(on, site.arg(0), expr->getType(), expr);
  const bool asksForSize = StringSwitch<bool>(name)
                               .Cases({"numel", "size", "sizes", "nbytes", "dim", "ndimension"}, true)
                               .Cases({"sym_numel", "sym_size", "sym_sizes"}, true)
                               .Cases({"stride", "storage_offset", "element_size", "itemsize"}, true)
                               .Default(false);
  if (onTensor && on != kNone && asksForSize && typeOf(expr) == facts::Type::Int)
    return facts_.result(Opcode::Size, expr, {facts_.operand(on, site.object)});
  if (onTensor && on != kNone && asksForSize)
    facts_.emit(Opcode::Size, kNone, {facts_.operand(on, site.object)}, expr);
  return facts_.unknown(expr);
}

// --- Indexing. ----------------------------------------------------------------------------------------------------

} // namespace samedevice::clangfront
