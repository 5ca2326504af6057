// torch::nn::functional: operators with their arguments gathered in options.
#pragma once
#pragma GCC system_header

#include "torch/nn/options/functions.h"
#include "torch/nn/options/layers.h"

namespace torch::nn::functional {

namespace detail {
int64_t index(const reduction_t &reduction);
} // namespace detail

Tensor relu(Tensor input, const ReLUFuncOptions &options = {});
Tensor relu6(Tensor input, const ReLU6Options & = {});
Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions &options = {});
Tensor elu(Tensor input, const ELUFuncOptions &options = {});
Tensor selu(Tensor input, const SELUOptions & = {});
Tensor gelu(const Tensor &input, const GELUFuncOptions &options = {});
Tensor silu(const Tensor &input);
Tensor mish(const Tensor &input);
Tensor glu(const Tensor &input, const GLUOptions &options = {});
Tensor softplus(const Tensor &input, const SoftplusOptions &options = {});
Tensor logsigmoid(const Tensor &input);
Tensor prelu(const Tensor &input, const Tensor &weight);
Tensor softmax(const Tensor &input, const SoftmaxFuncOptions &options);
Tensor log_softmax(const Tensor &input, const LogSoftmaxFuncOptions &options);

Tensor linear(const Tensor &input, const Tensor &weight, const Tensor &bias = {});
Tensor bilinear(const Tensor &input1, const Tensor &input2, const Tensor &weight,
                       const Tensor &bias = Tensor());
Tensor conv1d(const Tensor &input, const Tensor &weight, const Conv1dFuncOptions &options = {});
Tensor conv2d(const Tensor &input, const Tensor &weight, const Conv2dFuncOptions &options = {});
Tensor batch_norm(const Tensor &input, const Tensor &running_mean, const Tensor &running_var,
                         const BatchNormFuncOptions &options = {});
Tensor layer_norm(const Tensor &input, const LayerNormFuncOptions &options);
Tensor normalize(const Tensor &input, const NormalizeFuncOptions &options = {});
Tensor dropout(Tensor input, const DropoutFuncOptions &options = {});
Tensor embedding(const Tensor &input, const Tensor &weight, const EmbeddingFuncOptions &options = {});
Tensor one_hot(const Tensor &tensor, int64_t num_classes = -1);

Tensor max_pool1d(const Tensor &input, const MaxPool1dFuncOptions &options);
Tensor max_pool2d(const Tensor &input, const MaxPool2dFuncOptions &options);
Tensor avg_pool2d(const Tensor &input, const AvgPool2dFuncOptions &options);
Tensor adaptive_avg_pool1d(const Tensor &input, const AdaptiveAvgPool1dFuncOptions &options);
Tensor adaptive_avg_pool2d(const Tensor &input, const AdaptiveAvgPool2dFuncOptions &options);
Tensor pad(const Tensor &input, const PadFuncOptions &options);
Tensor interpolate(const Tensor &input, const InterpolateFuncOptions &options);
Tensor grid_sample(const Tensor &input, const Tensor &grid, const GridSampleFuncOptions &options = {});
Tensor cosine_similarity(const Tensor &x1, const Tensor &x2, const CosineSimilarityFuncOptions &options = {});
Tensor pairwise_distance(const Tensor &x1, const Tensor &x2, const PairwiseDistanceFuncOptions &options = {});

Tensor l1_loss(const Tensor &input, const Tensor &target, const L1LossFuncOptions &options = {});
Tensor mse_loss(const Tensor &input, const Tensor &target, const MSELossFuncOptions &options = {});
Tensor smooth_l1_loss(const Tensor &input, const Tensor &target, const SmoothL1LossFuncOptions &options = {});
Tensor huber_loss(const Tensor &input, const Tensor &target, const HuberLossFuncOptions &options = {});
Tensor kl_div(const Tensor &input, const Tensor &target, const KLDivFuncOptions &options = {});
Tensor binary_cross_entropy(const Tensor &input, const Tensor &target,
                                   const BinaryCrossEntropyFuncOptions &options = {});
Tensor binary_cross_entropy_with_logits(const Tensor &input, const Tensor &target,
                                               const BinaryCrossEntropyWithLogitsFuncOptions &options = {});
Tensor nll_loss(const Tensor &input, const Tensor &target, const NLLLossFuncOptions &options = {});
Tensor cross_entropy(const Tensor &input, const Tensor &target, const CrossEntropyFuncOptions &options = {});
Tensor cosine_embedding_loss(const Tensor &input1, const Tensor &input2, const Tensor &target,
                                    const CosineEmbeddingLossFuncOptions &options = {});
Tensor margin_ranking_loss(const Tensor &input1, const Tensor &input2, const Tensor &target,
                                  const MarginRankingLossFuncOptions &options = {});
Tensor triplet_margin_loss(const Tensor &anchor, const Tensor &positive, const Tensor &negative,
                                  const TripletMarginLossFuncOptions &options = {});
Tensor ctc_loss(const Tensor &log_probs, const Tensor &targets, const Tensor &input_lengths,
                       const Tensor &target_lengths, const CTCLossOptions &options = {});

} // namespace torch::nn::functional
