// Helpers over lists of parameters.
#pragma once
#pragma GCC system_header

#include "torch/autograd.h"

namespace torch::nn::utils {

inline double clip_grad_norm_(std::vector<Tensor> parameters, double max_norm, double norm_type = 2.0,
                              bool error_if_nonfinite = false) {
  (void)error_if_nonfinite;
  std::vector<Tensor> norms;
  for (const Tensor &parameter : parameters)
    if (parameter.grad().defined())
      norms.push_back(parameter.grad().detach().norm(norm_type));
  if (norms.empty())
    return 0.0;
  const double total = torch::stack(norms).norm(norm_type).item<double>();
  if (total > max_norm)
    for (const Tensor &parameter : parameters)
      if (parameter.grad().defined())
        parameter.grad().detach().mul_(max_norm / (total + 1e-6));
  return total;
}
inline double clip_grad_norm_(Tensor parameter, double max_norm, double norm_type = 2.0) {
  return clip_grad_norm_(std::vector<Tensor>{parameter}, max_norm, norm_type);
}
inline void clip_grad_value_(std::vector<Tensor> parameters, double clip_value) {
  for (const Tensor &parameter : parameters)
    if (parameter.grad().defined())
      parameter.grad().detach().clamp_(-clip_value, clip_value);
}
inline Tensor parameters_to_vector(const std::vector<Tensor> &parameters) {
  std::vector<Tensor> flat;
  for (const Tensor &parameter : parameters) {
    TORCH_CHECK(parameter.device() == parameters.front().device(),
                "Found two parameters on different devices, this is currently not supported.");
    flat.push_back(parameter.view(-1));
  }
  return torch::cat(flat);
}
inline void vector_to_parameters(const Tensor &vec, const std::vector<Tensor> &parameters) {
  int64_t pointer = 0;
  for (Tensor parameter : parameters) {
    parameter.set_data(vec.slice(0, pointer, pointer + parameter.numel()).view_as(parameter).data());
    pointer += parameter.numel();
  }
}

} // namespace torch::nn::utils
