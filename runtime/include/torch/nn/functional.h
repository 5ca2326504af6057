// torch::nn::functional: operators with their arguments gathered in options.
#pragma once
#pragma GCC system_header

#include "torch/nn/options/functions.h"
#include "torch/nn/options/layers.h"

namespace torch::nn::functional {

namespace detail {
inline int64_t index(const reduction_t &reduction) { return static_cast<int64_t>(reduction.index()); }
} // namespace detail

inline Tensor relu(Tensor input, const ReLUFuncOptions &options = {}) {
  return options.inplace() ? at::relu_(input) : at::relu(input);
}
inline Tensor relu6(Tensor input, const ReLU6Options & = {}) { return at::relu6(input); }
inline Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions &options = {}) {
  return at::leaky_relu(input, options.negative_slope());
}
inline Tensor elu(Tensor input, const ELUFuncOptions &options = {}) { return at::elu(input, options.alpha()); }
inline Tensor selu(Tensor input, const SELUOptions & = {}) { return at::selu(input); }
inline Tensor gelu(const Tensor &input, const GELUFuncOptions &options = {}) {
  return at::gelu(input, options.approximate());
}
inline Tensor silu(const Tensor &input) { return at::silu(input); }
inline Tensor mish(const Tensor &input) { return at::mish(input); }
inline Tensor glu(const Tensor &input, const GLUOptions &options = {}) { return at::glu(input, options.dim()); }
inline Tensor softplus(const Tensor &input, const SoftplusOptions &options = {}) {
  return at::softplus(input, options.beta(), options.threshold());
}
inline Tensor logsigmoid(const Tensor &input) { return at::log_sigmoid(input); }
inline Tensor prelu(const Tensor &input, const Tensor &weight) { return at::prelu(input, weight); }
inline Tensor softmax(const Tensor &input, const SoftmaxFuncOptions &options) {
  return at::softmax(input, options.dim());
}
inline Tensor log_softmax(const Tensor &input, const LogSoftmaxFuncOptions &options) {
  return at::log_softmax(input, options.dim());
}

inline Tensor linear(const Tensor &input, const Tensor &weight, const Tensor &bias = {}) {
  return at::linear(input, weight, bias);
}
inline Tensor bilinear(const Tensor &input1, const Tensor &input2, const Tensor &weight,
                       const Tensor &bias = Tensor()) {
  return at::bilinear(input1, input2, weight, bias);
}
inline Tensor conv1d(const Tensor &input, const Tensor &weight, const Conv1dFuncOptions &options = {}) {
  return at::conv1d(input, weight, options.bias(), options.stride(), options.padding(), options.dilation(),
                    options.groups());
}
inline Tensor conv2d(const Tensor &input, const Tensor &weight, const Conv2dFuncOptions &options = {}) {
  return at::conv2d(input, weight, options.bias(), options.stride(), options.padding(), options.dilation(),
                    options.groups());
}
inline Tensor batch_norm(const Tensor &input, const Tensor &running_mean, const Tensor &running_var,
                         const BatchNormFuncOptions &options = {}) {
  return at::batch_norm(input, options.weight(), options.bias(), running_mean, running_var, options.training(),
                        options.momentum(), options.eps(), true);
}
inline Tensor layer_norm(const Tensor &input, const LayerNormFuncOptions &options) {
  return at::layer_norm(input, options.normalized_shape(), options.weight(), options.bias(), options.eps());
}
inline Tensor normalize(const Tensor &input, const NormalizeFuncOptions &options = {}) {
  const Tensor norm = input.norm(options.p(), {options.dim()}, true).clamp_min(options.eps());
  return input / norm.expand_as(input);
}
inline Tensor dropout(Tensor input, const DropoutFuncOptions &options = {}) {
  return at::dropout(input, options.p(), options.training());
}
inline Tensor embedding(const Tensor &input, const Tensor &weight, const EmbeddingFuncOptions &options = {}) {
  return at::embedding(weight, input, options.padding_idx().value_or(-1));
}
inline Tensor one_hot(const Tensor &tensor, int64_t num_classes = -1) { return at::one_hot(tensor, num_classes); }

inline Tensor max_pool1d(const Tensor &input, const MaxPool1dFuncOptions &options) {
  return at::max_pool1d(input, options.kernel_size(), options.stride(), options.padding(), options.dilation(),
                        options.ceil_mode());
}
inline Tensor max_pool2d(const Tensor &input, const MaxPool2dFuncOptions &options) {
  return at::max_pool2d(input, options.kernel_size(), options.stride(), options.padding(), options.dilation(),
                        options.ceil_mode());
}
inline Tensor avg_pool2d(const Tensor &input, const AvgPool2dFuncOptions &options) {
  return at::avg_pool2d(input, options.kernel_size(), options.stride(), options.padding(), options.ceil_mode());
}
inline Tensor adaptive_avg_pool1d(const Tensor &input, const AdaptiveAvgPool1dFuncOptions &options) {
  return at::adaptive_avg_pool1d(input, options.output_size());
}
inline Tensor adaptive_avg_pool2d(const Tensor &input, const AdaptiveAvgPool2dFuncOptions &options) {
  std::vector<int64_t> size;
  for (size_t i = 0; i < 2; ++i)
    size.push_back((*options.output_size())[i].value_or(input.size(static_cast<int64_t>(i) - 2)));
  return at::adaptive_avg_pool2d(input, size);
}
inline Tensor pad(const Tensor &input, const PadFuncOptions &options) {
  return at::constant_pad_nd(input, options.pad(), options.value());
}
inline Tensor interpolate(const Tensor &input, const InterpolateFuncOptions &options) {
  std::vector<int64_t> size = options.size().value_or(std::vector<int64_t>());
  if (options.scale_factor())
    for (size_t i = 0; i < options.scale_factor()->size(); ++i)
      size.push_back(static_cast<int64_t>(static_cast<double>(input.size(static_cast<int64_t>(i) + 2)) *
                                          (*options.scale_factor())[i]));
  if (std::holds_alternative<enumtype::kBilinear>(options.mode()))
    return at::upsample_bilinear2d(input, size, options.align_corners().value_or(false));
  return size.size() == 1 ? at::upsample_nearest1d(input, size) : at::upsample_nearest2d(input, size);
}
inline Tensor grid_sample(const Tensor &input, const Tensor &grid, const GridSampleFuncOptions &options = {}) {
  return at::grid_sampler(input, grid, static_cast<int64_t>(options.mode().index()),
                          static_cast<int64_t>(options.padding_mode().index()),
                          options.align_corners().value_or(false));
}
inline Tensor cosine_similarity(const Tensor &x1, const Tensor &x2, const CosineSimilarityFuncOptions &options = {}) {
  return at::cosine_similarity(x1, x2, options.dim(), options.eps());
}
inline Tensor pairwise_distance(const Tensor &x1, const Tensor &x2, const PairwiseDistanceFuncOptions &options = {}) {
  return at::pairwise_distance(x1, x2, options.p(), options.eps(), options.keepdim());
}

inline Tensor l1_loss(const Tensor &input, const Tensor &target, const L1LossFuncOptions &options = {}) {
  return at::l1_loss(input, target, detail::index(options.reduction()));
}
inline Tensor mse_loss(const Tensor &input, const Tensor &target, const MSELossFuncOptions &options = {}) {
  return at::mse_loss(input, target, detail::index(options.reduction()));
}
inline Tensor smooth_l1_loss(const Tensor &input, const Tensor &target, const SmoothL1LossFuncOptions &options = {}) {
  return at::smooth_l1_loss(input, target, detail::index(options.reduction()), options.beta());
}
inline Tensor huber_loss(const Tensor &input, const Tensor &target, const HuberLossFuncOptions &options = {}) {
  return at::huber_loss(input, target, detail::index(options.reduction()), options.delta());
}
inline Tensor kl_div(const Tensor &input, const Tensor &target, const KLDivFuncOptions &options = {}) {
  return at::kl_div(input, target, detail::index(options.reduction()), options.log_target());
}
inline Tensor binary_cross_entropy(const Tensor &input, const Tensor &target,
                                   const BinaryCrossEntropyFuncOptions &options = {}) {
  return at::binary_cross_entropy(input, target, options.weight(), detail::index(options.reduction()));
}
inline Tensor binary_cross_entropy_with_logits(const Tensor &input, const Tensor &target,
                                               const BinaryCrossEntropyWithLogitsFuncOptions &options = {}) {
  return at::binary_cross_entropy_with_logits(input, target, options.weight(), options.pos_weight(),
                                              detail::index(options.reduction()));
}
inline Tensor nll_loss(const Tensor &input, const Tensor &target, const NLLLossFuncOptions &options = {}) {
  return at::nll_loss_nd(input, target, options.weight(), detail::index(options.reduction()), options.ignore_index());
}
inline Tensor cross_entropy(const Tensor &input, const Tensor &target, const CrossEntropyFuncOptions &options = {}) {
  return at::cross_entropy_loss(input, target, options.weight(), detail::index(options.reduction()),
                                options.ignore_index(), options.label_smoothing());
}
inline Tensor cosine_embedding_loss(const Tensor &input1, const Tensor &input2, const Tensor &target,
                                    const CosineEmbeddingLossFuncOptions &options = {}) {
  return at::cosine_embedding_loss(input1, input2, target, options.margin(), detail::index(options.reduction()));
}
inline Tensor margin_ranking_loss(const Tensor &input1, const Tensor &input2, const Tensor &target,
                                  const MarginRankingLossFuncOptions &options = {}) {
  return at::margin_ranking_loss(input1, input2, target, options.margin(), detail::index(options.reduction()));
}
inline Tensor triplet_margin_loss(const Tensor &anchor, const Tensor &positive, const Tensor &negative,
                                  const TripletMarginLossFuncOptions &options = {}) {
  return at::triplet_margin_loss(anchor, positive, negative, options.margin(), options.p(), options.eps(),
                                 options.swap(), detail::index(options.reduction()));
}
inline Tensor ctc_loss(const Tensor &log_probs, const Tensor &targets, const Tensor &input_lengths,
                       const Tensor &target_lengths, const CTCLossOptions &options = {}) {
  return at::ctc_loss(log_probs, targets, input_lengths, target_lengths, options.blank(),
                      detail::index(options.reduction()), options.zero_infinity());
}

} // namespace torch::nn::functional
