// What PyTorch asks of the devices of an operator's tensors, and where its result lives: ops.tsv as a table
// in memory.
#pragma once

#include "Program.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace samedevice::facts {

enum class DeviceRule : std::uint8_t {
  Same,        ///< all checked arguments on one device, index included
  SameScalar0, ///< the same, but one Scalar0 argument may be a 0-dim CPU tensor
  Any,
  Index, ///< `index` takes indices from the CPU or from self's device, `index_put_` from anywhere
  Factory,
  Like, ///< as its argument, unless options say otherwise
  View,
  Host, ///< runs on the CPU alone
  Query,
};

enum class ResultDevice : std::uint8_t {
  Arg0,
  Argument, ///< that of `resultArgument`
  Common,   ///< the one device; the one that is not the CPU's if a CPU scalar took part
  Options,
  Cpu,
  None,
};

enum class ArgumentRole : std::uint8_t {
  Checked,
  Scalar0, ///< checked, but a 0-dim CPU tensor may pass
  Free,    ///< any device
  Host,    ///< must be on the CPU
};

enum class OperatorKind : std::uint8_t { Functional, Out, InPlace, Mutable, Cpp };

/// Rows of a table in memory. Not std::span: this is read beside libtorch's headers, which Clang cannot read as C++20.
template <typename Row> struct Rows {
  const Row *first = nullptr;
  std::size_t count = 0;

  const Row *begin() const { return first; }
  const Row *end() const { return first + count; }
  std::size_t size() const { return count; }
};

struct TensorArgument {
  std::string_view name;
  bool isList = false;
  bool isOptional = false;
  bool isWritten = false;
  ArgumentRole role = ArgumentRole::Checked;
};

struct OperatorRule {
  std::string_view cppName; ///< as called: add, add_, add_out, operator+
  std::string_view name;    ///< the operator's own name and overload
  std::string_view overload;
  DeviceRule rule = DeviceRule::Same;
  ResultDevice result = ResultDevice::None;
  std::string_view resultArgument;
  OperatorKind kind = OperatorKind::Functional;
  bool isFunction = false;
  bool isMethod = false;
  Rows<TensorArgument> arguments;
  TorchVersion before =
      0; ///< the rule of the versions before this one; 0: of the newest, and of all that have no older

  const TensorArgument *argument(std::string_view name) const;
};

/// The rule of the overload that takes these tensor arguments (`self` included; an empty name is one that is
/// not known): the one with just these, else the one with the fewest more. Null: no such operator.
const OperatorRule *findRule(std::string_view cppName, bool method,
                             const std::vector<std::string_view> &tensorArguments, TorchVersion version);

/// Every row and every older one, sorted by cppName.
Rows<OperatorRule> allRules();

/// Operators of torch::nn::functional keep their namespace in what instructions say.
/// `x.mutable_grad() = y`: no operator of PyTorch's, but it is refused like one.
inline constexpr std::string_view kSetGrad = "grad=";
inline constexpr std::string_view kFunctional = "F::";
constexpr bool isFunctional(std::string_view name) { return name.substr(0, kFunctional.size()) == kFunctional; }

} // namespace samedevice::facts
