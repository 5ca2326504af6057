// Options of linear, convolution, normalisation, embedding and recurrent layers.
#pragma once
#pragma GCC system_header

#include "torch/arg.h"
#include "torch/enum.h"
#include "torch/expanding_array.h"

namespace torch::nn {

struct LinearOptions {
  LinearOptions(int64_t in_features, int64_t out_features);
  TORCH_ARG(int64_t, in_features);
  TORCH_ARG(int64_t, out_features);
  TORCH_ARG(bool, bias) = true;
};
struct FlattenOptions {
  TORCH_ARG(int64_t, start_dim) = 1;
  TORCH_ARG(int64_t, end_dim) = -1;
};
struct UnflattenOptions {
  UnflattenOptions(int64_t dim, std::vector<int64_t> sizes);
  TORCH_ARG(int64_t, dim);
  TORCH_ARG(std::vector<int64_t>, sizes);
};
struct BilinearOptions {
  BilinearOptions(int64_t in1_features, int64_t in2_features, int64_t out_features);
  TORCH_ARG(int64_t, in1_features);
  TORCH_ARG(int64_t, in2_features);
  TORCH_ARG(int64_t, out_features);
  TORCH_ARG(bool, bias) = true;
};

namespace detail {
using conv_padding_mode_t =
    std::variant<enumtype::kZeros, enumtype::kReflect, enumtype::kReplicate, enumtype::kCircular>;
/// Padding is numbers, or "as much as keeps the size", or none.
template <size_t D> struct ConvPadding : ExpandingArray<D> {
  using ExpandingArray<D>::ExpandingArray;
  ConvPadding(enumtype::kValid);
  ConvPadding(enumtype::kSame);
  bool same = false;
};
} // namespace detail

template <size_t D> struct ConvOptions {
  using padding_t = detail::ConvPadding<D>;
  ConvOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size);
  TORCH_ARG(int64_t, in_channels);
  TORCH_ARG(int64_t, out_channels);
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(padding_t, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(int64_t, groups) = 1;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(detail::conv_padding_mode_t, padding_mode) = torch::kZeros;
};
template <size_t D> struct ConvTransposeOptions {
  ConvTransposeOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size);
  TORCH_ARG(int64_t, in_channels);
  TORCH_ARG(int64_t, out_channels);
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, output_padding) = 0;
  TORCH_ARG(int64_t, groups) = 1;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(detail::conv_padding_mode_t, padding_mode) = torch::kZeros;
};
using Conv1dOptions = ConvOptions<1>;
using Conv2dOptions = ConvOptions<2>;
using Conv3dOptions = ConvOptions<3>;
using ConvTranspose1dOptions = ConvTransposeOptions<1>;
using ConvTranspose2dOptions = ConvTransposeOptions<2>;
using ConvTranspose3dOptions = ConvTransposeOptions<3>;

struct BatchNormOptions {
  BatchNormOptions(int64_t num_features);
  TORCH_ARG(int64_t, num_features);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(optional<double>, momentum) = 0.1;
  TORCH_ARG(bool, affine) = true;
  TORCH_ARG(bool, track_running_stats) = true;
};
using BatchNorm1dOptions = BatchNormOptions;
using BatchNorm2dOptions = BatchNormOptions;
using BatchNorm3dOptions = BatchNormOptions;
struct InstanceNormOptions {
  InstanceNormOptions(int64_t num_features);
  TORCH_ARG(int64_t, num_features);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(double, momentum) = 0.1;
  TORCH_ARG(bool, affine) = false;
  TORCH_ARG(bool, track_running_stats) = false;
};
using InstanceNorm1dOptions = InstanceNormOptions;
using InstanceNorm2dOptions = InstanceNormOptions;
struct LayerNormOptions {
  LayerNormOptions(std::vector<int64_t> normalized_shape);
  TORCH_ARG(std::vector<int64_t>, normalized_shape);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(bool, elementwise_affine) = true;
};
struct GroupNormOptions {
  GroupNormOptions(int64_t num_groups, int64_t num_channels);
  TORCH_ARG(int64_t, num_groups);
  TORCH_ARG(int64_t, num_channels);
  TORCH_ARG(double, eps) = 1e-5;
  TORCH_ARG(bool, affine) = true;
};

using EmbeddingBagMode = std::variant<enumtype::kSum, enumtype::kMean, enumtype::kMax>;
struct EmbeddingOptions {
  EmbeddingOptions(int64_t num_embeddings, int64_t embedding_dim);
  TORCH_ARG(int64_t, num_embeddings);
  TORCH_ARG(int64_t, embedding_dim);
  TORCH_ARG(optional<int64_t>, padding_idx) = nullopt;
  TORCH_ARG(optional<double>, max_norm) = nullopt;
  TORCH_ARG(double, norm_type) = 2.;
  TORCH_ARG(bool, scale_grad_by_freq) = false;
  TORCH_ARG(bool, sparse) = false;
  TORCH_ARG(torch::Tensor, _weight) = Tensor();
};
struct EmbeddingFromPretrainedOptions {
  TORCH_ARG(bool, freeze) = true;
  TORCH_ARG(optional<int64_t>, padding_idx) = nullopt;
};
struct EmbeddingBagOptions {
  EmbeddingBagOptions(int64_t num_embeddings, int64_t embedding_dim);
  TORCH_ARG(int64_t, num_embeddings);
  TORCH_ARG(int64_t, embedding_dim);
  TORCH_ARG(bool, scale_grad_by_freq) = false;
  TORCH_ARG(EmbeddingBagMode, mode) = torch::kMean;
  TORCH_ARG(bool, sparse) = false;
  TORCH_ARG(torch::Tensor, _weight) = Tensor();
  TORCH_ARG(bool, include_last_offset) = false;
};

#define SD_RECURRENT_OPTIONS(Name)                                                                                     \
  Name(int64_t input_size, int64_t hidden_size) : input_size_(input_size), hidden_size_(hidden_size) {}                \
  TORCH_ARG(int64_t, input_size);                                                                                      \
  TORCH_ARG(int64_t, hidden_size);                                                                                     \
  TORCH_ARG(bool, bias) = true;
#define SD_STACKED_OPTIONS(Name)                                                                                       \
  SD_RECURRENT_OPTIONS(Name)                                                                                           \
  TORCH_ARG(int64_t, num_layers) = 1;                                                                                  \
  TORCH_ARG(bool, batch_first) = false;                                                                                \
  TORCH_ARG(double, dropout) = 0.0;                                                                                    \
  TORCH_ARG(bool, bidirectional) = false;
using nonlinearity_t = std::variant<enumtype::kTanh, enumtype::kReLU>;
struct RNNOptions {
  SD_STACKED_OPTIONS(RNNOptions)
  TORCH_ARG(nonlinearity_t, nonlinearity) = torch::kTanh;
};
struct LSTMOptions {
  SD_STACKED_OPTIONS(LSTMOptions)
  TORCH_ARG(int64_t, proj_size) = 0;
};
struct GRUOptions {
  SD_STACKED_OPTIONS(GRUOptions)
};
struct RNNCellOptions {
  SD_RECURRENT_OPTIONS(RNNCellOptions)
  TORCH_ARG(nonlinearity_t, nonlinearity) = torch::kTanh;
};
struct LSTMCellOptions {
  SD_RECURRENT_OPTIONS(LSTMCellOptions)
};
struct GRUCellOptions {
  SD_RECURRENT_OPTIONS(GRUCellOptions)
};
#undef SD_STACKED_OPTIONS
#undef SD_RECURRENT_OPTIONS

} // namespace torch::nn
