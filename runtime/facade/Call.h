// One call of an operator, on its way from the facade to its kernel.
#pragma once

#include "Impl.h"

#include "facts/Rules.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace samedevice::runtime {

/// What an operator gives back: tensors, or a number.
struct Results {
  std::vector<Tensor> tensors;
  c10::Scalar number;

  Results() = default;
  Results(Tensor tensor) : tensors{std::move(tensor)} {}
  Results(std::vector<Tensor> several) : tensors(std::move(several)) {}
  static Results of(c10::Scalar number) {
    Results results;
    results.number = number;
    return results;
  }
};

class Call {
public:
  Call(const char *schema, const char *names, std::initializer_list<Argument> arguments);

  /// The operator's name without overload and without the mark of an in-place form.
  const std::string &name() const { return name_; }
  const std::string &schema() const { return schema_; }
  bool isInPlace() const { return inPlace_; }

  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Undefined where the argument is left out.
  Tensor tensor(std::string_view name) const;
  std::vector<Tensor> tensors(std::string_view name) const;
  c10::List<c10::optional<Tensor>> optionalTensors(std::string_view name) const;
  /// Numbers of any kind; `otherwise` where they are left out.
  double real(std::string_view name, double otherwise = 0) const;
  int64_t integer(std::string_view name, int64_t otherwise = 0) const;
  bool flag(std::string_view name, bool otherwise = false) const;
  bool isGiven(std::string_view name) const;
  bool isFloatingNumber(std::string_view name) const;
  Sizes ints(std::string_view name) const;
  /// The i-th number of a list of reals.
  double factor(std::string_view name, std::size_t i) const;
  std::string text(std::string_view name, std::string otherwise = "") const;
  c10::optional<c10::ScalarType> type(std::string_view name = "dtype") const;
  c10::optional<c10::Device> device(std::string_view name = "device") const;
  c10::TensorOptions options() const;

  /// A tensor or a number, as an array.
  Array array(std::string_view name) const;
  Array self() const { return array("self"); }

  /// Every tensor of the call, lists included.
  const std::vector<Tensor> &inputs() const { return inputs_; }
  /// Throws as PyTorch does where the devices do not fit.
  void checkDevices();
  c10::Device resultDevice() const { return resultDevice_; }
  /// A new tensor where the results live.
  Tensor result(const Array &array) const { return makeTensor(array, resultDevice_); }

private:
  const Argument *find(std::string_view name) const;

  std::string schema_, name_;
  bool inPlace_ = false;
  std::vector<std::pair<std::string, const Argument *>> arguments_;
  std::vector<Tensor> inputs_;
  c10::Device resultDevice_ = c10::Device(c10::kCPU);
};

/// Convolutions and recurrent layers have words of their own; false for any other operator.
bool checkLayer(const Call &call);

using OperatorKernel = Results (*)(Call &);
/// Kernels by the operator's name; each file of kernels adds its own.
std::unordered_map<std::string, OperatorKernel> &kernels();
struct AddKernels {
  AddKernels(std::initializer_list<std::pair<const char *, OperatorKernel>> entries) {
    for (const auto &[name, kernel] : entries)
      kernels()[name] = kernel;
  }
};

/// Type promotion: of two element types; of the named arguments, tensors or numbers.
c10::ScalarType promote(c10::ScalarType a, c10::ScalarType b);
c10::ScalarType promotedType(const Call &call, std::initializer_list<const char *> names);
c10::ScalarType floating(c10::ScalarType type);

} // namespace samedevice::runtime
