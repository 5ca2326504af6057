#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"

namespace torch::nn {

class EmbeddingImpl : public Cloneable<EmbeddingImpl> {
public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim)
      : EmbeddingImpl(EmbeddingOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingImpl(const EmbeddingOptions &options_) : options(options_) { EmbeddingImpl::reset(); }
  void reset() override {
    weight = register_parameter("weight", options._weight().defined()
                                              ? options._weight()
                                              : torch::randn({options.num_embeddings(), options.embedding_dim()}));
  }
  Tensor forward(const Tensor &indices) { return at::embedding(weight, indices, options.padding_idx().value_or(-1)); }
  EmbeddingOptions options;
  Tensor weight;
};
class Embedding : public ModuleHolder<EmbeddingImpl> {
public:
  using ModuleHolder<EmbeddingImpl>::ModuleHolder;
  static Embedding from_pretrained(const torch::Tensor &embeddings,
                                   const EmbeddingFromPretrainedOptions &options = {}) {
    Embedding embedding(EmbeddingOptions(embeddings.size(0), embeddings.size(1))._weight(embeddings));
    embedding->weight.set_requires_grad(!options.freeze());
    return embedding;
  }
};

class EmbeddingBagImpl : public Cloneable<EmbeddingBagImpl> {
public:
  EmbeddingBagImpl(int64_t num_embeddings, int64_t embedding_dim)
      : EmbeddingBagImpl(EmbeddingBagOptions(num_embeddings, embedding_dim)) {}
  explicit EmbeddingBagImpl(const EmbeddingBagOptions &options_) : options(options_) { EmbeddingBagImpl::reset(); }
  void reset() override {
    weight = register_parameter("weight", options._weight().defined()
                                              ? options._weight()
                                              : torch::randn({options.num_embeddings(), options.embedding_dim()}));
  }
  Tensor forward(const Tensor &input, const Tensor &offsets = {}, const Tensor &per_sample_weights = {}) {
    const Tensor starts = offsets.defined() ? offsets : torch::arange(0, input.numel(), input.size(1), input.options());
    const Tensor flat = offsets.defined() ? input : input.reshape(-1);
    return std::get<0>(at::embedding_bag(weight, flat, starts, options.scale_grad_by_freq(),
                                         static_cast<int64_t>(options.mode().index()), options.sparse(),
                                         per_sample_weights, options.include_last_offset()));
  }
  EmbeddingBagOptions options;
  Tensor weight;
};
TORCH_MODULE(EmbeddingBag);

} // namespace torch::nn
