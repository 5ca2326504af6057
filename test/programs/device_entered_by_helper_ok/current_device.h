#pragma once

#include <torch/extension.h>

// Makes the device of `x` the one that kernels are launched on.
void enter_device_of(const torch::Tensor &x);
