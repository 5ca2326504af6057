#pragma once

#include <torch/extension.h>

#include <string>

// Launchers: on the current GPU, which whoever calls them has chosen.
void launch_scale(const at::Tensor &x, at::Tensor &y);
void launch_square(const at::Tensor &x, at::Tensor &y);

at::Tensor apply(const std::string &name, const at::Tensor &x);
