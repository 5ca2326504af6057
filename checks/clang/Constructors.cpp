// Construction: copies, handles, torch's own classes, the user's classes.
#include "ClangVersions.h"
#include "FunctionLowering.h"

namespace samedevice::clangfront {

using namespace clang;
using facts::kNone;
using facts::Slot;

namespace {

/// As against those that are implicit, defaulted or inherited: these only run the initializers in the class.
bool hasWrittenConstructor(const CXXRecordDecl *record) {
  return llvm::any_of(record->ctors(), [](const CXXConstructorDecl *constructor) {
    return constructor->isUserProvided() && !constructor->isCopyOrMoveConstructor() &&
           !constructor->isInheritingConstructor();
  });
}

/// How well an argument suits a parameter; negative when it cannot.
int fit(Kind argument, QualType argumentType, Kind param, QualType paramType) {
  QualType from = argumentType.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  QualType to = paramType.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (from == to)
    return 4;
  if (argument.type == param.type)
    return argument.record == param.record ? 3 : 1;
  bool bothNumbers = from->isArithmeticType() && to->isArithmeticType();
  if (bothNumbers)
    return 2;
  if (param.type == facts::Type::Device || param.type == facts::Type::Options)
    return argument.type == facts::Type::Device || argument.type == facts::Type::String ? 1 : 0;
  return to->isRecordType() ? 0 : -1;
}

} // namespace

Slot FunctionLowering::construct(const CXXConstructExpr *expr) {
  llvm::SmallVector<const Expr *, 8> args;
  for (const Expr *argument : expr->arguments())
    if (!isa<CXXDefaultArgExpr>(argument) || unit_.names().isUser(expr->getConstructor()))
      args.push_back(argument);
  const CXXConstructorDecl *constructor = expr->getConstructor();
  if (const auto *array = dyn_cast_or_null<ConstantArrayType>(expr->getType()->getAsArrayTypeUnsafe()))
    return kindOf(expr->getType()).type == facts::Type::List
               ? listOfDefaults(expr, array->getElementType(), array->getSize().getZExtValue())
               : facts_.unknown(expr);
  if (expr->getConstructionKind() == kNonVirtualBase || expr->getConstructionKind() == kVirtualBase ||
      expr->getConstructionKind() == kDelegating) {
    evaluateAll(args); // no object of its own: the initializer calls the constructor on `this`
    return kNone;
  }
  if (constructor->isCopyOrMoveConstructor() && args.size() == 1 &&
      (!constructor->isUserProvided() || !unit_.names().isUser(constructor)))
    return copyOf(expr, args[0], constructor->isMoveConstructor());
  return constructType(expr, expr->getType(), args, constructor);
}

Slot FunctionLowering::copyOf(const Expr *whole, const Expr *source, bool isMove) {
  Slot from = value(source);
  if (from == kNone)
    return facts_.unknown(whole);
  QualType type = whole->getType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  facts::Type kind = kindOf(type).type;
  const bool isWrapper = record && unit_.types().isWrapper(record);
  bool ownsContents = record && !isWrapper && unit_.types().held(record).isNull() &&
                      (kind == facts::Type::Record || kind == facts::Type::List || kind == facts::Type::Module);
  if (isWrapper)
    ownsContents = unit_.types().isValue(type);
  else if (kind == facts::Type::List)
    ownsContents = ownsContents && unit_.names().of(record).library == Name::Std &&
                   record->getName() != "initializer_list" && !record->getName().contains("iterator");
  bool isScript = kind == facts::Type::Module && record && unit_.names().of(record).library == Name::Torch &&
                  unit_.names().of(record).path.rfind("nn::", 0) != 0;
  bool isAny = unit_.types().isTorch(type, "nn::AnyModule") || unit_.types().isTorch(type, "nn::NamedAnyModule");
  bool isCallable = (record && record->isLambda()) || unit_.types().isStd(type, "function");
  if (isMove || !ownsContents || isScript || isAny || isCallable || !source->isLValue())
    return from;
  return facts_.result(Opcode::Clone, whole, {facts_.operand(from, source)});
}

Slot FunctionLowering::constructType(const Expr *whole, QualType type, llvm::ArrayRef<const Expr *> args,
                                     const CXXConstructorDecl *constructor) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record)
    return args.size() == 1 ? value(args[0]) : facts_.unknown(whole);
  Types &types = unit_.types();
  Kind kind = kindOf(type);

  if (QualType impl = types.held(record); !impl.isNull()) {
    if (args.size() == 1) {
      if (isNullLiteral(args[0]))
        return facts_.null(whole);
      QualType given = args[0]->getType();
      const CXXRecordDecl *givenRecord = Types::recordOf(types.target(given));
      const CXXRecordDecl *direct = Types::recordOf(given);
      bool isHandle =
          givenRecord && direct && (types.isWrapper(direct) || !types.held(direct).isNull() || given->isPointerType());
      const CXXRecordDecl *implRecord = impl->getAsCXXRecordDecl();
      if (isHandle && implRecord && givenRecord->getCanonicalDecl() == implRecord->getCanonicalDecl())
        return value(args[0]);
    }
    return makeModule(whole, impl->getAsCXXRecordDecl(), args);
  }
  if (args.size() == 1 && Types::isDevicePointer(type)) {
    useOnDevice(args, whole, "thrust::device_ptr");
    return operand(args[0]).slot;
  }
  if (types.isWrapper(record)) {
    if (args.empty() || isNullLiteral(args[0]))
      return facts_.null(whole);
    if (record->getName() == "optional") {
      const bool isInPlace = types.isStd(args[0]->getType(), "in_place_t");
      return constructElement(whole, Types::templateArgument(record, 0), args.drop_front(isInPlace));
    }
    return types.isValue(type) ? copied(args[0]).slot : value(args[0]);
  }
  switch (kind.type) {
  case facts::Type::Tensor:
    if (args.empty())
      return facts_.null(whole);
    evaluateAll(args.drop_front());
    if (Slot inner = value(args[0]);
        inner != kNone && (typeOf(args[0]) == facts::Type::Tensor || typeOf(args[0]) == facts::Type::List ||
                           typeOf(args[0]) == facts::Type::Record))
      return inner;
    return facts_.unknown(whole);
  case facts::Type::Device:
    if (types.isTorch(type, "serialize::InputArchive"))
      return facts_.null(whole);
    return makeDevice(whole, args);
  case facts::Type::Options:
    return makeOptions(whole, args);
  case facts::Type::Guard:
    return guard(whole, args);
  case facts::Type::Module: {
    if (types.isTorch(type, "nn::AnyModule") || types.isTorch(type, "nn::NamedAnyModule")) {
      Operands inner = modulesIn(args);
      return inner.empty() ? facts_.null(whole) : inner.front().slot;
    }
    bool isTorchs = unit_.names().of(record).library == Name::Torch;
    if (isTorchs && args.empty() && !types.derivesFrom(record, "nn::Module"))
      return facts_.null(whole); // jit::Module, filled by load
    return makeModule(whole, record, args);
  }
  case facts::Type::Optimizer: {
    Operands parameters;
    for (const Expr *argument : args) {
      facts::Type given = typeOf(argument);
      Operand passed = operand(argument);
      if (passed.slot != kNone && parameters.empty() &&
          (given == facts::Type::List || given == facts::Type::Tensor || given == facts::Type::Module))
        parameters.push_back(std::move(passed));
    }
    if (unit_.names().isUser(record))
      return constructUser(whole, record, args, constructor);
    return facts_.result(Opcode::Optimizer, whole, std::move(parameters), record->getName());
  }
  case facts::Type::Record:
    if (types.isStd(type, "function") || isLambdaTransform(type))
      return args.empty() || isNullLiteral(args[0]) ? facts_.null(whole) : value(args[0]);
    if (!types.optionTensors(record).empty()) {
      evaluateAll(args);
      return facts_.result(Opcode::Object, whole, {});
    }
    if (kind.record)
      return constructUser(whole, kind.record, args, constructor);
    return makeTuple(whole, args);
  case facts::Type::List:
  case facts::Type::String:
    return constructContainer(whole, type, args);
  default:
    break;
  }
  if (types.isTorch(type, "detail::TensorDataContainer")) {
    evaluateAll(args); // numbers, copied to the host and then to where the tensor goes
    return kNone;
  }
  if (isThread(type)) {
    startThread(whole, args);
    return facts_.unknown(whole);
  }
  const Name &own = unit_.names().of(record);
  if (own.library == Name::Torch && llvm::StringRef(own.path).starts_with("nn::") &&
      record->getName().ends_with("Options")) { // what a module is going to be made of
    evaluateAll(args);
    return kNone;
  }
  // A class we know nothing of: what it is given may be read on the host or kept.
  std::string name = Names::qualified(record);
  bool readsHost = name == "cv::Mat" || name == "cv::Mat_" || name == "Eigen::Map";
  for (const Expr *argument : args) {
    Slot given = value(argument);
    if (readsHost && given != kNone && typeOf(argument) == facts::Type::Pointer)
      return facts_.result(Opcode::HostView, whole, {facts_.operand(given, argument)}, name);
    if ((name == "pybind11::array" || name == "pybind11::array_t") && typeOf(argument) == facts::Type::Pointer)
      readOnHost(argument, whole, "numpy", false);
  }
  CallSite site;
  site.expr = whole;
  site.callee = constructor;
  site.args.append(args.begin(), args.end());
  return callUnknown(site);
}

// --- The user's classes. ------------------------------------------------------------------------------------------

const CXXConstructorDecl *FunctionLowering::pickConstructor(const CXXRecordDecl *record,
                                                            llvm::ArrayRef<const Expr *> args) {
  const CXXConstructorDecl *best = nullptr;
  int bestScore = -1;
  auto consider = [&](const CXXConstructorDecl *candidate) {
    if (!candidate || candidate->isDeleted() || candidate->isDependentContext() ||
        candidate->getMinRequiredArguments() > args.size() || candidate->getNumParams() < args.size())
      return;
    int score = 0;
    for (unsigned i = 0; i < args.size(); ++i) {
      QualType param = candidate->getParamDecl(i)->getType();
      int one = fit(kindOf(args[i]), args[i]->getType(), kindOf(param), param);
      if (one < 0)
        return;
      score += one;
    }
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  };
  for (const Decl *member : record->decls()) {
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(member))
      consider(constructor);
    else if (const auto *made = dyn_cast<FunctionTemplateDecl>(member))
      for (const FunctionDecl *special : made->specializations())
        consider(dyn_cast<CXXConstructorDecl>(special));
  }
  return best;
}

/// The classes that have a constructor by inheritance, from the one that is made up to below the one that wrote it.
static llvm::SmallVector<const CXXRecordDecl *, 2> heirsOf(const CXXRecordDecl *writer, const CXXRecordDecl *made) {
  llvm::SmallVector<const CXXRecordDecl *, 2> heirs;
  while (made && made->getCanonicalDecl() != writer->getCanonicalDecl()) {
    heirs.push_back(made);
    const CXXRecordDecl *next = nullptr;
    for (const CXXBaseSpecifier &base : made->bases())
      if (const CXXRecordDecl *parent = base.getType()->getAsCXXRecordDecl(); isOrDerivesFrom(parent, writer))
        next = parent->getDefinition();
    made = next;
  }
  return heirs;
}

Slot FunctionLowering::constructUser(const Expr *whole, const CXXRecordDecl *record, llvm::ArrayRef<const Expr *> args,
                                     const CXXConstructorDecl *constructor) {
  record = record->getDefinition();
  if (!record)
    return whole ? facts_.unknown(whole) : kNone;
  evaluateAll(args); // arguments come before the object they make
  Slot object = facts_.newSlot(recordType(record), "", 0);
  facts::ClassId cls = unit_.record(record);
  facts::Instruction &made = facts_.emit(Opcode::Object, object, {}, whole);
  if (cls != kNone)
    made.targets = {cls};
  callConstructor(object, whole, record, args, constructor);
  return object;
}

void FunctionLowering::callConstructor(Slot object, const Expr *whole, const CXXRecordDecl *record,
                                       llvm::ArrayRef<const Expr *> args, const CXXConstructorDecl *constructor) {
  record = record->getDefinition();
  if (!record || object == kNone)
    return;
  if (!constructor)
    constructor = pickConstructor(record, args);
  llvm::SmallVector<const CXXRecordDecl *, 2> heirs;
  if (constructor && constructor->isInheritingConstructor()) {
    constructor = constructor->getInheritedConstructor().getConstructor();
    heirs = heirsOf(constructor->getParent(), record);
  }
  facts::FunctionId target = constructor ? unit_.function(constructor) : kNone;
  if (target == kNone) {
    heirs.clear(); // what stands for it runs their initializers, too
    bool isImplicit = constructor ? constructor->isDefaulted() || constructor->isImplicit() : args.empty();
    target = isImplicit || !hasWrittenConstructor(record) ? unit_.implicitConstructor(record)
                                                          : unit_.assumedConstructor(record, constructor);
    if (target == kNone)
      return;
  }
  Operands passed{facts_.operand(object, whole, "this")};
  for (unsigned i = 0; i < args.size(); ++i) {
    const ParmVarDecl *param = constructor && i < constructor->getNumParams() ? constructor->getParamDecl(i) : nullptr;
    Operand argument = operand(args[i], param ? param->getName() : "");
    // Through make_shared and holders the conversion the parameter asks for is not in our sight.
    if (param && kindOf(param->getType()).type == facts::Type::Device && typeOf(args[i]) == facts::Type::String)
      argument.slot = deviceFrom(args[i]);
    passed.push_back(std::move(argument));
  }
  if (constructor)
    for (unsigned i = args.size(); i < constructor->getNumParams(); ++i) {
      const ParmVarDecl *param = constructor->getParamDecl(i);
      if (!param->hasDefaultArg() || param->hasUninstantiatedDefaultArg() || param->hasUnparsedDefaultArg())
        break;
      bool before = caching_;
      caching_ = false;
      const Expr *outer = facts_.setOmitted(whole);
      passed.push_back(operand(param->getDefaultArg(), param->getName()));
      facts_.markOmitted(passed.back().slot);
      facts_.setOmitted(outer);
      caching_ = before;
    }
  facts_.emit(Opcode::Call, kNone, std::move(passed), whole).targets = {target};
  for (const CXXRecordDecl *heir : llvm::reverse(heirs))
    if (const facts::FunctionId members = unit_.memberInitializers(heir); members != kNone)
      facts_.emit(Opcode::Call, kNone, {facts_.operand(object, whole, "this")}, whole).targets = {members};
}

/// What a module's constructor does in another file, as all of them do: each module declared as a member is made and
/// registered under its name.
void FunctionLowering::assumeMembers(const CXXRecordDecl *record) {
  for (const FieldDecl *member : record->fields()) {
    QualType type = member->getType();
    Kind kind = kindOf(type);
    if (kind.type != facts::Type::Module || !kind.record || type->isPointerType() || type->isReferenceType())
      continue; // a pointer may lead to somebody else's
    facts::SourceId source = unit_.source(member, nullptr);
    Slot made = assumeMade(kind.record);
    if (made == kNone)
      continue;
    Slot place = facts_.field(thisSlot(), member->getName(), type, nullptr);
    facts_.emit(Opcode::Assign, kNone, {facts_.operand(place, nullptr), facts_.operand(made, nullptr)}, nullptr)
        .source = source;
    Slot name = facts_.newSlot(facts::Type::String);
    facts_.emit(Opcode::Const, name, {}, nullptr, member->getName());
    facts_
        .emit(Opcode::Register, kNone,
              {facts_.operand(thisSlot(), nullptr), facts_.operand(made, nullptr), facts_.operand(name, nullptr)},
              nullptr, Mode::Module)
        .source = source;
  }
}

Slot FunctionLowering::assumeMade(const CXXRecordDecl *record) {
  record = record->getDefinition();
  if (!record || !unit_.types().derivesFrom(record, "nn::Module"))
    return kNone; // AnyModule, a script's
  if (!unit_.names().isUser(record)) {
    Slot made = makeModule(nullptr, record, {});
    StringRef name = record->getName();
    if (name == "SequentialImpl" || name == "ModuleListImpl" || name == "ModuleDictImpl") {
      // What is in it nobody sees; something that learns, else there would be no model.
      Slot layer = facts_.newSlot(facts::Type::Module);
      facts_.emit(Opcode::Module, layer, {}, nullptr, "Linear");
      facts_.emit(Opcode::Register, kNone, {facts_.operand(made, nullptr), facts_.operand(layer, nullptr)}, nullptr,
                  Mode::Push);
    }
    return made;
  }
  Slot object = facts_.newSlot(recordType(record), "", 0);
  facts_.emit(Opcode::Object, object, {}, nullptr).targets = {unit_.record(record)};
  callSomeConstructor(object, record);
  return object;
}

/// Which constructor runs, and with what, is said in another file: one that is in sight, if there is any.
void FunctionLowering::callSomeConstructor(Slot object, const CXXRecordDecl *record) {
  facts::FunctionId target = kNone;
  llvm::SmallVector<const CXXConstructorDecl *, 4> written;
  for (const CXXConstructorDecl *constructor : record->ctors())
    if (!constructor->isCopyOrMoveConstructor()) {
      if (target == kNone)
        target = unit_.function(constructor);
      if (constructor->isUserProvided())
        written.push_back(constructor);
    }
  if (target == kNone)
    target = hasWrittenConstructor(record)
                 ? unit_.assumedConstructor(record, written.size() == 1 ? written.front() : nullptr)
                 : unit_.implicitConstructor(record);
  if (target != kNone)
    facts_.emit(Opcode::Call, kNone, {facts_.operand(object, nullptr, "this")}, nullptr).targets = {target};
}

Slot FunctionLowering::record(const Expr *whole, llvm::ArrayRef<std::pair<std::string, const Expr *>> fields) {
  std::vector<Operand> values;
  const bool isTuple = unit_.types().isTupleOfValues(whole->getType());
  for (const auto &[name, init] : fields)
    values.push_back(isTuple ? copied(init) : operand(init));
  Slot object = facts_.newSlot(whole->getType(), "", 0);
  facts::ClassId cls = facts_.slot(object).cls;
  facts::Instruction &made = facts_.emit(Opcode::Object, object, {}, whole);
  if (cls != kNone)
    made.targets = {cls};
  for (size_t i = 0; i < fields.size(); ++i) {
    if (values[i].slot == kNone || typeOf(fields[i].second) == facts::Type::Other)
      continue;
    const Expr *init = fields[i].second;
    Slot place = facts_.field(object, fields[i].first, init->getType(), init);
    if (pointsToTensor(init->getType()) || unit_.types().refersToPart(whole->getType(), i))
      facts_.emit(Opcode::Bind, kNone, {facts_.operand(place, init), values[i]}, init);
    else
      facts_.assign(place, values[i], init);
  }
  return object;
}

} // namespace samedevice::clangfront
