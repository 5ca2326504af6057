// Calls of libtorch's operators with what a witness says of them: tensors by name, and where they are.
#pragma once

#include "facts/Rules.h"

#include <torch/torch.h>

#include <string>
#include <vector>

namespace samedevice::runtime {

struct OperatorArgument {
  std::string name;
  std::vector<at::Tensor> tensors;
};

/// A mistake of devices, as opposed to what the witness leaves out: shapes, element types, other arguments.
bool isAboutDevices(const std::string &message);
std::string firstLine(const c10::Error &error);

/// The result, if it is a tensor. Where the operator wants other types and shapes than the tensors have, they are
/// replaced by tensors on the same devices that it takes. Throws the c10::Error that libtorch raises, or Unsupported.
at::Tensor callOperator(const facts::OperatorRule &rule, const std::vector<OperatorArgument> &given);

} // namespace samedevice::runtime
