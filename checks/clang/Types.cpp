#include "Types.h"

#include "ContainerTable.h"
#include "StringSwitch.h"

#include "clang/AST/DeclTemplate.h"

#include <algorithm>

namespace samedevice::clangfront {

using namespace clang;
using facts::Type;

namespace {

constexpr int maxWrappers = 8;

Kind listOf(QualType element) { return {Type::List, nullptr, element}; }

} // namespace

const CXXRecordDecl *Types::recordOf(QualType type) {
  if (type.isNull())
    return nullptr;
  type = type.getNonReferenceType();
  while (type->isPointerType())
    type = type->getPointeeType();
  return type->getAsCXXRecordDecl();
}

std::optional<std::int64_t> Types::arraySize(const CXXRecordDecl *record) {
  const auto *special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  if (!special || special->getName() != "array" || special->getTemplateArgs().size() < 2 ||
      special->getTemplateArgs()[1].getKind() != TemplateArgument::Integral)
    return std::nullopt;
  return special->getTemplateArgs()[1].getAsIntegral().getExtValue();
}

QualType Types::templateArgument(const CXXRecordDecl *record, unsigned index) {
  const auto *special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  if (!special)
    return {};
  const TemplateArgumentList &list = special->getTemplateArgs();
  std::vector<TemplateArgument> flat;
  for (const TemplateArgument &argument : list.asArray()) {
    if (argument.getKind() == TemplateArgument::Pack)
      flat.insert(flat.end(), argument.pack_begin(), argument.pack_end());
    else
      flat.push_back(argument);
  }
  if (index >= flat.size() || flat[index].getKind() != TemplateArgument::Type)
    return {};
  return flat[index].getAsType();
}

bool Types::isLeftOut(QualType type) {
  type = type.getNonReferenceType();
  return of(type).type == Type::Other && !type->isRecordType() && !isCudaStream(type);
}

bool Types::isCudaStream(QualType type) {
  const CXXRecordDecl *pointee = type->isPointerType() ? type->getPointeeType()->getAsCXXRecordDecl() : nullptr;
  return pointee && pointee->getName() == "CUstream_st";
}

bool Types::isDevicePointer(QualType type) {
  const CXXRecordDecl *record = recordOf(type);
  return record && record->getName() == "device_ptr" && Names::qualified(record) == "thrust::device_ptr";
}

bool Types::isTorch(QualType type, StringRef path) {
  const CXXRecordDecl *record = recordOf(type);
  if (!record)
    return false;
  const Name &name = names_.of(record);
  return name.library == Name::Torch && name.path == path;
}

bool Types::isStd(QualType type, StringRef path) {
  const CXXRecordDecl *record = recordOf(type);
  if (!record)
    return false;
  const Name &name = names_.of(record);
  return name.library == Name::Std && name.path == path;
}

bool Types::isWrapper(const CXXRecordDecl *record) {
  const Name &name = names_.of(record);
  if (name.library == Name::Std)
    return StringSwitch<bool>(name.path)
        .Cases({"shared_ptr", "unique_ptr", "weak_ptr", "optional", "reference_wrapper"}, true)
        .Cases({"future", "shared_future"}, true)
        .Cases({"__shared_ptr", "__shared_ptr_access", "_Optional_base"}, true)
        .Default(false);
  if (name.library == Name::Torch)
    return StringSwitch<bool>(name.path)
        .Cases({"optional", "intrusive_ptr", "weak_intrusive_ptr", "MaybeOwned", "ExclusivelyOwned"}, true)
        .Default(false);
  return false;
}

QualType Types::held(const CXXRecordDecl *record) {
  if (!record || !record->hasDefinition())
    return {};
  const Name &name = names_.of(record);
  if (name.library == Name::Torch && name.path == "nn::ModuleHolder")
    return templateArgument(record, 0);
  if (record->getNumBases() == 0 || record->isDependentContext())
    return {};
  for (const CXXBaseSpecifier &base : record->bases())
    if (const CXXRecordDecl *parent = base.getType()->getAsCXXRecordDecl())
      if (QualType found = held(parent); !found.isNull())
        return found;
  return {};
}

bool Types::isHolder(QualType type) {
  const CXXRecordDecl *record = recordOf(type);
  return record && !held(record).isNull();
}

QualType Types::target(QualType type) {
  for (int i = 0; i < maxWrappers && !type.isNull(); ++i) {
    type = type.getNonReferenceType().getUnqualifiedType();
    if (type->isPointerType()) {
      QualType pointee = type->getPointeeType();
      if (!pointee->isPointerType() && !pointee->isRecordType())
        return type;
      type = pointee;
      continue;
    }
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (!record)
      return type;
    QualType inner = isWrapper(record) ? templateArgument(record, 0) : held(record);
    if (inner.isNull())
      return type;
    type = inner;
    if (type->isArrayType()) // unique_ptr<float[]>
      return context_.getPointerType(context_.getBaseElementType(type));
    if (!type->isRecordType() && !type->isPointerType() && isWrapper(record) &&
        names_.of(record).path.find("_ptr") != std::string::npos)
      return context_.getPointerType(type);
  }
  return type;
}

std::string Types::moduleName(const CXXRecordDecl *record) {
  llvm::StringRef name = record->getName();
  name.consume_back("Impl");
  return name.str();
}

bool Types::isNamed(const CXXRecordDecl *record, const std::vector<std::string> &list) {
  return !list.empty() && std::find(list.begin(), list.end(), Names::qualified(record)) != list.end();
}

bool Types::derivesFrom(const CXXRecordDecl *record, StringRef torchPath) {
  if (!record)
    return false;
  const Name &name = names_.of(record);
  if (name.library == Name::Torch && name.path == torchPath)
    return true;
  if (!record->hasDefinition() || record->isDependentContext())
    return false;
  for (const CXXBaseSpecifier &base : record->bases())
    if (derivesFrom(base.getType()->getAsCXXRecordDecl(), torchPath))
      return true;
  return false;
}

std::vector<std::string> Types::optionTensors(const CXXRecordDecl *record) {
  std::vector<std::string> found;
  if (!record || !record->getIdentifier() || !record->getName().ends_with("Options") || !record->hasDefinition())
    return found;
  const Name &name = names_.of(record);
  if (name.library != Name::Torch || name.path.rfind("nn::", 0) != 0)
    return found;
  for (const FieldDecl *member : record->getDefinition()->fields())
    if (isTorch(target(member->getType()), "Tensor"))
      found.push_back(member->getName().rtrim('_').str());
  return found;
}

bool Types::isModule(const CXXRecordDecl *record) {
  if (!record)
    return false;
  record = record->getCanonicalDecl();
  auto [place, isNew] = modules_.try_emplace(record, false);
  if (!isNew)
    return place->second;
  const Name &name = names_.of(record);
  bool module = isOwnModule(record);
  if (name.library == Name::Torch)
    module = module || StringSwitch<bool>(name.path)
                           .Cases({"nn::Module", "nn::AnyModule", "nn::NamedAnyModule", "jit::Module"}, true)
                           .Cases({"jit::script::Module", "jit::mobile::Module", "jit::Object", "jit::Method"}, true)
                           .Default(false);
  if (!module && record->hasDefinition() && !record->isDependentContext())
    for (const CXXBaseSpecifier &base : record->bases())
      module = module || isModule(base.getType()->getAsCXXRecordDecl());
  return modules_[record] = module;
}

std::optional<Kind> Types::ofTorch(const CXXRecordDecl *record, StringRef path) {
  path.consume_front("headeronly::detail::"); // where newer versions keep what at's names stand for
  Type simple =
      StringSwitch<Type>(path)
          .Cases({"Tensor", "TensorBase", "TensorImpl", "OptionalTensorRef", "TensorRef"}, Type::Tensor)
          .Cases({"IValue", "autograd::Variable", "indexing::TensorIndex", "Storage"}, Type::Tensor)
          .Cases({"nn::utils::rnn::PackedSequence", "UndefinedTensorImpl"}, Type::Tensor)
          .Case("Device", Type::Device)
          // An archive carries nothing but the device that load_from was given, a generator nothing but its own.
          .Cases({"serialize::InputArchive", "Generator"}, Type::Device)
          .Cases({"TensorOptions", "DeprecatedTypeProperties"}, Type::Options)
          .Cases({"string_view", "basic_string_view"}, Type::String)
          // As good as the pointer in it.
          .Cases({"GenericPackedTensorAccessor", "GenericPackedTensorAccessorBase"}, Type::Pointer)
          .Cases({"TensorAccessor", "TensorAccessorBase"}, Type::Pointer)
          .Default(Type::Other);
  if (simple != Type::Other)
    return Kind{simple, nullptr, {}};
  if (path == "impl::ListElementReference")
    return of(templateArgument(record, 0));
  if (path == "OrderedDict::Item") {
    const auto *parent = dyn_cast<CXXRecordDecl>(record->getDeclContext());
    return of(templateArgument(parent, 1));
  }
  if (path.starts_with("jit::slot_list_impl"))
    return listOf({});
  if (path == "optim::OptimizerParamGroup") // its parameters, as far as we look
    for (const FieldDecl *member : record->fields())
      if (isStd(member->getType(), "vector"))
        return of(member->getType());
  if (!optionTensors(record).empty())
    return Kind{Type::Record, nullptr, {}};
  if (path == "data::Example" || path == "autograd::AutogradContext")
    return Kind{Type::Record, nullptr, {}};
  if (path == "data::Iterator")
    return listOf(templateArgument(record, 0));
  if (path == "data::datasets::MapDataset" || path == "data::transforms::Lambda" ||
      path == "data::transforms::BatchLambda")
    return Kind{Type::Record, nullptr, {}};
  if (path.starts_with("data::") && path.contains("DataLoader"))
    return listOf({});
  if (path == "nn::ASMoutput")
    return Kind{Type::Record, nullptr, {}};
  const bool isInternal = path.contains("impl::") && !path.contains("impl::Inline");
  if (path.ends_with("Guard") && !isInternal &&
      (path.contains_insensitive("cuda") || path.contains("Device") || path.contains("Stream")))
    return Kind{Type::Guard, record, {}};
  if (derivesFrom(record, "optim::Optimizer"))
    return Kind{Type::Optimizer, record, {}};
  return std::nullopt;
}

bool Types::isGenerator(QualType type) { return !type.isNull() && isTorch(target(type), "Generator"); }

bool Types::isTold(QualType key, int depth) {
  constexpr int deepest = 4;
  key = key.getNonReferenceType();
  switch (of(key).type) {
  case Type::Bool:
  case Type::Int:
  case Type::Device:
  case Type::Options:
  case Type::String:
    return true;
  case Type::Record:
  case Type::List:
  case Type::Other:
    break;
  default:
    return false;
  }
  if (key->isRealFloatingType())
    return true;
  const CXXRecordDecl *record = key->isPointerType() ? nullptr : recordOf(key);
  if (!record || !record->hasDefinition() || depth > deepest)
    return false;
  if (isTorch(key, "ArrayRef") || isTorch(key, "SmallVector") || isStd(key, "vector") || isStd(key, "array") ||
      isStd(key, "optional"))
    return isTold(templateArgument(record, 0), depth + 1);
  if (const auto *tuple = dyn_cast<ClassTemplateSpecializationDecl>(record);
      tuple && (isStd(key, "pair") || isStd(key, "tuple")))
    return llvm::all_of(tuple->getTemplateArgs().asArray(), [&](const TemplateArgument &argument) {
      return argument.getKind() == TemplateArgument::Pack
                 ? llvm::all_of(argument.pack_elements(),
                                [&](const TemplateArgument &one) { return isTold(one.getAsType(), depth + 1); })
                 : isTold(argument.getAsType(), depth + 1);
    });
  return names_.isUser(record) && record->getNumBases() == 0 &&
         llvm::all_of(record->fields(), [&](const FieldDecl *field) { return isTold(field->getType(), depth + 1); });
}

bool Types::isValue(QualType type) {
  type = type.getNonReferenceType();
  const CXXRecordDecl *record = type->isPointerType() ? nullptr : recordOf(type);
  if (!record)
    return false;
  if (names_.isUser(record))
    return of(type).type == Type::Record && !record->isLambda();
  const Name &name = names_.of(record);
  if (isWrapper(record))
    return name.path == "optional" && isValue(templateArgument(record, 0));
  if (name.library == Name::Std && (name.path == "pair" || name.path == "tuple"))
    return true;
  const ContainerClass *container = containerNamed(name.library, name.path);
  return container && container->isValue;
}

bool Types::isPointerToPlace(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType())
    return true;
  return isStd(type, "shared_ptr") || isStd(type, "reference_wrapper");
}

bool Types::isTupleOfValues(QualType type) {
  if (!isStd(type, "pair") && !isStd(type, "tuple"))
    return false;
  QualType part;
  for (unsigned n = 0; !(part = templateArgument(recordOf(type), n)).isNull(); ++n)
    if (const Type kind = of(part).type;
        part->isReferenceType() || ((kind == Type::Record || kind == Type::List) && !isValue(part)))
      return false;
  return true;
}

bool Types::refersToPart(QualType tuple, unsigned index) {
  if (!isStd(tuple, "pair") && !isStd(tuple, "tuple"))
    return false;
  const QualType part = templateArgument(recordOf(tuple), index);
  return !part.isNull() && part->isLValueReferenceType();
}

std::optional<Kind> Types::ofStd(const CXXRecordDecl *record, StringRef path) {
  if (path == "basic_string" || path == "basic_string_view")
    return Kind{Type::String, nullptr, {}};
  if (path == "pair" || path == "tuple" || path == "function")
    return Kind{Type::Record, nullptr, {}};
  if (path == "reverse_iterator" || path == "move_iterator" || path == "back_insert_iterator" ||
      path == "insert_iterator")
    return of(templateArgument(record, 0));
  if (QualType value = iteratedBy(record); !value.isNull()) {
    const bool isOfMap = isStd(value, "pair") && templateArgument(recordOf(value), 0).isConstQualified();
    return listOf(isOfMap ? templateArgument(recordOf(value), 1) : value);
  }
  return std::nullopt;
}

/// What an iterator over a container points to; nothing for other classes. Each standard library has names of its own
/// for them, but they all say what they are.
QualType Types::iteratedBy(const CXXRecordDecl *record) {
  if (!record->hasDefinition())
    return {};
  auto member = [&](StringRef name) {
    const auto found = record->getDefinition()->lookup(&context_.Idents.get(name));
    const auto *type = found.empty() ? nullptr : dyn_cast<TypedefNameDecl>(found.front());
    return type ? type->getUnderlyingType() : QualType();
  };
  const CXXRecordDecl *category = recordOf(member("iterator_category"));
  if (!category || category->getName() == "input_iterator_tag" || category->getName() == "output_iterator_tag")
    return {}; // of a stream
  return member("value_type");
}

Kind Types::ofRecord(const CXXRecordDecl *record) {
  if (const CXXRecordDecl *definition = record->getDefinition())
    record = definition;
  if (isModule(record))
    return {Type::Module, record, {}};
  if (isOwnTensor(record))
    return {Type::Tensor, nullptr, {}};
  if (guards_.count(record->getCanonicalDecl()) || promises_.find(record, Promise::Guards))
    return {Type::Guard, record, {}};
  const Name &name = names_.of(record);
  std::string path = name.path; // `names_` may grow below
  if (const ContainerClass *container = containerNamed(name.library, path))
    return listOf(templateArgument(record, container->element));
  if (name.library == Name::Torch)
    if (auto known = ofTorch(record, path))
      return *known;
  if (name.library == Name::Std)
    if (auto known = ofStd(record, path))
      return *known;
  if (names_.isUser(record)) {
    if (derivesFrom(record, "Tensor"))
      return {Type::Tensor, nullptr, {}};
    if (derivesFrom(record, "optim::Optimizer"))
      return {Type::Optimizer, record, {}};
    return {Type::Record, record, {}};
  }
  return {};
}

/// half, float4, complex: memory of these is memory like that of any number.
bool Types::isNumber(const CXXRecordDecl *record) {
  record = record->getDefinition();
  if (!record || record->isDependentContext() || record->getNumBases() != 0 || record->field_empty())
    return false;
  return llvm::all_of(record->fields(), [&](const FieldDecl *field) {
    QualType type = context_.getBaseElementType(field->getType());
    const CXXRecordDecl *inner = type->getAsCXXRecordDecl();
    return type->isArithmeticType() || type->isAnyComplexType() || (inner && inner != record && isNumber(inner));
  });
}

/// What the handles of CUDA's libraries point to.
static bool isLibrarysOwn(const CXXRecordDecl *record) {
  return StringSwitch<bool>(record->getName())
      .Cases({"cublasContext", "cublasLtContext", "cusparseContext", "cudnnContext"}, true)
      .Cases({"cusolverDnContext", "cusolverSpContext"}, true)
      .Default(false);
}

/// A pointer to such a function is followed as a std::function is: launchers are kept in tables.
static bool isOnTensors(const FunctionProtoType *function, Types &types) {
  auto isTensor = [&](QualType type) {
    const Kind kind = types.of(type);
    return kind.type == Type::Tensor || (kind.type == Type::List && types.of(kind.element).type == Type::Tensor);
  };
  return isTensor(function->getReturnType()) || llvm::any_of(function->param_types(), isTensor);
}

Kind Types::of(QualType type) {
  if (type.isNull() || type->isDependentType())
    return {};
  const bool isPointer = type.getNonReferenceType()->isPointerType();
  type = target(type);
  if (type.isNull())
    return {};
  type = type.getCanonicalType().getUnqualifiedType();
  if (type->isPointerType()) {
    QualType pointee = type->getPointeeType();
    while (pointee->isPointerType())
      pointee = pointee->getPointeeType();
    if (const auto *function = pointee->getAs<FunctionProtoType>())
      return isOnTensors(function, *this) ? Kind{Type::Record, nullptr, {}} : Kind{};
    if (pointee->isFunctionType())
      return {};
    bool isText = pointee->isSpecificBuiltinType(BuiltinType::Char_S) || // unsigned char is a pixel
                  pointee->isSpecificBuiltinType(BuiltinType::Char_U);
    if (isText && pointee.isConstQualified())
      return {Type::String, nullptr, {}};
    return {Type::Pointer, nullptr, {}};
  }
  if (const auto *array = type->getAsArrayTypeUnsafe()) {
    Kind element = of(array->getElementType());
    if (element.type == Type::Other || element.type == Type::Int || element.type == Type::Bool)
      return {array->getElementType()->isCharType() ? Type::String : Type::Pointer, nullptr, {}};
    return listOf(array->getElementType());
  }
  if (const auto *enumeration = type->getAs<EnumType>()) {
    const Name &name = names_.of(enumeration->getDecl());
    return {name.library == Name::Torch && name.path == "DeviceType" ? Type::Device : Type::Int, nullptr, {}};
  }
  if (const auto *function = type->getAs<FunctionProtoType>()) // named, before it becomes a pointer
    return isOnTensors(function, *this) ? Kind{Type::Record, nullptr, {}} : Kind{};
  if (type->isMemberDataPointerType()) // as good as the member's name
    return {Type::String, nullptr, {}};
  if (type->isBooleanType())
    return {Type::Bool, nullptr, {}};
  if (type->isIntegerType())
    return {Type::Int, nullptr, {}};
  if (const CXXRecordDecl *record = type->getAsCXXRecordDecl()) {
    Kind kind = ofRecord(record);
    const bool isMemory = kind.type == Type::Other && isPointer && (isNumber(record) || isLibrarysOwn(record));
    return isMemory ? Kind{Type::Pointer, nullptr, {}} : kind;
  }
  return {};
}

bool Types::isMap(const CXXRecordDecl *record) {
  const Name &name = names_.of(record);
  const ContainerClass *container = containerNamed(name.library, name.path);
  return container && container->isMap;
}

} // namespace samedevice::clangfront
