#pragma once
#pragma GCC system_header

#include "torch/nn/modules/activation.h"
#include "torch/nn/modules/container.h"
#include "torch/nn/modules/norm.h"

namespace torch::nn {

using activation_t = std::variant<enumtype::kReLU, enumtype::kGELU, std::function<Tensor(const Tensor &)>>;
#define SD_LAYER_OPTIONS(Name)                                                                                         \
  struct Name {                                                                                                        \
    Name(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}                                         \
    TORCH_ARG(int64_t, d_model);                                                                                       \
    TORCH_ARG(int64_t, nhead);                                                                                         \
    TORCH_ARG(int64_t, dim_feedforward) = 2048;                                                                        \
    TORCH_ARG(double, dropout) = 0.1;                                                                                  \
    TORCH_ARG(activation_t, activation) = torch::kReLU;                                                                \
  };
SD_LAYER_OPTIONS(TransformerEncoderLayerOptions)
SD_LAYER_OPTIONS(TransformerDecoderLayerOptions)
#undef SD_LAYER_OPTIONS

class TransformerEncoderLayerImpl : public Cloneable<TransformerEncoderLayerImpl> {
public:
  TransformerEncoderLayerImpl(int64_t d_model, int64_t nhead);
  explicit TransformerEncoderLayerImpl(const TransformerEncoderLayerOptions &options_);
  void reset() override;
  Tensor forward(const Tensor &src, const Tensor &src_mask = {}, const Tensor &src_key_padding_mask = {});
  TransformerEncoderLayerOptions options;
  MultiheadAttention self_attn = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;
  LayerNorm norm1 = nullptr, norm2 = nullptr;
};
TORCH_MODULE(TransformerEncoderLayer);

class TransformerDecoderLayerImpl : public Cloneable<TransformerDecoderLayerImpl> {
public:
  TransformerDecoderLayerImpl(int64_t d_model, int64_t nhead);
  explicit TransformerDecoderLayerImpl(const TransformerDecoderLayerOptions &options_);
  void reset() override;
  Tensor forward(Tensor tgt, const Tensor &memory, const Tensor &tgt_mask = {}, const Tensor &memory_mask = {},
                 const Tensor &tgt_key_padding_mask = {}, const Tensor &memory_key_padding_mask = {});
  TransformerDecoderLayerOptions options;
  MultiheadAttention self_attn = nullptr, multihead_attn = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;
  LayerNorm norm1 = nullptr, norm2 = nullptr, norm3 = nullptr;
};
TORCH_MODULE(TransformerDecoderLayer);

struct TransformerEncoderOptions {
  TransformerEncoderOptions(TransformerEncoderLayer encoder_layer, int64_t num_layers);
  TORCH_ARG(TransformerEncoderLayer, encoder_layer) = nullptr;
  TORCH_ARG(int64_t, num_layers);
  TORCH_ARG(AnyModule, norm);
};
/// A stack of copies of one layer, registered as "layers".
class TransformerEncoderImpl : public Cloneable<TransformerEncoderImpl> {
public:
  TransformerEncoderImpl(TransformerEncoderLayer encoder_layer, int64_t num_layers);
  explicit TransformerEncoderImpl(TransformerEncoderOptions options_);
  void reset() override;
  Tensor forward(const Tensor &src, const Tensor &src_mask = {}, const Tensor &src_key_padding_mask = {});
  TransformerEncoderOptions options;
  ModuleList layers = nullptr;
};
TORCH_MODULE(TransformerEncoder);

struct TransformerOptions {
  TransformerOptions() = default;
  TransformerOptions(int64_t d_model, int64_t nhead);
  TransformerOptions(int64_t d_model, int64_t nhead, int64_t num_encoder_layers, int64_t num_decoder_layers);
  TORCH_ARG(int64_t, d_model) = 512;
  TORCH_ARG(int64_t, nhead) = 8;
  TORCH_ARG(int64_t, num_encoder_layers) = 6;
  TORCH_ARG(int64_t, num_decoder_layers) = 6;
  TORCH_ARG(int64_t, dim_feedforward) = 2048;
  TORCH_ARG(double, dropout) = 0.1;
};
class TransformerImpl : public Cloneable<TransformerImpl> {
public:
  explicit TransformerImpl(TransformerOptions options_);
  void reset() override;
  Tensor forward(const Tensor &src, const Tensor &tgt, const Tensor &src_mask = {}, const Tensor &tgt_mask = {},
                 const Tensor &memory_mask = {}, const Tensor &src_key_padding_mask = {},
                 const Tensor &tgt_key_padding_mask = {}, const Tensor &memory_key_padding_mask = {});
  static Tensor generate_square_subsequent_mask(int64_t sz);
  TransformerOptions options;
  TransformerEncoder encoder = nullptr;
  ModuleList decoder = nullptr;
};
TORCH_MODULE(Transformer);

} // namespace torch::nn
