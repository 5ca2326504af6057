// Filling parameters in place.
#pragma once
#pragma GCC system_header

#include "torch/autograd.h"
#include "torch/enum.h"

#include <cmath>

namespace torch::nn::init {

using NonlinearityType = std::variant<enumtype::kLinear, enumtype::kConv1D, enumtype::kConv2D, enumtype::kConv3D,
                                      enumtype::kSigmoid, enumtype::kTanh, enumtype::kReLU, enumtype::kLeakyReLU>;
using FanModeType = std::variant<enumtype::kFanIn, enumtype::kFanOut>;

Tensor uniform_(Tensor tensor, double low = 0, double high = 1);
Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
Tensor constant_(Tensor tensor, Scalar value);
Tensor ones_(Tensor tensor);
Tensor zeros_(Tensor tensor);

namespace detail {
double fan(const Tensor &tensor, bool in);
double width(const Tensor &tensor);
} // namespace detail

double calculate_gain(NonlinearityType = torch::kLinear, double = 0.01);
Tensor xavier_uniform_(Tensor tensor, double gain = 1.0);
Tensor xavier_normal_(Tensor tensor, double gain = 1.0);
Tensor kaiming_uniform_(Tensor tensor, double = 0, FanModeType mode = torch::kFanIn,
                               NonlinearityType = torch::kLeakyReLU);
Tensor kaiming_normal_(Tensor tensor, double = 0, FanModeType mode = torch::kFanIn,
                              NonlinearityType = torch::kLeakyReLU);
Tensor orthogonal_(Tensor tensor, double gain = 1.0);
Tensor eye_(Tensor matrix);

} // namespace torch::nn::init
