#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"

namespace torch::nn {

class EmbeddingImpl : public Cloneable<EmbeddingImpl> {
public:
  EmbeddingImpl(int64_t num_embeddings, int64_t embedding_dim);
  explicit EmbeddingImpl(const EmbeddingOptions &options_);
  void reset() override;
  Tensor forward(const Tensor &indices);
  EmbeddingOptions options;
  Tensor weight;
};
class Embedding : public ModuleHolder<EmbeddingImpl> {
public:
  using ModuleHolder<EmbeddingImpl>::ModuleHolder;
  static Embedding from_pretrained(const torch::Tensor &embeddings,
                                   const EmbeddingFromPretrainedOptions &options = {});
};

class EmbeddingBagImpl : public Cloneable<EmbeddingBagImpl> {
public:
  EmbeddingBagImpl(int64_t num_embeddings, int64_t embedding_dim);
  explicit EmbeddingBagImpl(const EmbeddingBagOptions &options_);
  void reset() override;
  Tensor forward(const Tensor &input, const Tensor &offsets = {}, const Tensor &per_sample_weights = {});
  EmbeddingBagOptions options;
  Tensor weight;
};
TORCH_MODULE(EmbeddingBag);

} // namespace torch::nn
