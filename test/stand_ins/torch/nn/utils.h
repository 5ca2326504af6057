// Helpers over lists of parameters.
#pragma once
#pragma GCC system_header

#include "torch/autograd.h"

namespace torch::nn::utils {

double clip_grad_norm_(std::vector<Tensor> parameters, double max_norm, double norm_type = 2.0,
                              bool error_if_nonfinite = false);
double clip_grad_norm_(Tensor parameter, double max_norm, double norm_type = 2.0);
void clip_grad_value_(std::vector<Tensor> parameters, double clip_value);
Tensor parameters_to_vector(const std::vector<Tensor> &parameters);
void vector_to_parameters(const Tensor &vec, const std::vector<Tensor> &parameters);

} // namespace torch::nn::utils
