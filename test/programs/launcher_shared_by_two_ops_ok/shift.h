#pragma once

#include <torch/extension.h>

void launch_shift(const at::Tensor &in, at::Tensor &out, int64_t by);
