#include "DeviceRules.h"

#include "KernelTable.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace samedevice::runtime {

namespace {

using facts::ArgumentRole;
using facts::DeviceRule;
using facts::OperatorRule;
using facts::ResultDevice;
using facts::TensorArgument;

std::string twoDevices(Device first, Device second) {
  return "Expected all tensors to be on the same device, but found at least two devices, " + first.text() + " and " +
         second.text() + "!";
}

ArgumentRole roleOf(const OperatorRule &rule, const Operand &operand) {
  const TensorArgument *argument = rule.argument(operand.name);
  return argument ? argument->role : ArgumentRole::Checked;
}

bool isWritten(const OperatorRule &rule, const Operand &operand) {
  const TensorArgument *argument = rule.argument(operand.name);
  return argument && argument->isWritten;
}

std::string kernelOf(const OperatorRule &rule) {
  std::string kernel(rule.name);
  return rule.overload.empty() ? kernel : kernel + "." + std::string(rule.overload);
}

/// PyTorch generates a check for most CUDA kernels; it goes through the arguments in order.
void checkGenerated(const OperatorRule &rule, std::span<const Operand> operands) {
  const std::string kernel = kernelOf(rule);
  const auto *checked = KernelTable::get().checked(kernel);
  if (!checked)
    return;
  std::optional<Device> common;
  for (const std::string &argument : *checked)
    for (const Operand &operand : operands) {
      if (operand.name != argument)
        continue;
      if (!common)
        common = operand.device;
      if (operand.device != *common)
        failOnTwoDevices(*common, operand.device, argument,
                         KernelTable::get().wrapper(kernel, rule.kind == facts::OperatorKind::Out));
    }
}

void checkHostArguments(const OperatorRule &rule, std::span<const Operand> operands) {
  for (const Operand &operand : operands) {
    if (!operand.device.isCuda())
      continue;
    if (rule.rule == DeviceRule::Host)
      throw DeviceError("Could not run 'aten::" + kernelOf(rule) + "' with arguments from the 'CUDA' backend.");
    if (roleOf(rule, operand) == ArgumentRole::Host)
      throw DeviceError("'" + std::string(operand.name) + "' argument should be a CPU tensor, but got one on " +
                        operand.device.text());
  }
}

void checkIndex(const OperatorRule &rule, std::span<const Operand> operands) {
  if (operands.empty())
    return;
  const Device self = operands.front().device;
  for (const Operand &operand : operands) {
    const ArgumentRole role = roleOf(rule, operand);
    const bool isIndex = operand.name == "indices", passes = role == ArgumentRole::Scalar0 && operand.rank == 0;
    if (operand.device == self || role == ArgumentRole::Free || passes)
      continue;
    if (!isIndex)
      failOnTwoDevices(operand.device.isCuda() ? operand.device : self,
                       operand.device.isCuda() ? self : operand.device);
    if (operand.device.isCuda())
      throw DeviceError("indices should be either on cpu or on the same device as the indexed tensor (" + self.text() +
                        ")");
  }
}

void checkSame(const OperatorRule &rule, std::span<const Operand> operands) {
  checkGenerated(rule, operands);
  std::vector<const Operand *> checked;
  for (const Operand &operand : operands)
    if (const ArgumentRole role = roleOf(rule, operand); role == ArgumentRole::Checked || role == ArgumentRole::Scalar0)
      checked.push_back(&operand);
  if (checked.empty())
    return;
  const auto onCuda = [](const Operand *operand) { return operand->device.isCuda(); };
  const auto first = std::find_if(checked.begin(), checked.end(), onCuda);
  const Device common = first == checked.end() ? Device() : (*first)->device;
  int scalars = 0;
  for (const Operand *operand : checked) {
    if (operand->device == common)
      continue;
    const bool passes = rule.rule == DeviceRule::SameScalar0 && !operand->device.isCuda() && operand->rank == 0 &&
                        roleOf(rule, *operand) == ArgumentRole::Scalar0 && !isWritten(rule, *operand);
    if (!passes && rule.name.starts_with("masked_fill"))
      throw DeviceError("expected self and mask to be on the same device, but got mask on " + operand->device.text() +
                        " and self on " + checked.front()->device.text());
    if (!passes)
      failOnTwoDevices(common, operand->device);
    if (++scalars > 1)
      throw DeviceError("Trying to pass too many CPU scalars to non-CPU kernel!");
  }
}

} // namespace

void failOnTwoDevices(Device first, Device second) { throw DeviceError(twoDevices(first, second)); }

void failOnTwoDevices(Device first, Device second, std::string_view argument, std::string_view wrapper) {
  throw DeviceError(twoDevices(first, second) + " (when checking argument for argument " + std::string(argument) +
                    " in method " + std::string(wrapper) + ")");
}

void checkDevices(const OperatorRule &rule, std::span<const Operand> operands) {
  checkHostArguments(rule, operands);
  switch (rule.rule) {
  case DeviceRule::Same:
  case DeviceRule::SameScalar0:
    return checkSame(rule, operands);
  case DeviceRule::Index:
    return checkIndex(rule, operands);
  default:
    return;
  }
}

Device resultDevice(const OperatorRule &rule, std::span<const Operand> operands) {
  switch (rule.result) {
  case ResultDevice::Cpu:
  case ResultDevice::None:
  case ResultDevice::Options:
    return {};
  case ResultDevice::Argument:
    for (const Operand &operand : operands)
      if (operand.name == rule.resultArgument)
        return operand.device;
    break;
  case ResultDevice::Common:
    for (const Operand &operand : operands)
      if (operand.device.isCuda() && roleOf(rule, operand) != ArgumentRole::Free)
        return operand.device;
    break;
  case ResultDevice::Arg0:
    break;
  }
  return operands.empty() ? Device() : operands.front().device;
}

} // namespace samedevice::runtime
