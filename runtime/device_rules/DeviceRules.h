// What PyTorch does when the tensors of an operator are on different devices: the rules of ops.tsv, with the words of
// PyTorch's own errors.
#pragma once

#include "facts/Rules.h"

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace samedevice::runtime {

struct Device {
  int index = -1; ///< of the GPU; -1 is the CPU

  bool isCuda() const { return index >= 0; }
  std::string text() const { return isCuda() ? "cuda:" + std::to_string(index) : "cpu"; }
  bool operator==(const Device &) const = default;
};

struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Operand {
  std::string_view name; ///< of the operator's argument
  Device device;
  int rank = 0;
};

/// Throws the DeviceError that PyTorch would raise.
void checkDevices(const facts::OperatorRule &rule, std::span<const Operand> operands);

/// Where the result lives, as far as the operands decide it.
Device resultDevice(const facts::OperatorRule &rule, std::span<const Operand> operands);

/// "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
[[noreturn]] void failOnTwoDevices(Device first, Device second);
/// The same as a generated check says it.
[[noreturn]] void failOnTwoDevices(Device first, Device second, std::string_view argument, std::string_view wrapper);

} // namespace samedevice::runtime
