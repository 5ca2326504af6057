#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"
#include "torch/nn/init.h"

namespace torch::nn {

/// Scale and shift, and running statistics, per feature.
template <class Derived, class DerivedOptions> class NormImplBase : public Cloneable<Derived> {
public:
  explicit NormImplBase(const DerivedOptions &options_) : options(options_) { NormImplBase::reset(); }
  void reset() override {
    const bool affine = options.affine(), tracked = options.track_running_stats();
    const int64_t n = options.num_features();
    weight = this->register_parameter("weight", affine ? torch::ones({n}) : Tensor(), affine);
    bias = this->register_parameter("bias", affine ? torch::zeros({n}) : Tensor(), affine);
    running_mean = this->register_buffer("running_mean", tracked ? torch::zeros({n}) : Tensor());
    running_var = this->register_buffer("running_var", tracked ? torch::ones({n}) : Tensor());
    num_batches_tracked =
        this->register_buffer("num_batches_tracked", tracked ? torch::tensor(0, torch::kLong) : Tensor());
  }

  DerivedOptions options;
  Tensor weight;
  Tensor bias;
  Tensor running_mean;
  Tensor running_var;
  Tensor num_batches_tracked;
};

#define SD_NORM(Kind, D, call)                                                                                         \
  class Kind##Norm##D##dImpl : public NormImplBase<Kind##Norm##D##dImpl, Kind##NormOptions> {                          \
  public:                                                                                                              \
    explicit Kind##Norm##D##dImpl(const Kind##NormOptions &options_) : NormImplBase(options_) {}                       \
    Tensor forward(const Tensor &input) { return call; }                                                               \
  };                                                                                                                   \
  TORCH_MODULE(Kind##Norm##D##d);
#define SD_BATCH_NORM(D)                                                                                               \
  SD_NORM(Batch, D,                                                                                                    \
          at::batch_norm(input, weight, bias, running_mean, running_var, is_training() || !running_mean.defined(),     \
                         options.momentum().value_or(0.1), options.eps(), true))
#define SD_INSTANCE_NORM(D)                                                                                            \
  SD_NORM(Instance, D,                                                                                                 \
          at::instance_norm(input, weight, bias, running_mean, running_var, is_training() || !running_mean.defined(),  \
                            options.momentum(), options.eps(), true))
SD_BATCH_NORM(1)
SD_BATCH_NORM(2)
SD_BATCH_NORM(3)
SD_INSTANCE_NORM(1)
SD_INSTANCE_NORM(2)
#undef SD_INSTANCE_NORM
#undef SD_BATCH_NORM
#undef SD_NORM

class LayerNormImpl : public Cloneable<LayerNormImpl> {
public:
  LayerNormImpl(std::vector<int64_t> normalized_shape) : LayerNormImpl(LayerNormOptions(normalized_shape)) {}
  explicit LayerNormImpl(LayerNormOptions options_) : options(std::move(options_)) { LayerNormImpl::reset(); }
  void reset() override {
    const bool affine = options.elementwise_affine();
    weight = register_parameter("weight", affine ? torch::ones(options.normalized_shape()) : Tensor(), affine);
    bias = register_parameter("bias", affine ? torch::zeros(options.normalized_shape()) : Tensor(), affine);
  }
  Tensor forward(const Tensor &input) {
    return at::layer_norm(input, options.normalized_shape(), weight, bias, options.eps());
  }
  LayerNormOptions options;
  Tensor weight;
  Tensor bias;
};
TORCH_MODULE(LayerNorm);

class GroupNormImpl : public Cloneable<GroupNormImpl> {
public:
  GroupNormImpl(int64_t num_groups, int64_t num_channels) : GroupNormImpl(GroupNormOptions(num_groups, num_channels)) {}
  explicit GroupNormImpl(const GroupNormOptions &options_) : options(options_) { GroupNormImpl::reset(); }
  void reset() override {
    const bool affine = options.affine();
    weight = register_parameter("weight", affine ? torch::ones({options.num_channels()}) : Tensor(), affine);
    bias = register_parameter("bias", affine ? torch::zeros({options.num_channels()}) : Tensor(), affine);
  }
  Tensor forward(const Tensor &input) {
    return at::group_norm(input, options.num_groups(), weight, bias, options.eps());
  }
  GroupNormOptions options;
  Tensor weight;
  Tensor bias;
};
TORCH_MODULE(GroupNorm);

} // namespace torch::nn
