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

namespace rnn {

class PackedSequence {
public:
  explicit PackedSequence(Tensor data, Tensor batch_sizes, Tensor sorted_indices = {}, Tensor unsorted_indices = {});
  const Tensor &data() const;
  const Tensor &batch_sizes() const;
  const Tensor &sorted_indices() const;
  const Tensor &unsorted_indices() const;
};

PackedSequence pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first = false, bool enforce_sorted = true);
std::tuple<Tensor, Tensor> pad_packed_sequence(PackedSequence sequence, bool batch_first = false,
                                               double padding_value = 0,
                                               torch::optional<int64_t> total_length = torch::nullopt);
Tensor pad_sequence(ArrayRef<Tensor> sequences, bool batch_first = false, double padding_value = 0);

} // namespace rnn
} // namespace torch::nn::utils
