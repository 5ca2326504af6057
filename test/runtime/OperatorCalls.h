// Arguments for an operator of which only the schema is known.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <optional>

namespace samedevice::runtime {

/// How many guesses there are at what an operator may take.
int guessCount();

/// The same arguments each time it is asked, on the CPU; nothing where a type is none that can be made up.
std::optional<torch::jit::Stack> guessedArguments(const c10::FunctionSchema &schema, int guess);

/// All tensors and devices in it, on this device.
c10::IValue movedTo(const c10::IValue &value, c10::Device device);

/// Every tensor in it that exists, in order.
std::vector<at::Tensor> allTensors(const c10::IValue &value);

} // namespace samedevice::runtime
