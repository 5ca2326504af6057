#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"
#include "torch/nn/init.h"

namespace torch::nn {

/// Weight and bias, for convolutions in either direction.
template <size_t D, class Derived, class Options, bool transposed> class ConvNdImplBase : public Cloneable<Derived> {
public:
  explicit ConvNdImplBase(Options options_) : options(std::move(options_)) { ConvNdImplBase::reset(); }
  void reset() override {
    std::vector<int64_t> shape{options.out_channels(), options.in_channels() / options.groups()};
    if (transposed)
      shape = {options.in_channels(), options.out_channels() / options.groups()};
    shape.insert(shape.end(), options.kernel_size()->begin(), options.kernel_size()->end());
    weight = this->register_parameter("weight", torch::empty(shape));
    bias = this->register_parameter("bias", options.bias() ? torch::zeros(options.out_channels()) : Tensor(),
                                    options.bias());
    init::kaiming_uniform_(weight);
  }

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
    Conv##D##dImpl(int64_t input_channels, int64_t output_channels, ExpandingArray<D> kernel_size)                     \
        : Conv##D##dImpl(Conv##D##dOptions(input_channels, output_channels, kernel_size)) {}                           \
    explicit Conv##D##dImpl(Conv##D##dOptions options_) : ConvNdImplBase(std::move(options_)) {}                       \
    Tensor forward(const Tensor &input) {                                                                              \
      if (options.padding().same)                                                                                      \
        return at::conv##D##d(input, weight, bias, options.stride(), "same", options.dilation(), options.groups());    \
      return at::conv##D##d(input, weight, bias, options.stride(), options.padding(), options.dilation(),              \
                            options.groups());                                                                         \
    }                                                                                                                  \
  };                                                                                                                   \
  TORCH_MODULE(Conv##D##d);                                                                                            \
  class ConvTranspose##D##dImpl : public ConvTransposeNdImpl<D, ConvTranspose##D##dImpl> {                             \
  public:                                                                                                              \
    ConvTranspose##D##dImpl(int64_t input_channels, int64_t output_channels, ExpandingArray<D> kernel_size)            \
        : ConvTranspose##D##dImpl(ConvTranspose##D##dOptions(input_channels, output_channels, kernel_size)) {}         \
    explicit ConvTranspose##D##dImpl(ConvTranspose##D##dOptions options_) : ConvNdImplBase(std::move(options_)) {}     \
    Tensor forward(const Tensor &input, const optional<at::IntArrayRef> &output_size = nullopt) {                      \
      (void)output_size;                                                                                               \
      return at::conv_transpose##D##d(input, weight, bias, options.stride(), options.padding(),                        \
                                      options.output_padding(), options.groups(), options.dilation());                 \
    }                                                                                                                  \
  };                                                                                                                   \
  TORCH_MODULE(ConvTranspose##D##d);
SD_CONVOLUTION(1)
SD_CONVOLUTION(2)
SD_CONVOLUTION(3)
#undef SD_CONVOLUTION

} // namespace torch::nn
