// Losses. A weight given in the options is registered, so that it moves with the loss.
#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"

namespace torch::nn {

#define SD_LOSS(Name, ...)                                                                                             \
  struct Name##Impl : public Cloneable<Name##Impl> {                                                                   \
    explicit Name##Impl(const Name##Options &options_ = {});                                                           \
    void reset() override;                                                                                             \
    Tensor forward(__VA_ARGS__);                                                                                       \
    Name##Options options;                                                                                             \
  };                                                                                                                   \
  TORCH_MODULE(Name);
SD_LOSS(L1Loss, const Tensor &input, const Tensor &target)
SD_LOSS(MSELoss, const Tensor &input, const Tensor &target)
SD_LOSS(SmoothL1Loss, const Tensor &input, const Tensor &target)
SD_LOSS(HuberLoss, const Tensor &input, const Tensor &target)
SD_LOSS(KLDivLoss, const Tensor &input, const Tensor &target)
SD_LOSS(CosineEmbeddingLoss, const Tensor &input1, const Tensor &input2, const Tensor &target)
SD_LOSS(MarginRankingLoss, const Tensor &input1, const Tensor &input2, const Tensor &target)
SD_LOSS(TripletMarginLoss, const Tensor &anchor, const Tensor &positive, const Tensor &negative)
SD_LOSS(CTCLoss, const Tensor &log_probs, const Tensor &targets, const Tensor &input_lengths,
        const Tensor &target_lengths)
#undef SD_LOSS

/// `members`: what of the options becomes a buffer.
#define SD_WEIGHTED_LOSS(Name, members)                                                                                \
  struct Name##Impl : public Cloneable<Name##Impl> {                                                                   \
    explicit Name##Impl(const Name##Options &options_ = {});                                                           \
    void reset() override;                                                                                             \
    Tensor forward(const Tensor &input, const Tensor &target);                                                         \
    Name##Options options;                                                                                             \
    members                                                                                                            \
  };                                                                                                                   \
  TORCH_MODULE(Name);
SD_WEIGHTED_LOSS(CrossEntropyLoss, Tensor weight;)
SD_WEIGHTED_LOSS(NLLLoss, Tensor weight;)
SD_WEIGHTED_LOSS(BCELoss, )
SD_WEIGHTED_LOSS(BCEWithLogitsLoss, Tensor weight; Tensor pos_weight;)
#undef SD_WEIGHTED_LOSS

struct CosineSimilarityImpl : public Cloneable<CosineSimilarityImpl> {
  explicit CosineSimilarityImpl(const CosineSimilarityOptions &options_ = {});
  void reset() override;
  Tensor forward(const Tensor &input1, const Tensor &input2);
  CosineSimilarityOptions options;
};
TORCH_MODULE(CosineSimilarity);

struct PairwiseDistanceImpl : public Cloneable<PairwiseDistanceImpl> {
  explicit PairwiseDistanceImpl(const PairwiseDistanceOptions &options_ = {});
  void reset() override;
  Tensor forward(const Tensor &input1, const Tensor &input2);
  PairwiseDistanceOptions options;
};
TORCH_MODULE(PairwiseDistance);

} // namespace torch::nn
