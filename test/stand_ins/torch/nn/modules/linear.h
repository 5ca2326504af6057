#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"
#include "torch/nn/init.h"

namespace torch::nn {

class IdentityImpl : public Cloneable<IdentityImpl> {
public:
  void reset() override;
  Tensor forward(const Tensor &input);
};
TORCH_MODULE(Identity);

class LinearImpl : public Cloneable<LinearImpl> {
public:
  LinearImpl(int64_t in_features, int64_t out_features);
  explicit LinearImpl(const LinearOptions &options_);
  void reset() override;
  void reset_parameters();
  Tensor forward(const Tensor &input);

  LinearOptions options;
  Tensor weight;
  Tensor bias;
};
TORCH_MODULE(Linear);

class BilinearImpl : public Cloneable<BilinearImpl> {
public:
  BilinearImpl(int64_t in1_features, int64_t in2_features, int64_t out_features);
  explicit BilinearImpl(const BilinearOptions &options_);
  void reset() override;
  Tensor forward(const Tensor &input1, const Tensor &input2);

  BilinearOptions options;
  Tensor weight;
  Tensor bias;
};
TORCH_MODULE(Bilinear);

class FlattenImpl : public Cloneable<FlattenImpl> {
public:
  explicit FlattenImpl(const FlattenOptions &options_ = {});
  void reset() override;
  Tensor forward(const Tensor &input);
  FlattenOptions options;
};
TORCH_MODULE(Flatten);

class UnflattenImpl : public Cloneable<UnflattenImpl> {
public:
  UnflattenImpl(int64_t dim, std::vector<int64_t> sizes);
  explicit UnflattenImpl(UnflattenOptions options_);
  void reset() override;
  Tensor forward(const Tensor &input);
  UnflattenOptions options;
};
TORCH_MODULE(Unflatten);

} // namespace torch::nn
