// Activations and other layers without parameters, and attention.
#pragma once
#pragma GCC system_header

#include "torch/nn/modules/linear.h"

namespace torch::nn {

#define SD_PLAIN_LAYER(Name)                                                                                           \
  class Name##Impl : public Cloneable<Name##Impl> {                                                                    \
  public:                                                                                                              \
    void reset() override;                                                                                             \
    Tensor forward(const Tensor &input);                                                                               \
  };                                                                                                                   \
  TORCH_MODULE(Name);
SD_PLAIN_LAYER(SiLU)
SD_PLAIN_LAYER(Mish)
SD_PLAIN_LAYER(Sigmoid)
SD_PLAIN_LAYER(Tanh)
SD_PLAIN_LAYER(Softsign)
SD_PLAIN_LAYER(LogSigmoid)
#undef SD_PLAIN_LAYER

#define SD_LAYER(Name, OptionsType)                                                                                    \
  class Name##Impl : public Cloneable<Name##Impl> {                                                                    \
  public:                                                                                                              \
    explicit Name##Impl(const OptionsType &options_ = {});                                                             \
    void reset() override;                                                                                             \
    Tensor forward(Tensor input);                                                                                      \
    OptionsType options;                                                                                               \
  };                                                                                                                   \
  TORCH_MODULE(Name);
SD_LAYER(ReLU, ReLUOptions)
SD_LAYER(ReLU6, ReLU6Options)
SD_LAYER(LeakyReLU, LeakyReLUOptions)
SD_LAYER(ELU, ELUOptions)
SD_LAYER(SELU, SELUOptions)
SD_LAYER(CELU, CELUOptions)
SD_LAYER(GELU, GELUOptions)
SD_LAYER(GLU, GLUOptions)
SD_LAYER(Hardtanh, HardtanhOptions)
SD_LAYER(Softplus, SoftplusOptions)
SD_LAYER(Dropout, DropoutOptions)
SD_LAYER(Dropout2d, DropoutOptions)
SD_LAYER(AlphaDropout, DropoutOptions)
SD_LAYER(Upsample, UpsampleOptions)
#undef SD_LAYER

#define SD_SIZED_LAYER(Name, OptionsType, Size)                                                                        \
  class Name##Impl : public Cloneable<Name##Impl> {                                                                    \
  public:                                                                                                              \
    Name##Impl(Size size);                                                                                             \
    explicit Name##Impl(const OptionsType &options_);                                                                  \
    void reset() override;                                                                                             \
    Tensor forward(const Tensor &input);                                                                               \
    OptionsType options;                                                                                               \
  };                                                                                                                   \
  TORCH_MODULE(Name);
SD_SIZED_LAYER(Softmax, SoftmaxOptions, int64_t)
SD_SIZED_LAYER(LogSoftmax, LogSoftmaxOptions, int64_t)
SD_SIZED_LAYER(MaxPool1d, MaxPool1dOptions, ExpandingArray<1>)
SD_SIZED_LAYER(MaxPool2d, MaxPool2dOptions, ExpandingArray<2>)
SD_SIZED_LAYER(AvgPool2d, AvgPool2dOptions, ExpandingArray<2>)
SD_SIZED_LAYER(AvgPool1d, AvgPool1dOptions, ExpandingArray<1>)
SD_SIZED_LAYER(AdaptiveAvgPool1d, AdaptiveAvgPool1dOptions, ExpandingArray<1>)
SD_SIZED_LAYER(AdaptiveAvgPool2d, AdaptiveAvgPool2dOptions, ExpandingArrayWithOptionalElem<2>)
#undef SD_SIZED_LAYER

class PReLUImpl : public Cloneable<PReLUImpl> {
public:
  explicit PReLUImpl(const PReLUOptions &options_ = {});
  void reset() override;
  Tensor forward(const Tensor &input);
  PReLUOptions options;
  Tensor weight;
};
TORCH_MODULE(PReLU);

class MultiheadAttentionImpl : public Cloneable<MultiheadAttentionImpl> {
public:
  MultiheadAttentionImpl(int64_t embed_dim, int64_t num_heads);
  explicit MultiheadAttentionImpl(const MultiheadAttentionOptions &options_);
  void reset() override;
  std::tuple<Tensor, Tensor> forward(const Tensor &query, const Tensor &key, const Tensor &value,
                                     const Tensor &key_padding_mask = {}, bool need_weights = true,
                                     const Tensor &attn_mask = {}, bool average_attn_weights = true);

  MultiheadAttentionOptions options;
  Tensor in_proj_weight;
  Tensor in_proj_bias;
  Linear out_proj = nullptr;
  int64_t head_dim = 0;
};
TORCH_MODULE(MultiheadAttention);

} // namespace torch::nn
