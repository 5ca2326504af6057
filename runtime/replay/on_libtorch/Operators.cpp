// A witness knows which tensors meet, and on which devices. The types, shapes and numbers that the operator wants as
// well are found out by asking: the first guess that it takes on the CPU is made on the devices that count.
#include "Operators.h"

#include "replay/Interpreter.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>

namespace samedevice::runtime {

using at::Tensor;

bool isAboutDevices(const std::string &message) {
  for (const char *sign : {"device", "CUDA error", "'CUDA' backend", "CUDA tensor", "CPU tensor", "cuda:", "Input type",
                           "too many CPU scalars", "pinned"})
    if (message.find(sign) != std::string::npos)
      return true;
  return false;
}

std::string firstLine(const c10::Error &error) {
  const std::string text = error.what_without_backtrace();
  // A TorchScript error tells its own story first.
  const std::size_t inner = text.rfind("RuntimeError: ");
  return inner == std::string::npos ? text.substr(0, text.find('\n')) : text.substr(inner + 14);
}

namespace {

using Arguments = std::vector<OperatorArgument>;

/// What C++ writes as an operator, by the dispatcher's names.
const std::map<std::string_view, std::string_view> kOperators = {
    {"operator+", "add"},       {"operator-", "sub"},     {"operator*", "mul"},       {"operator/", "div"},
    {"operator%", "remainder"}, {"operator==", "eq"},     {"operator!=", "ne"},       {"operator<", "lt"},
    {"operator<=", "le"},       {"operator>", "gt"},      {"operator>=", "ge"},       {"operator&", "__and__"},
    {"operator|", "__or__"},    {"operator^", "__xor__"}, {"operator+=", "add_"},     {"operator-=", "sub_"},
    {"operator*=", "mul_"},     {"operator/=", "div_"},   {"operator&=", "__iand__"}, {"operator|=", "__ior__"}};

constexpr int kAsGiven = -1;

/// Everything a witness leaves out, once.
struct Guess {
  std::vector<int> ranks;            ///< of each argument
  std::vector<at::ScalarType> types; ///< of each argument
  int64_t size = 2;                  ///< of every dimension
  int64_t number = 0;
  std::size_t count = 2;  ///< of numbers, where a list of them is wanted
  bool optionals = false; ///< give them
  const char *word = "sum";
};

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

at::ScalarType typeByName(const std::string &name) {
  for (const char *part : {"ind", "target", "offsets", "sorter", "lengths", "repeats", "batch_sizes"})
    if (has(name, part))
      return at::kLong;
  return has(name, "mask") || name == "condition" ? at::kBool : at::kFloat;
}

bool isTensor(const c10::TypePtr &type) { return type->isSubtypeOf(*c10::OptionalType::ofTensor()); }

bool isTensors(const c10::TypePtr &type) {
  return type->isSubtypeOf(*c10::ListType::ofTensors()) ||
         type->isSubtypeOf(*c10::ListType::create(c10::OptionalType::ofTensor()));
}

c10::IValue tensorsFor(const c10::TypePtr &type, const std::vector<Tensor> &tensors) {
  if (type->isSubtypeOf(*c10::ListType::ofTensors()))
    return tensors;
  if (!isTensors(type))
    return tensors.at(0);
  c10::List<c10::optional<Tensor>> list;
  for (const Tensor &element : tensors)
    list.push_back(element);
  return list;
}

/// A value for an argument that is no tensor; nothing where we know of none.
std::optional<c10::IValue> valueFor(const c10::Argument &argument, const Guess &guess) {
  c10::TypePtr type = argument.type();
  if (const auto optional = type->cast<c10::OptionalType>()) {
    if (!guess.optionals || isTensor(type))
      return c10::IValue();
    type = optional->getElementType();
  } else if (argument.default_value()) {
    return *argument.default_value();
  }
  // Element types and the like are integers in the dispatcher's eyes.
  const std::string name = type->str();
  if (type->kind() == c10::TypeKind::IntType)
    return argument.name() == "dtype" ? int64_t{static_cast<int64_t>(at::kFloat)} : guess.number;
  if (type->kind() == c10::TypeKind::FloatType || type->kind() == c10::TypeKind::NumberType)
    return 1.0;
  if (type->kind() == c10::TypeKind::BoolType)
    return false;
  if (type->kind() == c10::TypeKind::StringType)
    return std::string(guess.word);
  if (isTensors(type))
    return std::nullopt;
  const std::size_t count = argument.N() ? static_cast<std::size_t>(*argument.N()) : guess.count;
  if (name == "int[]" || name == "SymInt[]")
    return c10::IValue(std::vector<int64_t>(count, guess.number));
  if (name == "float[]")
    return c10::IValue(std::vector<double>(count, 1.0));
  if (name == "bool[]") {
    c10::List<bool> all;
    for (std::size_t i = 0; i < count; ++i)
      all.push_back(true);
    return c10::IValue(all);
  }
  return std::nullopt;
}

class Call {
public:
  Call(c10::OperatorHandle op, const Arguments &given) : op_(std::move(op)), given_(given) {}

  /// Whether all that is given has a place, and the rest can be made up.
  bool isPossible() const {
    const auto &arguments = op_.schema().arguments();
    const auto takes = [](const c10::Argument &argument, const std::string &name) {
      return argument.name() == name && (isTensor(argument.type()) || isTensors(argument.type()));
    };
    for (const OperatorArgument &one : given_)
      if (std::none_of(arguments.begin(), arguments.end(), [&](const auto &a) { return takes(a, one.name); }))
        return false;
    return std::all_of(arguments.begin(), arguments.end(),
                       [&](const auto &a) { return find(a.name()) || valueFor(a, Guess{}); });
  }

  Tensor perform(const Guess *guess, bool onCpu) const {
    static const Guess plain;
    torch::jit::Stack stack;
    for (const c10::Argument &argument : op_.schema().arguments())
      if (const OperatorArgument *one = find(argument.name()))
        stack.push_back(tensorsFor(argument.type(), tensorsOf(*one, guess, onCpu)));
      else
        stack.push_back(*valueFor(argument, guess ? *guess : plain));
    op_.callBoxed(&stack);
    return !stack.empty() && stack[0].isTensor() ? stack[0].toTensor() : Tensor();
  }

private:
  const OperatorArgument *find(const std::string &name) const {
    const auto found = std::find_if(given_.begin(), given_.end(), [&](const auto &one) { return one.name == name; });
    return found == given_.end() ? nullptr : &*found;
  }

  std::vector<Tensor> tensorsOf(const OperatorArgument &argument, const Guess *guess, bool onCpu) const {
    std::vector<Tensor> tensors;
    for (const Tensor &tensor : argument.tensors) {
      if (!guess) {
        tensors.push_back(tensor.is_floating_point() ? tensor.to(typeByName(argument.name)) : tensor);
        continue;
      }
      const auto index = static_cast<std::size_t>(&argument - given_.data());
      const int rank = guess->ranks[index] == kAsGiven ? static_cast<int>(tensor.dim()) : guess->ranks[index];
      const std::vector<int64_t> shape(static_cast<std::size_t>(rank), guess->size);
      const at::ScalarType type = guess->types[index];
      if (!onCpu && tensor.sizes() == at::IntArrayRef(shape) && tensor.scalar_type() == type) {
        tensors.push_back(tensor);
        continue;
      }
      const auto options = at::TensorOptions(onCpu ? c10::Device(c10::kCPU) : tensor.device()).dtype(type);
      // Indices are best 0.
      tensors.push_back(type == at::kLong ? torch::zeros(shape, options) : torch::ones(shape, options));
    }
    return tensors;
  }

  c10::OperatorHandle op_;
  const Arguments &given_;
};

/// All ranks that each argument can have, those that change the fewest first. What has no dimensions is another matter
/// to PyTorch's rules and stays so.
std::vector<std::vector<int>> ranksFor(const Arguments &given) {
  constexpr int kMostRanks = 5;
  constexpr std::size_t kMostStarts = 2000;
  std::vector<std::vector<int>> all = {{}};
  for (const OperatorArgument &argument : given) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int> &start : all)
      for (int rank = 0; rank <= kMostRanks; ++rank) {
        if (rank > 0 && (all.size() > kMostStarts || argument.tensors.empty() || argument.tensors[0].dim() == 0))
          break;
        longer.push_back(start);
        longer.back().push_back(rank == 0 ? kAsGiven : rank);
      }
    // On a GPU, no dimensions are no exception.
    if (!argument.tensors.empty() && argument.tensors[0].is_cuda() && all.size() <= kMostStarts)
      for (std::vector<int> start : all) {
        start.push_back(0);
        longer.push_back(std::move(start));
      }
    all = std::move(longer);
  }
  const auto changes = [](const std::vector<int> &ranks) {
    return ranks.size() - static_cast<std::size_t>(std::count(ranks.begin(), ranks.end(), kAsGiven));
  };
  std::stable_sort(all.begin(), all.end(), [&](const auto &a, const auto &b) { return changes(a) < changes(b); });
  return all;
}

std::vector<std::vector<at::ScalarType>> typesFor(const Arguments &given) {
  std::vector<at::ScalarType> named, result, complex;
  for (const OperatorArgument &argument : given) {
    const bool isOut = has(argument.name, "out");
    named.push_back(typeByName(argument.name));
    result.push_back(isOut ? at::kBool : named.back());
    complex.push_back(isOut ? at::kComplexFloat : named.back());
  }
  std::vector<std::vector<at::ScalarType>> all = {named};
  const auto count = given.size();
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kLong, at::kBool, at::kComplexFloat})
    all.emplace_back(count, type);
  if (result != named)
    all.insert(all.end(), {result, complex});
  return all;
}

/// The first guess that the operator takes when all is on one device.
std::optional<Guess> fittingGuess(const Call &call, const Arguments &given) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  const auto types = typesFor(given);
  for (const std::vector<int> &ranks : ranksFor(given))
    for (const auto &type : types)
      for (const bool optionals : {false, true})
        for (const auto &[size, number, count, word] :
             std::initializer_list<std::tuple<int64_t, int64_t, std::size_t, const char *>>{{2, 0, 2, "sum"},
                                                                                            {2, 1, 2, "add"},
                                                                                            {2, 1, 1, "ij,jk->ik"},
                                                                                            {2, 0, 1, "ij"},
                                                                                            {2, 1, 3, "mean"},
                                                                                            {2, 2, 1, "reflect"},
                                                                                            {2, 2, 2, "valid"},
                                                                                            {3, 0, 2, "i,i"},
                                                                                            {4, 2, 2, "sum"}}) {
          Guess guess{ranks, type, size, number, count, optionals, word};
          try {
            call.perform(&guess, true);
            return guess;
          } catch (const std::exception &) {
            if (std::chrono::steady_clock::now() > deadline)
              return std::nullopt;
          }
        }
  return std::nullopt;
}

std::vector<Call> callsOf(const facts::OperatorRule &rule, const Arguments &given) {
  const auto written = kOperators.find(rule.name);
  const std::string name = "aten::" + std::string(written == kOperators.end() ? rule.name : written->second);
  // Operators that C++ writes by hand lead to an overload called Tensor. Other overloads may differ in what a witness
  // does not say.
  std::vector<std::string> overloads = {std::string(rule.overload), "Tensor"};
  for (const facts::OperatorRule &other : facts::allRules())
    if (other.cppName == rule.cppName)
      overloads.emplace_back(other.overload);
  std::vector<Call> calls;
  for (auto overload = overloads.begin(); overload != overloads.end(); ++overload) {
    // Names of dimensions are nothing that a witness's tensors have.
    if (std::find(overloads.begin(), overload, *overload) != overload || has(*overload, "name"))
      continue;
    if (const auto op = c10::Dispatcher::singleton().findSchema({name, *overload}))
      if (Call call(*op, given); call.isPossible())
        calls.push_back(call);
  }
  return calls;
}

} // namespace

Tensor callOperator(const facts::OperatorRule &rule, const Arguments &given) {
  const std::vector<Call> calls = callsOf(rule, given);
  if (calls.empty())
    throw Unsupported("this libtorch has no such operator " + std::string(rule.cppName));
  std::string complaint;
  try {
    return calls[0].perform(nullptr, false);
  } catch (const c10::Error &error) {
    complaint = firstLine(error);
    // No kernel: that says something of operators that are for the CPU, else of this libtorch.
    if (complaint.rfind("Could not run", 0) == 0 && rule.rule != facts::DeviceRule::Host)
      throw Unsupported(complaint);
    if (isAboutDevices(complaint))
      throw;
  }
  for (const Call &call : calls)
    if (const auto guess = fittingGuess(call, given))
      return call.perform(&*guess, false);
  throw Unsupported("libtorch wants more than the witness says: " + complaint);
}

} // namespace samedevice::runtime
