#include "OperatorCalls.h"

#include <torch/torch.h>

#include <algorithm>
#include <string>
#include <vector>

namespace samedevice::runtime {

namespace {

using at::ScalarType;
using at::Tensor;
using c10::Argument;
using c10::IValue;
using Sizes = std::vector<int64_t>;

/// One shape for what is worked on, and what goes with it.
struct Guess {
  Sizes input;
  ScalarType type = at::kFloat;
  /// Of filters, or of what normalises; like the input where there are none.
  Sizes weight = {};
  int64_t number = 1;
  bool withOptional = false;
};

const Guess kGuesses[] = {
    {{4, 4}},
    {{4}},
    {{4, 4}, at::kLong},
    {{4, 4}, at::kFloat, {}, 0},
    {{4, 4}, at::kFloat, {}, 2},
    {{2, 4, 4}},
    {{2, 4, 4}, at::kFloat, {}, 0},
    {{2, 3, 8, 8}, at::kFloat, {3, 3, 2, 2}},
    {{2, 3, 8, 8}, at::kFloat, {3}, 1, true},
    {{2, 3, 8}, at::kFloat, {3, 3, 2}},
    {{2, 3, 8}, at::kFloat, {3}, 1, true},
    {{1, 2, 4, 4, 4}, at::kFloat, {2, 2, 2, 2, 2}},
    {{2, 4, 8, 8}, at::kFloat, {4, 1, 2, 2}, 4},
    {{3, 8, 8}, at::kFloat, {3, 3, 2, 2}},
    {{4}, at::kLong},
    {{}},
    {{}, at::kLong},
    {{4, 4}, at::kBool},
    {{4, 4}, at::kComplexFloat},
    {{4, 4}, at::kFloat, {}, 1, true},
    {{4}, at::kFloat, {}, 1, true},
    {{4}, at::kBool},
    {{4, 4}, at::kByte},
    {{4, 4}, at::kHalf},
    {{4, 4}, at::kDouble},
    {{4}, at::kFloat, {4, 4}},
    {{2, 4}, at::kFloat, {4, 4}},
    {{2, 4}, at::kFloat, {2, 3, 4}},
    {{0, 4}},
    {{4, 2}},
    {{3, 3}},
    {{1, 2, 4, 4}, at::kFloat, {1, 2, 2, 2}},
};

bool isOneOf(const std::string &name, std::initializer_list<const char *> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool contains(const std::string &name, const char *part) { return name.find(part) != std::string::npos; }

int64_t channelsOf(const Guess &guess) { return guess.input.empty() ? 1 : guess.input[guess.input.size() < 2 ? 0 : 1]; }

Tensor filled(const Sizes &sizes, ScalarType type) {
  if (at::isFloatingType(type) || at::isComplexType(type))
    return torch::rand(sizes, at::kFloat).mul(0.8).add(0.1).to(type);
  return torch::randint(0, 2, sizes, at::kLong).to(type);
}

Tensor tensorFor(const std::string &name, const Guess &guess) {
  if (contains(name, "mask") || name == "condition")
    return filled(guess.input, at::kBool);
  if (contains(name, "vec"))
    return filled({guess.input.empty() ? 1 : guess.input.back()}, guess.type);
  if (name == "value" && guess.input.size() == 1)
    return filled({}, guess.type);
  if (name == "grid" && guess.input.size() == 4)
    return filled({guess.input[0], guess.input[2], guess.input[3], 2}, guess.type);
  if (name == "offsets")
    return torch::zeros({2}, at::kLong);
  if (name == "target" && guess.type == at::kDouble)
    return filled(guess.input, guess.type);
  if (name == "target" && guess.withOptional && guess.input.size() > 1) { // the number of a class, of all classes
    Sizes sizes = guess.input;
    sizes.erase(sizes.begin() + 1);
    return filled(sizes, at::kLong);
  }
  // What is to be decomposed, or its like.
  if (guess.type == at::kDouble && (name == "self" || name == "A" || name == "input")) {
    const Tensor half = filled(guess.input, guess.type);
    return half.matmul(half.t()).mul(0.1).add(torch::eye(4, guess.type)).mul(0.4);
  }
  if (isOneOf(name, {"index", "target", "indices", "sorter", "batch_sizes", "lengths", "ind"}))
    return filled(guess.weight.size() == 1 ? guess.weight : guess.input, at::kLong);
  if (isOneOf(name, {"found_inf", "inv_scale", "zero_point", "fake_quant_enabled", "observer_enabled"}))
    return filled({1}, at::kFloat);
  if (name == "weight" || name == "mat2" || name == "batch2")
    return filled(guess.weight.empty() ? guess.input : guess.weight, guess.type);
  if (name == "g" && guess.input.size() == 2)
    return filled({guess.input[0], 1}, guess.type);
  if (contains(name, "w_") && guess.input.size() == 2)
    return filled({4 * guess.input[1], guess.input[1]}, guess.type);
  const bool perChannel = isOneOf(name, {"bias", "running_mean", "running_var", "mean", "var", "invstd", "save_mean",
                                         "save_invstd", "save_var", "scale"});
  if (perChannel && !guess.weight.empty())
    return filled({channelsOf(guess)}, guess.type);
  return filled(guess.input, guess.type);
}

int64_t numberFor(const std::string &name, const Guess &guess) {
  if (contains(name, "dim") || isOneOf(name, {"axis", "start", "offset", "diagonal", "storage_offset", "reduction"}))
    return guess.number == 2 ? -1 : 0;
  if (isOneOf(name, {"end", "n", "m", "steps", "window_length", "high", "row", "col", "size"}))
    return 4;
  if (isOneOf(name, {"C", "num_channels"}))
    return channelsOf(guess);
  if (name == "N")
    return guess.input.empty() ? 1 : guess.input.front();
  if (name == "HxW") {
    int64_t area = 1;
    for (std::size_t i = 2; i < guess.input.size(); ++i)
      area *= guess.input[i];
    return area;
  }
  if (isOneOf(name, {"num_classes", "num_weights", "n_fft"}))
    return 5;
  return std::max<int64_t>(guess.number, 1);
}

Sizes numbersFor(const Argument &argument, const Guess &guess) {
  const std::string &name = argument.name();
  const std::size_t spatial = guess.input.size() > 2 ? guess.input.size() - 2 : 1;
  const auto some = [&](std::size_t usual, int64_t value) {
    return Sizes(argument.N() && *argument.N() > 1 ? static_cast<std::size_t>(*argument.N()) : usual, value);
  };
  if (name == "kernel_size")
    return some(spatial, 2);
  if (contains(name, "stride") && name != "stride" && !contains(name, "strides"))
    return some(spatial, 1);
  if (name == "stride" && (argument.N() || guess.weight.size() > 1))
    return some(spatial, 1);
  if (name == "stride") {
    Sizes strides(guess.input.size(), 1);
    for (std::size_t i = strides.size(); i-- > 1;)
      strides[i - 1] = strides[i] * guess.input[i];
    return strides;
  }
  if (name == "dilation")
    return some(spatial, 1);
  if (contains(name, "padding"))
    return some(spatial, 0);
  if (name == "pad")
    return Sizes(2 * spatial, 1);
  if (name == "output_size" && guess.input.size() > 2)
    return Sizes(guess.input.begin() + 2, guess.input.end());
  if (name == "normalized_shape")
    return guess.input.empty() ? Sizes{} : Sizes{guess.input.back()};
  if (name == "split_sizes")
    return {2, 2};
  if (isOneOf(name, {"dim", "dims", "axis", "dimensions", "source", "destination"})) {
    if (guess.number == 1)
      return {0};
    Sizes all;
    for (std::size_t i = 0; i < guess.input.size(); ++i)
      all.push_back(static_cast<int64_t>(i));
    return all;
  }
  if (isOneOf(name, {"shifts", "indices"}))
    return {1};
  if (name == "repeats")
    return Sizes(guess.input.size(), 2);
  return guess.input;
}

bool takesTensors(const c10::Type &type) {
  return type.kind() == c10::TypeKind::ListType &&
         type.expectRef<c10::ListType>().getElementType()->isSubtypeOf(*c10::OptionalType::ofTensor());
}

std::string wordFor(const std::string &name, const Guess &guess) {
  if (name == "reduce")
    return guess.number == 1 ? "sum" : guess.number == 2 ? "add" : "prod";
  if (name == "equation")
    return "ij,jk->ik";
  if (name == "UPLO")
    return "L";
  if (name == "padding")
    return "same";
  if (name == "indexing")
    return "ij";
  if (name == "ord")
    return "fro";
  if (contains(name, "mode"))
    return "floor";
  return "none";
}

double realFor(const std::string &name) {
  if (name == "eps")
    return 1e-5;
  return contains(name, "scale") || name == "std" ? 1 : 0.5;
}

std::optional<IValue> valueFor(const Argument &argument, c10::TypePtr type, const Guess &guess) {
  const std::string &name = argument.name();
  if (const auto optional = type->cast<c10::OptionalType>()) {
    const c10::TypePtr held = optional->getElementType();
    // Of an output's size and its scale only one may be given; types and layouts are numbers in schemas, too.
    const bool isGiven = held->kind() == c10::TypeKind::TensorType || held->kind() == c10::TypeKind::NumberType ||
                         (held->kind() == c10::TypeKind::ListType && name != "scale_factors");
    if (!guess.withOptional || !isGiven)
      return IValue();
    type = held;
  }
  switch (type->kind()) {
  case c10::TypeKind::TensorType:
    return tensorFor(name, guess);
  case c10::TypeKind::IntType:
    // Types of elements, layouts and the like are numbers as well; the schema says `int` of all of them.
    return numberFor(name, guess);
  case c10::TypeKind::FloatType:
    return realFor(name);
  case c10::TypeKind::BoolType:
    return guess.number == 1;
  case c10::TypeKind::NumberType:
    return guess.number == 0 ? IValue(0.5) : IValue(guess.number + 1);
  case c10::TypeKind::StringType:
    return wordFor(name, guess);
  case c10::TypeKind::DeviceObjType:
    return c10::Device(c10::kCPU);
  case c10::TypeKind::ListType:
    break;
  default:
    return std::nullopt;
  }
  const c10::TypePtr element = type->expectRef<c10::ListType>().getElementType();
  switch (element->kind()) {
  case c10::TypeKind::TensorType:
    return c10::List<Tensor>({tensorFor(name, guess), tensorFor(name, guess)});
  case c10::TypeKind::OptionalType: {
    c10::List<c10::optional<Tensor>> list;
    list.push_back(filled({2}, at::kLong));
    return list;
  }
  case c10::TypeKind::IntType:
    return numbersFor(argument, guess);
  case c10::TypeKind::FloatType:
    return std::vector<double>(guess.input.size() > 2 ? guess.input.size() - 2 : 2, 2.);
  case c10::TypeKind::BoolType: {
    c10::List<bool> list;
    for (int i = 0; i < argument.N().value_or(2); ++i)
      list.push_back(true);
    return list;
  }
  case c10::TypeKind::NumberType: {
    c10::impl::GenericList list(element);
    list.push_back(1);
    list.push_back(2);
    return list;
  }
  default:
    return std::nullopt;
  }
}

} // namespace

int guessCount() { return static_cast<int>(std::size(kGuesses)); }

std::optional<torch::jit::Stack> guessedArguments(const c10::FunctionSchema &schema, int guess) {
  torch::manual_seed(1);
  torch::jit::Stack stack;
  // A factory is told where; what works on tensors knows.
  const bool isFactory =
      std::none_of(schema.arguments().begin(), schema.arguments().end(), [](const Argument &argument) {
        return argument.type()->isSubtypeOf(*c10::OptionalType::ofTensor()) || takesTensors(*argument.type());
      });
  for (const Argument &argument : schema.arguments()) {
    if (isFactory && argument.name() == "device") {
      stack.emplace_back(c10::Device(c10::kCPU));
      continue;
    }
    if (argument.default_value() && !kGuesses[guess].withOptional) {
      stack.push_back(*argument.default_value());
      continue;
    }
    std::optional<IValue> value;
    if (argument.default_value() && argument.type()->kind() != c10::TypeKind::OptionalType)
      value = argument.default_value();
    else
      value = valueFor(argument, argument.type(), kGuesses[guess]);
    if (!value)
      return std::nullopt;
    stack.push_back(std::move(*value));
  }
  return stack;
}

std::vector<Tensor> allTensors(const IValue &value) {
  std::vector<Tensor> tensors;
  if (value.isTensor()) {
    if (value.toTensor().defined())
      tensors.push_back(value.toTensor());
  } else if (value.isList()) {
    for (const IValue &element : value.toListRef())
      for (const Tensor &tensor : allTensors(element))
        tensors.push_back(tensor);
  } else if (value.isTuple()) {
    for (const IValue &element : value.toTupleRef().elements())
      for (const Tensor &tensor : allTensors(element))
        tensors.push_back(tensor);
  }
  return tensors;
}

IValue movedTo(const IValue &value, c10::Device device) {
  if (value.isTensor())
    return value.toTensor().defined() ? value.toTensor().to(device) : value;
  if (value.isDevice())
    return device;
  if (value.isTensorList()) {
    c10::List<Tensor> list;
    for (const Tensor &tensor : value.toTensorVector())
      list.push_back(tensor.to(device));
    return list;
  }
  if (value.isList() && !value.isIntList() && !value.isDoubleList() && !value.isBoolList() &&
      !allTensors(value).empty()) {
    c10::List<c10::optional<Tensor>> list;
    for (const Tensor &tensor : allTensors(value))
      list.push_back(tensor.to(device));
    return list;
  }
  return value;
}

} // namespace samedevice::runtime
