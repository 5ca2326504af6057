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

inline Tensor uniform_(Tensor tensor, double low = 0, double high = 1) {
  NoGradGuard guard;
  return tensor.uniform_(low, high);
}
inline Tensor normal_(Tensor tensor, double mean = 0, double std = 1) {
  NoGradGuard guard;
  return tensor.normal_(mean, std);
}
inline Tensor constant_(Tensor tensor, Scalar value) {
  NoGradGuard guard;
  return tensor.fill_(value);
}
inline Tensor ones_(Tensor tensor) { return constant_(tensor, 1); }
inline Tensor zeros_(Tensor tensor) { return constant_(tensor, 0); }

namespace detail {
inline double fan(const Tensor &tensor, bool in) {
  const int64_t receptive = tensor.dim() > 2 ? tensor.numel() / (tensor.size(0) * tensor.size(1)) : 1;
  return static_cast<double>((tensor.dim() < 2 ? tensor.numel() : tensor.size(in ? 1 : 0)) * receptive);
}
inline double width(const Tensor &tensor) { return std::sqrt(2.0 / (fan(tensor, true) + fan(tensor, false))); }
} // namespace detail

inline double calculate_gain(NonlinearityType = torch::kLinear, double = 0.01) { return 1.0; }
inline Tensor xavier_uniform_(Tensor tensor, double gain = 1.0) {
  const double bound = gain * std::sqrt(3.0) * detail::width(tensor);
  return uniform_(tensor, -bound, bound);
}
inline Tensor xavier_normal_(Tensor tensor, double gain = 1.0) {
  return normal_(tensor, 0, gain * detail::width(tensor));
}
inline Tensor kaiming_uniform_(Tensor tensor, double = 0, FanModeType mode = torch::kFanIn,
                               NonlinearityType = torch::kLeakyReLU) {
  const double bound = std::sqrt(6.0 / detail::fan(tensor, mode.index() == 0));
  return uniform_(tensor, -bound, bound);
}
inline Tensor kaiming_normal_(Tensor tensor, double = 0, FanModeType mode = torch::kFanIn,
                              NonlinearityType = torch::kLeakyReLU) {
  return normal_(tensor, 0, std::sqrt(2.0 / detail::fan(tensor, mode.index() == 0)));
}
inline Tensor orthogonal_(Tensor tensor, double gain = 1.0) { return normal_(tensor, 0, gain); }
inline Tensor eye_(Tensor matrix) {
  NoGradGuard guard;
  return matrix.copy_(torch::eye(matrix.size(0), matrix.size(1), matrix.options()));
}

} // namespace torch::nn::init
