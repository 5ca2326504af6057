#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"
#include "torch/nn/init.h"

namespace torch::nn {

/// Weight and bias, for convolutions in either direction.
template <size_t D, class Derived, class Options, bool transposed> class ConvNdImplBase : public Cloneable<Derived> {
public:
  explicit ConvNdImplBase(Options options_);
  void reset() override;

  Options options;
  Tensor weight;
  Tensor bias;
};
template <size_t D, class Derived> using ConvNdImpl = ConvNdImplBase<D, Derived, ConvOptions<D>, false>;
template <size_t D, class Derived>
using ConvTransposeNdImpl = ConvNdImplBase<D, Derived, ConvTransposeOptions<D>, true>;

#define SD_CONVOLUTION(D)                                                                                              \
  class Conv##D##dImpl : public ConvNdImpl<D, Conv##D##dImpl> {                                                        \
  public:                                                                                                              \
    Conv##D##dImpl(int64_t input_channels, int64_t output_channels, ExpandingArray<D> kernel_size);                    \
    explicit Conv##D##dImpl(Conv##D##dOptions options_);                                                               \
    Tensor forward(const Tensor &input);                                                                               \
  };                                                                                                                   \
  TORCH_MODULE(Conv##D##d);                                                                                            \
  class ConvTranspose##D##dImpl : public ConvTransposeNdImpl<D, ConvTranspose##D##dImpl> {                             \
  public:                                                                                                              \
    ConvTranspose##D##dImpl(int64_t input_channels, int64_t output_channels, ExpandingArray<D> kernel_size);           \
    explicit ConvTranspose##D##dImpl(ConvTranspose##D##dOptions options_);                                             \
    Tensor forward(const Tensor &input, const optional<at::IntArrayRef> &output_size = nullopt);                       \
  };                                                                                                                   \
  TORCH_MODULE(ConvTranspose##D##d);
SD_CONVOLUTION(1)
SD_CONVOLUTION(2)
SD_CONVOLUTION(3)
#undef SD_CONVOLUTION

} // namespace torch::nn
