#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"
#include "torch/nn/init.h"

namespace torch::nn {

class IdentityImpl : public Cloneable<IdentityImpl> {
public:
  void reset() override {}
  Tensor forward(const Tensor &input) { return input; }
};
TORCH_MODULE(Identity);

class LinearImpl : public Cloneable<LinearImpl> {
public:
  LinearImpl(int64_t in_features, int64_t out_features) : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(const LinearOptions &options_) : options(options_) { LinearImpl::reset(); }
  void reset() override {
    weight = register_parameter("weight", torch::empty({options.out_features(), options.in_features()}));
    bias = register_parameter("bias", options.bias() ? torch::empty(options.out_features()) : Tensor(), options.bias());
    reset_parameters();
  }
  void reset_parameters() {
    init::kaiming_uniform_(weight);
    if (bias.defined())
      init::uniform_(bias, -0.1, 0.1);
  }
  Tensor forward(const Tensor &input) { return functional::linear(input, weight, bias); }

  LinearOptions options;
  Tensor weight;
  Tensor bias;
};
TORCH_MODULE(Linear);

class BilinearImpl : public Cloneable<BilinearImpl> {
public:
  BilinearImpl(int64_t in1_features, int64_t in2_features, int64_t out_features)
      : BilinearImpl(BilinearOptions(in1_features, in2_features, out_features)) {}
  explicit BilinearImpl(const BilinearOptions &options_) : options(options_) { BilinearImpl::reset(); }
  void reset() override {
    weight = register_parameter("weight",
                                torch::rand({options.out_features(), options.in1_features(), options.in2_features()}));
    bias = register_parameter("bias", options.bias() ? torch::rand(options.out_features()) : Tensor(), options.bias());
  }
  Tensor forward(const Tensor &input1, const Tensor &input2) {
    return functional::bilinear(input1, input2, weight, bias);
  }

  BilinearOptions options;
  Tensor weight;
  Tensor bias;
};
TORCH_MODULE(Bilinear);

class FlattenImpl : public Cloneable<FlattenImpl> {
public:
  explicit FlattenImpl(const FlattenOptions &options_ = {}) : options(options_) {}
  void reset() override {}
  Tensor forward(const Tensor &input) { return input.flatten(options.start_dim(), options.end_dim()); }
  FlattenOptions options;
};
TORCH_MODULE(Flatten);

class UnflattenImpl : public Cloneable<UnflattenImpl> {
public:
  UnflattenImpl(int64_t dim, std::vector<int64_t> sizes) : UnflattenImpl(UnflattenOptions(dim, sizes)) {}
  explicit UnflattenImpl(UnflattenOptions options_) : options(std::move(options_)) {}
  void reset() override {}
  Tensor forward(const Tensor &input) { return input.unflatten(options.dim(), options.sizes()); }
  UnflattenOptions options;
};
TORCH_MODULE(Unflatten);

} // namespace torch::nn
