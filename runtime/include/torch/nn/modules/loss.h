// Losses. A weight given in the options is registered, so that it moves with the loss.
#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"

namespace torch::nn {

#define SD_LOSS(Name, parameters, expression)                                                                          \
  struct Name##Impl : public Cloneable<Name##Impl> {                                                                   \
    explicit Name##Impl(const Name##Options &options_ = {}) : options(options_) {}                                     \
    void reset() override {}                                                                                           \
    Tensor forward parameters { return expression; }                                                                   \
    Name##Options options;                                                                                             \
  };                                                                                                                   \
  TORCH_MODULE(Name);
#define SD_PAIR (const Tensor &input, const Tensor &target)
SD_LOSS(L1Loss, SD_PAIR, functional::l1_loss(input, target, options))
SD_LOSS(MSELoss, SD_PAIR, functional::mse_loss(input, target, options))
SD_LOSS(SmoothL1Loss, SD_PAIR, functional::smooth_l1_loss(input, target, options))
SD_LOSS(HuberLoss, SD_PAIR, functional::huber_loss(input, target, options))
SD_LOSS(KLDivLoss, SD_PAIR, functional::kl_div(input, target, options))
SD_LOSS(CosineEmbeddingLoss, (const Tensor &input1, const Tensor &input2, const Tensor &target),
        functional::cosine_embedding_loss(input1, input2, target, options))
SD_LOSS(MarginRankingLoss, (const Tensor &input1, const Tensor &input2, const Tensor &target),
        functional::margin_ranking_loss(input1, input2, target, options))
SD_LOSS(TripletMarginLoss, (const Tensor &anchor, const Tensor &positive, const Tensor &negative),
        functional::triplet_margin_loss(anchor, positive, negative, options))
SD_LOSS(CTCLoss,
        (const Tensor &log_probs, const Tensor &targets, const Tensor &input_lengths, const Tensor &target_lengths),
        functional::ctc_loss(log_probs, targets, input_lengths, target_lengths, options))
#undef SD_PAIR
#undef SD_LOSS

/// `weights`: what of the options becomes a buffer.
#define SD_WEIGHTED_LOSS(Name, function, weights, members)                                                             \
  struct Name##Impl : public Cloneable<Name##Impl> {                                                                   \
    explicit Name##Impl(const Name##Options &options_ = {}) : options(options_) { Name##Impl::reset(); }               \
    void reset() override{weights} Tensor forward(const Tensor &input, const Tensor &target) {                         \
      return functional::function(input, target, options);                                                             \
    }                                                                                                                  \
    Name##Options options;                                                                                             \
    members                                                                                                            \
  };                                                                                                                   \
  TORCH_MODULE(Name);
#define SD_WEIGHT weight = register_buffer("weight", options.weight());
SD_WEIGHTED_LOSS(CrossEntropyLoss, cross_entropy, SD_WEIGHT, Tensor weight;)
SD_WEIGHTED_LOSS(NLLLoss, nll_loss, SD_WEIGHT, Tensor weight;)
SD_WEIGHTED_LOSS(BCELoss, binary_cross_entropy, register_buffer("weight", options.weight());, )
SD_WEIGHTED_LOSS(BCEWithLogitsLoss, binary_cross_entropy_with_logits,
                 SD_WEIGHT pos_weight = register_buffer("pos_weight", options.pos_weight());
                 , Tensor weight; Tensor pos_weight;)
#undef SD_WEIGHT
#undef SD_WEIGHTED_LOSS

struct CosineSimilarityImpl : public Cloneable<CosineSimilarityImpl> {
  explicit CosineSimilarityImpl(const CosineSimilarityOptions &options_ = {}) : options(options_) {}
  void reset() override {}
  Tensor forward(const Tensor &input1, const Tensor &input2) {
    return functional::cosine_similarity(input1, input2, options);
  }
  CosineSimilarityOptions options;
};
TORCH_MODULE(CosineSimilarity);

struct PairwiseDistanceImpl : public Cloneable<PairwiseDistanceImpl> {
  explicit PairwiseDistanceImpl(const PairwiseDistanceOptions &options_ = {}) : options(options_) {}
  void reset() override {}
  Tensor forward(const Tensor &input1, const Tensor &input2) {
    return functional::pairwise_distance(input1, input2, options);
  }
  PairwiseDistanceOptions options;
};
TORCH_MODULE(PairwiseDistance);

} // namespace torch::nn
