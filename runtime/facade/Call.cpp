#include "Call.h"

#include "../tensor/DeviceRules.h"

#include <algorithm>
#include <cstring>

namespace samedevice::runtime {

using Kind = Argument::Kind;

namespace {

std::vector<std::string> split(const char *names) {
  std::vector<std::string> parts;
  for (const char *at = names; *at;) {
    const std::size_t length = std::strcspn(at, ",() ");
    if (length != 0)
      parts.emplace_back(at, length);
    at += length + (at[length] != '\0');
  }
  return parts;
}

std::vector<Tensor> tensorsOf(const Argument &argument) {
  std::vector<Tensor> all;
  const auto add = [&](const Tensor &tensor) {
    if (tensor.defined())
      all.push_back(tensor);
  };
  switch (argument.kind()) {
  case Kind::Tensor:
    add(argument.as<Tensor>());
    break;
  case Kind::OptionalTensor:
    if (const auto &tensor = argument.as<c10::optional<Tensor>>())
      add(*tensor);
    break;
  case Kind::TensorList:
    for (const Tensor &tensor : argument.as<TensorList>())
      add(tensor);
    break;
  case Kind::OptionalTensors:
    for (const auto &tensor : argument.as<c10::List<c10::optional<Tensor>>>())
      if (tensor)
        add(*tensor);
    break;
  default:
    break;
  }
  return all;
}

const facts::OperatorRule *ruleOf(const std::string &schema) {
  static const auto *rules = [] {
    auto *all = new std::unordered_map<std::string, const facts::OperatorRule *>;
    for (const facts::OperatorRule &rule : facts::allRules()) {
      std::string name(rule.name);
      all->emplace(rule.overload.empty() ? name : name + "." + std::string(rule.overload), &rule);
    }
    return all;
  }();
  const auto found = rules->find(schema);
  return found == rules->end() ? nullptr : found->second;
}

Device deviceOf(const Tensor &tensor) { return {tensor.is_cuda() ? tensor.device().index() : -1}; }

} // namespace

Call::Call(const char *schema, const char *names, std::initializer_list<Argument> arguments) : schema_(schema) {
  name_ = schema_.substr(0, schema_.find('.'));
  if (name_.size() > 1 && name_.back() == '_') {
    inPlace_ = true;
    name_.pop_back();
  }
  const std::vector<std::string> parts = split(names);
  std::size_t i = 0;
  for (const Argument &argument : arguments) {
    arguments_.emplace_back(i < parts.size() ? parts[i] : "", &argument);
    ++i;
    for (Tensor &tensor : tensorsOf(argument))
      inputs_.push_back(std::move(tensor));
  }
}

const Argument *Call::find(std::string_view name) const {
  for (const auto &[key, argument] : arguments_)
    if (key == name)
      return argument;
  return nullptr;
}

Tensor Call::tensor(std::string_view name) const {
  const Argument *argument = find(name);
  const std::vector<Tensor> all = argument ? tensorsOf(*argument) : std::vector<Tensor>();
  return all.empty() ? Tensor() : all.front();
}

std::vector<Tensor> Call::tensors(std::string_view name) const {
  const Argument *argument = find(name);
  return argument ? tensorsOf(*argument) : std::vector<Tensor>();
}

c10::List<c10::optional<Tensor>> Call::optionalTensors(std::string_view name) const {
  return find(name)->as<c10::List<c10::optional<Tensor>>>();
}

bool Call::isGiven(std::string_view name) const {
  const Argument *argument = find(name);
  if (!argument)
    return false;
  switch (argument->kind()) {
#define SD_GIVEN(kind, type)                                                                                           \
  case Kind::kind:                                                                                                     \
    return argument->as<type>().has_value();
    SD_GIVEN(OptionalScalar, c10::optional<c10::Scalar>)
    SD_GIVEN(OptionalInt, c10::optional<int64_t>)
    SD_GIVEN(OptionalInts, c10::OptionalIntArrayRef)
    SD_GIVEN(OptionalDouble, c10::optional<double>)
    SD_GIVEN(OptionalScalarType, c10::optional<c10::ScalarType>)
    SD_GIVEN(OptionalDevice, c10::optional<c10::Device>)
    SD_GIVEN(OptionalString, c10::optional<c10::string_view>)
#undef SD_GIVEN
  case Kind::OptionalTensor:
  case Kind::Tensor:
    return tensor(name).defined();
  default:
    return true;
  }
}

double Call::real(std::string_view name, double otherwise) const {
  const Argument *argument = find(name);
  if (!argument || !isGiven(name))
    return otherwise;
  switch (argument->kind()) {
  case Kind::Scalar:
    return argument->as<c10::Scalar>().toDouble();
  case Kind::OptionalScalar:
    return argument->as<c10::optional<c10::Scalar>>()->toDouble();
  case Kind::Int:
    return static_cast<double>(argument->as<int64_t>());
  case Kind::OptionalInt:
    return static_cast<double>(*argument->as<c10::optional<int64_t>>());
  case Kind::Double:
    return argument->as<double>();
  case Kind::OptionalDouble:
    return *argument->as<c10::optional<double>>();
  case Kind::Bool:
    return argument->as<bool>();
  default:
    return otherwise;
  }
}

int64_t Call::integer(std::string_view name, int64_t otherwise) const {
  return static_cast<int64_t>(real(name, static_cast<double>(otherwise)));
}

bool Call::flag(std::string_view name, bool otherwise) const { return real(name, otherwise) != 0; }

bool Call::isFloatingNumber(std::string_view name) const {
  const Argument *argument = find(name);
  if (!argument || !isGiven(name))
    return false;
  if (argument->kind() == Kind::Scalar)
    return argument->as<c10::Scalar>().isFloatingPoint();
  if (argument->kind() == Kind::OptionalScalar)
    return argument->as<c10::optional<c10::Scalar>>()->isFloatingPoint();
  return argument->kind() == Kind::Double || argument->kind() == Kind::OptionalDouble;
}

Sizes Call::ints(std::string_view name) const {
  const Argument *argument = find(name);
  if (!argument || !isGiven(name))
    return {};
  if (argument->kind() == Kind::Ints)
    return argument->as<c10::IntArrayRef>().vec();
  if (argument->kind() == Kind::OptionalInts)
    return argument->as<c10::OptionalIntArrayRef>().value().vec();
  if (argument->kind() == Kind::Int || argument->kind() == Kind::OptionalInt)
    return {integer(name)};
  return {};
}

double Call::factor(std::string_view name, std::size_t i) const {
  const Argument *argument = find(name);
  if (!argument)
    return 1;
  if (argument->kind() == Kind::Doubles)
    return argument->as<c10::ArrayRef<double>>()[i];
  if (argument->kind() != Kind::OptionalDoubles)
    return 1;
  const auto &list = argument->as<c10::optional<c10::ArrayRef<double>>>();
  return list ? (*list)[i] : 1;
}

std::string Call::text(std::string_view name, std::string otherwise) const {
  const Argument *argument = find(name);
  if (argument && argument->kind() == Kind::String)
    return std::string(argument->as<c10::string_view>());
  if (argument && argument->kind() == Kind::OptionalString && isGiven(name))
    return std::string(*argument->as<c10::optional<c10::string_view>>());
  return otherwise;
}

c10::optional<c10::ScalarType> Call::type(std::string_view name) const {
  const Argument *argument = find(name);
  if (!argument)
    return c10::nullopt;
  if (argument->kind() == Kind::ScalarType)
    return argument->as<c10::ScalarType>();
  if (argument->kind() == Kind::OptionalScalarType)
    return argument->as<c10::optional<c10::ScalarType>>();
  return c10::nullopt;
}

c10::optional<c10::Device> Call::device(std::string_view name) const {
  const Argument *argument = find(name);
  if (!argument)
    return c10::nullopt;
  if (argument->kind() == Kind::Device)
    return argument->as<c10::Device>();
  if (argument->kind() == Kind::OptionalDevice)
    return argument->as<c10::optional<c10::Device>>();
  return c10::nullopt;
}

c10::TensorOptions Call::options() const {
  const Argument *argument = find("options");
  return argument ? argument->as<c10::TensorOptions>() : c10::TensorOptions();
}

Array Call::array(std::string_view name) const {
  const Tensor given = tensor(name);
  if (given.defined())
    return read(given);
  return Array({}, isFloatingNumber(name) ? c10::kDouble : c10::kLong, real(name));
}

void Call::checkDevices() {
  const facts::OperatorRule *rule = ruleOf(schema_);
  std::vector<Operand> operands;
  for (const auto &[name, argument] : arguments_)
    for (const Tensor &tensor : tensorsOf(*argument))
      operands.push_back({name, deviceOf(tensor), static_cast<int>(tensor.dim())});
  Device where = operands.empty() ? Device() : operands.front().device;
  if (checkLayer(*this)) {
    // Said in its own words.
  } else if (rule) {
    try {
      runtime::checkDevices(*rule, operands);
    } catch (const DeviceError &error) {
      throw c10::Error(error.what());
    }
    where = runtime::resultDevice(*rule, operands);
  }
  if (has("options"))
    resultDevice_ = concrete(options().has_device() || inputs_.empty() ? options().device() : inputs_[0].device());
  else
    resultDevice_ =
        where.isCuda() ? c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(where.index)) : c10::Device(c10::kCPU);
}

std::unordered_map<std::string, OperatorKernel> &kernels() {
  static auto *all = new std::unordered_map<std::string, OperatorKernel>;
  return *all;
}

c10::ScalarType promote(c10::ScalarType a, c10::ScalarType b) {
  static constexpr c10::ScalarType kOrder[] = {c10::kBool,  c10::kByte,   c10::kChar,         c10::kShort,
                                               c10::kInt,   c10::kLong,   c10::kBFloat16,     c10::kHalf,
                                               c10::kFloat, c10::kDouble, c10::kComplexFloat, c10::kComplexDouble};
  const auto place = [](c10::ScalarType type) { return std::find(std::begin(kOrder), std::end(kOrder), type); };
  return place(a) < place(b) ? b : a;
}

c10::ScalarType floating(c10::ScalarType type) { return c10::isIntegralType(type, true) ? c10::kFloat : type; }

c10::ScalarType promotedType(const Call &call, std::initializer_list<const char *> names) {
  c10::optional<c10::ScalarType> ofTensors, ofScalars;
  bool floatingNumber = false;
  for (const char *name : names) {
    const Tensor tensor = call.tensor(name);
    if (!tensor.defined()) {
      floatingNumber |= call.isFloatingNumber(name);
      continue;
    }
    auto &common = tensor.dim() == 0 ? ofScalars : ofTensors;
    common = common ? promote(*common, tensor.scalar_type()) : tensor.scalar_type();
  }
  c10::ScalarType type = ofTensors.value_or(ofScalars.value_or(c10::kFloat));
  if (ofScalars && ofTensors && c10::isFloatingType(*ofScalars))
    type = c10::isIntegralType(type, true) ? *ofScalars : type;
  return floatingNumber ? floating(type) : type;
}

namespace {

Results run(const char *schema, const char *names, std::initializer_list<Argument> arguments) {
  Call call(schema, names, arguments);
  call.checkDevices();
  const auto kernel = kernels().find(call.name());
  TORCH_CHECK(kernel != kernels().end(), "the runtime has no kernel for ", schema);
  Results results = kernel->second(call);
  for (const Tensor &result : results.tensors)
    connect(result, call.inputs());
  return results;
}

/// The result of an in-place or out form goes into the argument that is written.
void runInto(const char *schema, const char *names, std::initializer_list<Argument> arguments) {
  const Results results = run(schema, names, arguments);
  const Call call(schema, names, arguments);
  if (results.tensors.empty())
    return;
  const Tensor out = call.isInPlace() ? call.inputs().front() : call.tensor("out");
  TORCH_CHECK(out.defined(), "the runtime does not know what ", schema, " writes to");
  const Tensor &value = results.tensors.front();
  if (value.is_same(out))
    return;
  if (call.isInPlace())
    write(out, broadcast(read(value), out.sizes()));
  else {
    resize(out, value.sizes());
    write(out, read(value));
  }
}

template <class R> struct Convert;
template <> struct Convert<Tensor> {
  static Tensor from(const Results &results) { return results.tensors.at(0); }
};
template <> struct Convert<std::vector<Tensor>> {
  static std::vector<Tensor> from(const Results &results) { return results.tensors; }
};
template <class... Tensors> struct Convert<std::tuple<Tensors...>> {
  template <std::size_t... I> static std::tuple<Tensors...> pick(const Results &results, std::index_sequence<I...>) {
    return {results.tensors.at(I)...};
  }
  static std::tuple<Tensors...> from(const Results &results) {
    return pick(results, std::index_sequence_for<Tensors...>());
  }
};
template <> struct Convert<bool> {
  static bool from(const Results &results) { return results.number.toBool(); }
};
template <> struct Convert<double> {
  static double from(const Results &results) { return results.number.toDouble(); }
};
template <> struct Convert<int64_t> {
  static int64_t from(const Results &results) { return results.number.toLong(); }
};
template <> struct Convert<c10::Scalar> {
  static c10::Scalar from(const Results &results) { return results.number; }
};

} // namespace

template <class R> R call(const char *schema, const char *names, std::initializer_list<Argument> arguments) {
  if constexpr (std::is_void_v<R>)
    runInto(schema, names, arguments);
  else
    return Convert<R>::from(run(schema, names, arguments));
}

#define SD_RESULT(...)                                                                                                 \
  template __VA_ARGS__ call<__VA_ARGS__>(const char *, const char *, std::initializer_list<Argument>);
SD_RESULT(void)
SD_RESULT(bool)
SD_RESULT(double)
SD_RESULT(int64_t)
SD_RESULT(c10::Scalar)
SD_RESULT(at::Tensor)
SD_RESULT(at::Tensors2)
SD_RESULT(at::Tensors3)
SD_RESULT(at::Tensors4)
SD_RESULT(at::TensorVector)
#undef SD_RESULT

} // namespace samedevice::runtime
