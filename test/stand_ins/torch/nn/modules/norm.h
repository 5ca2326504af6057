#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"
#include "torch/nn/init.h"

namespace torch::nn {

/// Scale and shift, and running statistics, per feature.
template <class Derived, class DerivedOptions> class NormImplBase : public Cloneable<Derived> {
public:
  explicit NormImplBase(const DerivedOptions &options_);
  void reset() override;

  DerivedOptions options;
  Tensor weight;
  Tensor bias;
  Tensor running_mean;
  Tensor running_var;
  Tensor num_batches_tracked;
};

#define SD_NORM(Kind, D)                                                                                               \
  class Kind##Norm##D##dImpl : public NormImplBase<Kind##Norm##D##dImpl, Kind##NormOptions> {                          \
  public:                                                                                                              \
    explicit Kind##Norm##D##dImpl(const Kind##NormOptions &options_);                                                  \
    Tensor forward(const Tensor &input);                                                                               \
  };                                                                                                                   \
  TORCH_MODULE(Kind##Norm##D##d);
SD_NORM(Batch, 1)
SD_NORM(Batch, 2)
SD_NORM(Batch, 3)
SD_NORM(Instance, 1)
SD_NORM(Instance, 2)
#undef SD_NORM

class LayerNormImpl : public Cloneable<LayerNormImpl> {
public:
  LayerNormImpl(std::vector<int64_t> normalized_shape);
  explicit LayerNormImpl(LayerNormOptions options_);
  void reset() override;
  Tensor forward(const Tensor &input);
  LayerNormOptions options;
  Tensor weight;
  Tensor bias;
};
TORCH_MODULE(LayerNorm);

class GroupNormImpl : public Cloneable<GroupNormImpl> {
public:
  GroupNormImpl(int64_t num_groups, int64_t num_channels);
  explicit GroupNormImpl(const GroupNormOptions &options_);
  void reset() override;
  Tensor forward(const Tensor &input);
  GroupNormOptions options;
  Tensor weight;
  Tensor bias;
};
TORCH_MODULE(GroupNorm);

} // namespace torch::nn
