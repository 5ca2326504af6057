// Activations and other layers without parameters, and attention.
#pragma once
#pragma GCC system_header

#include "torch/nn/modules/linear.h"

#include <cmath>

namespace torch::nn {

#define SD_PLAIN_LAYER(Name, expression)                                                                               \
  class Name##Impl : public Cloneable<Name##Impl> {                                                                    \
  public:                                                                                                              \
    void reset() override {}                                                                                           \
    Tensor forward(const Tensor &input) { return expression; }                                                         \
  };                                                                                                                   \
  TORCH_MODULE(Name);
SD_PLAIN_LAYER(SiLU, at::silu(input))
SD_PLAIN_LAYER(Mish, at::mish(input))
SD_PLAIN_LAYER(Sigmoid, at::sigmoid(input))
SD_PLAIN_LAYER(Tanh, at::tanh(input))
SD_PLAIN_LAYER(Softsign, input / (input.abs() + 1))
SD_PLAIN_LAYER(LogSigmoid, at::log_sigmoid(input))
#undef SD_PLAIN_LAYER

#define SD_LAYER(Name, OptionsType, expression)                                                                        \
  class Name##Impl : public Cloneable<Name##Impl> {                                                                    \
  public:                                                                                                              \
    explicit Name##Impl(const OptionsType &options_ = {}) : options(options_) {}                                       \
    void reset() override {}                                                                                           \
    Tensor forward(Tensor input) { return expression; }                                                                \
    OptionsType options;                                                                                               \
  };                                                                                                                   \
  TORCH_MODULE(Name);
SD_LAYER(ReLU, ReLUOptions, functional::relu(input, options))
SD_LAYER(ReLU6, ReLU6Options, functional::relu6(input, options))
SD_LAYER(LeakyReLU, LeakyReLUOptions, functional::leaky_relu(input, options))
SD_LAYER(ELU, ELUOptions, functional::elu(input, options))
SD_LAYER(SELU, SELUOptions, functional::selu(input, options))
SD_LAYER(CELU, CELUOptions, at::celu(input, options.alpha()))
SD_LAYER(GELU, GELUOptions, functional::gelu(input, options))
SD_LAYER(GLU, GLUOptions, functional::glu(input, options))
SD_LAYER(Hardtanh, HardtanhOptions, at::hardtanh(input, options.min_val(), options.max_val()))
SD_LAYER(Softplus, SoftplusOptions, functional::softplus(input, options))
SD_LAYER(Dropout, DropoutOptions, at::dropout(input, options.p(), is_training()))
SD_LAYER(Dropout2d, DropoutOptions, at::feature_dropout(input, options.p(), is_training()))
SD_LAYER(AlphaDropout, DropoutOptions, at::alpha_dropout(input, options.p(), is_training()))
SD_LAYER(Upsample, UpsampleOptions,
         functional::interpolate(
             input, functional::InterpolateFuncOptions().size(options.size()).scale_factor(options.scale_factor())))
#undef SD_LAYER

#define SD_SIZED_LAYER(Name, OptionsType, Size, expression)                                                            \
  class Name##Impl : public Cloneable<Name##Impl> {                                                                    \
  public:                                                                                                              \
    Name##Impl(Size size) : Name##Impl(OptionsType(size)) {}                                                           \
    explicit Name##Impl(const OptionsType &options_) : options(options_) {}                                            \
    void reset() override {}                                                                                           \
    Tensor forward(const Tensor &input) { return expression; }                                                         \
    OptionsType options;                                                                                               \
  };                                                                                                                   \
  TORCH_MODULE(Name);
SD_SIZED_LAYER(Softmax, SoftmaxOptions, int64_t, functional::softmax(input, options))
SD_SIZED_LAYER(LogSoftmax, LogSoftmaxOptions, int64_t, functional::log_softmax(input, options))
SD_SIZED_LAYER(MaxPool1d, MaxPool1dOptions, ExpandingArray<1>, functional::max_pool1d(input, options))
SD_SIZED_LAYER(MaxPool2d, MaxPool2dOptions, ExpandingArray<2>, functional::max_pool2d(input, options))
SD_SIZED_LAYER(AvgPool2d, AvgPool2dOptions, ExpandingArray<2>, functional::avg_pool2d(input, options))
SD_SIZED_LAYER(AvgPool1d, AvgPool1dOptions, ExpandingArray<1>,
               at::avg_pool1d(input, options.kernel_size(), options.stride(), options.padding()))
SD_SIZED_LAYER(AdaptiveAvgPool1d, AdaptiveAvgPool1dOptions, ExpandingArray<1>,
               functional::adaptive_avg_pool1d(input, options))
SD_SIZED_LAYER(AdaptiveAvgPool2d, AdaptiveAvgPool2dOptions, ExpandingArrayWithOptionalElem<2>,
               functional::adaptive_avg_pool2d(input, options))
#undef SD_SIZED_LAYER

class PReLUImpl : public Cloneable<PReLUImpl> {
public:
  explicit PReLUImpl(const PReLUOptions &options_ = {}) : options(options_) { PReLUImpl::reset(); }
  void reset() override {
    weight = register_parameter("weight", torch::full({options.num_parameters()}, options.init()));
  }
  Tensor forward(const Tensor &input) { return functional::prelu(input, weight); }
  PReLUOptions options;
  Tensor weight;
};
TORCH_MODULE(PReLU);

class MultiheadAttentionImpl : public Cloneable<MultiheadAttentionImpl> {
public:
  MultiheadAttentionImpl(int64_t embed_dim, int64_t num_heads)
      : MultiheadAttentionImpl(MultiheadAttentionOptions(embed_dim, num_heads)) {}
  explicit MultiheadAttentionImpl(const MultiheadAttentionOptions &options_) : options(options_) {
    MultiheadAttentionImpl::reset();
  }
  void reset() override {
    const int64_t e = options.embed_dim();
    head_dim = e / options.num_heads();
    in_proj_weight = register_parameter("in_proj_weight", torch::rand({3 * e, e}) * 0.1);
    in_proj_bias =
        register_parameter("in_proj_bias", options.bias() ? torch::zeros({3 * e}) : Tensor(), options.bias());
    out_proj = register_module("out_proj", Linear(LinearOptions(e, e).bias(options.bias())));
  }
  std::tuple<Tensor, Tensor> forward(const Tensor &query, const Tensor &key, const Tensor &value,
                                     const Tensor &key_padding_mask = {}, bool need_weights = true,
                                     const Tensor &attn_mask = {}, bool average_attn_weights = true) {
    const int64_t e = options.embed_dim(), batch = query.size(1);
    const auto project = [&](const Tensor &x, int64_t part) {
      const Tensor bias = in_proj_bias.defined() ? in_proj_bias.slice(0, part * e, (part + 1) * e) : Tensor();
      const Tensor y = functional::linear(x, in_proj_weight.slice(0, part * e, (part + 1) * e), bias);
      return y.reshape({x.size(0), batch * options.num_heads(), head_dim}).transpose(0, 1);
    };
    Tensor scores = project(query, 0).bmm(project(key, 1).transpose(1, 2)) / std::sqrt(static_cast<double>(head_dim));
    if (attn_mask.defined())
      scores = attn_mask.scalar_type() == torch::kBool ? scores.masked_fill(attn_mask, -1e9) : scores + attn_mask;
    if (key_padding_mask.defined()) {
      const auto mask = key_padding_mask.unsqueeze(1).repeat_interleave(options.num_heads(), 0);
      scores = scores.masked_fill(mask, -1e9);
    }
    const Tensor weights = scores.softmax(-1);
    const Tensor out = weights.bmm(project(value, 2)).transpose(0, 1).reshape({query.size(0), batch, e});
    (void)average_attn_weights;
    return std::make_tuple(out_proj->forward(out), need_weights ? weights : Tensor());
  }

  MultiheadAttentionOptions options;
  Tensor in_proj_weight;
  Tensor in_proj_bias;
  Linear out_proj = nullptr;
  int64_t head_dim = 0;
};
TORCH_MODULE(MultiheadAttention);

} // namespace torch::nn
