// Options of activations, dropout, pooling, padding, losses, distances.
#pragma once
#pragma GCC system_header

#include "torch/arg.h"
#include "torch/enum.h"
#include "torch/expanding_array.h"

namespace torch::nn {

#define SD_INPLACE_OPTIONS(Name)                                                                                       \
  struct Name##Options {                                                                                               \
    /* implicit */ Name##Options(bool inplace = false) : inplace_(inplace) {}                                          \
    TORCH_ARG(bool, inplace);                                                                                          \
  };
SD_INPLACE_OPTIONS(ReLU)
SD_INPLACE_OPTIONS(ReLU6)
SD_INPLACE_OPTIONS(SELU)
#undef SD_INPLACE_OPTIONS
struct ELUOptions {
  TORCH_ARG(double, alpha) = 1.0;
  TORCH_ARG(bool, inplace) = false;
};
struct CELUOptions {
  TORCH_ARG(double, alpha) = 1.0;
  TORCH_ARG(bool, inplace) = false;
};
struct HardtanhOptions {
  TORCH_ARG(double, min_val) = -1.0;
  TORCH_ARG(double, max_val) = 1.0;
  TORCH_ARG(bool, inplace) = false;
};
struct LeakyReLUOptions {
  TORCH_ARG(double, negative_slope) = 1e-2;
  TORCH_ARG(bool, inplace) = false;
};
struct GELUOptions {
  TORCH_ARG(std::string, approximate) = "none";
};
struct GLUOptions {
  GLUOptions(int64_t dim = -1);
  TORCH_ARG(int64_t, dim);
};
struct SoftmaxOptions {
  SoftmaxOptions(int64_t dim);
  TORCH_ARG(int64_t, dim);
};
using LogSoftmaxOptions = SoftmaxOptions;
struct PReLUOptions {
  TORCH_ARG(int64_t, num_parameters) = 1;
  TORCH_ARG(double, init) = 0.25;
};
struct SoftplusOptions {
  TORCH_ARG(double, beta) = 1.0;
  TORCH_ARG(double, threshold) = 20.0;
};
struct MultiheadAttentionOptions {
  MultiheadAttentionOptions(int64_t embed_dim, int64_t num_heads);
  TORCH_ARG(int64_t, embed_dim);
  TORCH_ARG(int64_t, num_heads);
  TORCH_ARG(double, dropout) = 0.0;
  TORCH_ARG(bool, bias) = true;
  TORCH_ARG(int64_t, kdim);
  TORCH_ARG(int64_t, vdim);
};
struct DropoutOptions {
  DropoutOptions(double p = 0.5);
  TORCH_ARG(double, p);
  TORCH_ARG(bool, inplace) = false;
};
using Dropout2dOptions = DropoutOptions;

template <size_t D> struct AvgPoolOptions {
  AvgPoolOptions(ExpandingArray<D> kernel_size);
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride);
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(bool, ceil_mode) = false;
};
using AvgPool1dOptions = AvgPoolOptions<1>;
using AvgPool2dOptions = AvgPoolOptions<2>;
template <size_t D> struct MaxPoolOptions {
  MaxPoolOptions(ExpandingArray<D> kernel_size);
  TORCH_ARG(ExpandingArray<D>, kernel_size);
  TORCH_ARG(ExpandingArray<D>, stride);
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(bool, ceil_mode) = false;
};
using MaxPool1dOptions = MaxPoolOptions<1>;
using MaxPool2dOptions = MaxPoolOptions<2>;
template <class output_size_t> struct AdaptiveAvgPoolOptions {
  AdaptiveAvgPoolOptions(output_size_t output_size);
  TORCH_ARG(output_size_t, output_size);
};
using AdaptiveAvgPool1dOptions = AdaptiveAvgPoolOptions<ExpandingArray<1>>;
using AdaptiveAvgPool2dOptions = AdaptiveAvgPoolOptions<ExpandingArrayWithOptionalElem<2>>;

struct UpsampleOptions {
  TORCH_ARG(optional<std::vector<int64_t>>, size) = nullopt;
  TORCH_ARG(optional<std::vector<double>>, scale_factor) = nullopt;
  using mode_t = std::variant<enumtype::kNearest, enumtype::kLinear, enumtype::kBilinear, enumtype::kBicubic>;
  TORCH_ARG(mode_t, mode) = torch::kNearest;
  TORCH_ARG(optional<bool>, align_corners) = nullopt;
};

using reduction_t = std::variant<enumtype::kNone, enumtype::kMean, enumtype::kSum>;
#define SD_LOSS_OPTIONS(Name, ...)                                                                                     \
  struct Name##Options {                                                                                               \
    Name##Options() = default;                                                                                         \
    template <class R, class = std::enable_if_t<std::is_constructible_v<reduction_t, R>>>                              \
    Name##Options(R reduction) : reduction_(reduction) {}                                                              \
    TORCH_ARG(reduction_t, reduction) = torch::kMean;                                                                  \
    __VA_ARGS__                                                                                                        \
  };
SD_LOSS_OPTIONS(L1Loss)
SD_LOSS_OPTIONS(MSELoss)
SD_LOSS_OPTIONS(KLDivLoss, TORCH_ARG(bool, log_target) = false;)
SD_LOSS_OPTIONS(BCELoss, TORCH_ARG(Tensor, weight) = {};)
SD_LOSS_OPTIONS(BCEWithLogitsLoss, TORCH_ARG(Tensor, weight) = {}; TORCH_ARG(Tensor, pos_weight) = {};)
SD_LOSS_OPTIONS(NLLLoss, TORCH_ARG(Tensor, weight) = {}; TORCH_ARG(int64_t, ignore_index) = -100;)
SD_LOSS_OPTIONS(CrossEntropyLoss, TORCH_ARG(Tensor, weight) = {}; TORCH_ARG(int64_t, ignore_index) = -100;
                TORCH_ARG(double, label_smoothing) = 0.0;)
SD_LOSS_OPTIONS(SmoothL1Loss, TORCH_ARG(double, beta) = 1.0;)
SD_LOSS_OPTIONS(HuberLoss, TORCH_ARG(double, delta) = 1.0;)
SD_LOSS_OPTIONS(HingeEmbeddingLoss, TORCH_ARG(double, margin) = 1.0;)
SD_LOSS_OPTIONS(CosineEmbeddingLoss, TORCH_ARG(double, margin) = 0.0;)
SD_LOSS_OPTIONS(MarginRankingLoss, TORCH_ARG(double, margin) = 0;)
SD_LOSS_OPTIONS(TripletMarginLoss, TORCH_ARG(double, margin) = 1.0; TORCH_ARG(double, p) = 2.0;
                TORCH_ARG(double, eps) = 1e-6; TORCH_ARG(bool, swap) = false;)
SD_LOSS_OPTIONS(CTCLoss, TORCH_ARG(int64_t, blank) = 0; TORCH_ARG(bool, zero_infinity) = false;)
#undef SD_LOSS_OPTIONS

struct CosineSimilarityOptions {
  TORCH_ARG(int64_t, dim) = 1;
  TORCH_ARG(double, eps) = 1e-8;
};
struct PairwiseDistanceOptions {
  TORCH_ARG(double, p) = 2.0;
  TORCH_ARG(double, eps) = 1e-6;
  TORCH_ARG(bool, keepdim) = false;
};

namespace functional {
using ReLUFuncOptions = ReLUOptions;
using LeakyReLUFuncOptions = LeakyReLUOptions;
using ELUFuncOptions = ELUOptions;
using GELUFuncOptions = GELUOptions;
using SoftmaxFuncOptions = SoftmaxOptions;
using LogSoftmaxFuncOptions = LogSoftmaxOptions;
using MSELossFuncOptions = MSELossOptions;
using L1LossFuncOptions = L1LossOptions;
using SmoothL1LossFuncOptions = SmoothL1LossOptions;
using HuberLossFuncOptions = HuberLossOptions;
using KLDivFuncOptions = KLDivLossOptions;
using CrossEntropyFuncOptions = CrossEntropyLossOptions;
using NLLLossFuncOptions = NLLLossOptions;
using BinaryCrossEntropyFuncOptions = BCELossOptions;
using BinaryCrossEntropyWithLogitsFuncOptions = BCEWithLogitsLossOptions;
using CosineEmbeddingLossFuncOptions = CosineEmbeddingLossOptions;
using MarginRankingLossFuncOptions = MarginRankingLossOptions;
using TripletMarginLossFuncOptions = TripletMarginLossOptions;
using CosineSimilarityFuncOptions = CosineSimilarityOptions;
using PairwiseDistanceFuncOptions = PairwiseDistanceOptions;
using AvgPool2dFuncOptions = AvgPool2dOptions;
using MaxPool1dFuncOptions = MaxPool1dOptions;
using MaxPool2dFuncOptions = MaxPool2dOptions;
using AdaptiveAvgPool1dFuncOptions = AdaptiveAvgPool1dOptions;
using AdaptiveAvgPool2dFuncOptions = AdaptiveAvgPool2dOptions;
struct DropoutFuncOptions {
  TORCH_ARG(double, p) = 0.5;
  TORCH_ARG(bool, training) = true;
  TORCH_ARG(bool, inplace) = false;
};
template <size_t D> struct ConvFuncOptions {
  TORCH_ARG(torch::Tensor, bias) = Tensor();
  TORCH_ARG(ExpandingArray<D>, stride) = 1;
  TORCH_ARG(ExpandingArray<D>, padding) = 0;
  TORCH_ARG(ExpandingArray<D>, dilation) = 1;
  TORCH_ARG(int64_t, groups) = 1;
};
using Conv1dFuncOptions = ConvFuncOptions<1>;
using Conv2dFuncOptions = ConvFuncOptions<2>;
struct BatchNormFuncOptions {
  TORCH_ARG(Tensor, weight) = Tensor();
  TORCH_ARG(Tensor, bias) = Tensor();
  TORCH_ARG(bool, training) = false;
  TORCH_ARG(double, momentum) = 0.1;
  TORCH_ARG(double, eps) = 1e-5;
};
struct LayerNormFuncOptions {
  LayerNormFuncOptions(std::vector<int64_t> normalized_shape);
  TORCH_ARG(std::vector<int64_t>, normalized_shape);
  TORCH_ARG(Tensor, weight) = {};
  TORCH_ARG(Tensor, bias) = {};
  TORCH_ARG(double, eps) = 1e-5;
};
struct NormalizeFuncOptions {
  TORCH_ARG(double, p) = 2.0;
  TORCH_ARG(int64_t, dim) = 1;
  TORCH_ARG(double, eps) = 1e-12;
};
struct EmbeddingFuncOptions {
  TORCH_ARG(optional<int64_t>, padding_idx) = nullopt;
};
struct PadFuncOptions {
  PadFuncOptions(std::vector<int64_t> pad);
  TORCH_ARG(std::vector<int64_t>, pad);
  using mode_t = std::variant<enumtype::kConstant, enumtype::kReflect, enumtype::kReplicate, enumtype::kCircular>;
  TORCH_ARG(mode_t, mode) = torch::kConstant;
  TORCH_ARG(double, value) = 0;
};
struct InterpolateFuncOptions {
  using mode_t =
      std::variant<enumtype::kNearest, enumtype::kLinear, enumtype::kBilinear, enumtype::kBicubic, enumtype::kArea>;
  TORCH_ARG(optional<std::vector<int64_t>>, size) = nullopt;
  TORCH_ARG(optional<std::vector<double>>, scale_factor) = nullopt;
  TORCH_ARG(mode_t, mode) = torch::kNearest;
  TORCH_ARG(optional<bool>, align_corners) = nullopt;
  TORCH_ARG(optional<bool>, recompute_scale_factor) = nullopt;
};
struct GridSampleFuncOptions {
  using mode_t = std::variant<enumtype::kBilinear, enumtype::kNearest>;
  using padding_mode_t = std::variant<enumtype::kZeros, enumtype::kBorder, enumtype::kReflection>;
  TORCH_ARG(mode_t, mode) = torch::kBilinear;
  TORCH_ARG(padding_mode_t, padding_mode) = torch::kZeros;
  TORCH_ARG(optional<bool>, align_corners) = nullopt;
};
} // namespace functional

} // namespace torch::nn
