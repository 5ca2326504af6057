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
  TransformerEncoderLayerImpl(int64_t d_model, int64_t nhead)
      : TransformerEncoderLayerImpl(TransformerEncoderLayerOptions(d_model, nhead)) {}
  explicit TransformerEncoderLayerImpl(const TransformerEncoderLayerOptions &options_) : options(options_) {
    TransformerEncoderLayerImpl::reset();
  }
  void reset() override {
    const std::vector<int64_t> shape{options.d_model()};
    self_attn = register_module("self_attn", MultiheadAttention(options.d_model(), options.nhead()));
    linear1 = register_module("linear1", Linear(options.d_model(), options.dim_feedforward()));
    linear2 = register_module("linear2", Linear(options.dim_feedforward(), options.d_model()));
    norm1 = register_module("norm1", LayerNorm(shape));
    norm2 = register_module("norm2", LayerNorm(shape));
  }
  Tensor forward(const Tensor &src, const Tensor &src_mask = {}, const Tensor &src_key_padding_mask = {}) {
    const auto attended = std::get<0>(self_attn->forward(src, src, src, src_key_padding_mask, true, src_mask));
    const Tensor x = norm1->forward(src + attended);
    return norm2->forward(x + linear2->forward(linear1->forward(x).relu()));
  }
  TransformerEncoderLayerOptions options;
  MultiheadAttention self_attn = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;
  LayerNorm norm1 = nullptr, norm2 = nullptr;
};
TORCH_MODULE(TransformerEncoderLayer);

class TransformerDecoderLayerImpl : public Cloneable<TransformerDecoderLayerImpl> {
public:
  TransformerDecoderLayerImpl(int64_t d_model, int64_t nhead)
      : TransformerDecoderLayerImpl(TransformerDecoderLayerOptions(d_model, nhead)) {}
  explicit TransformerDecoderLayerImpl(const TransformerDecoderLayerOptions &options_) : options(options_) {
    TransformerDecoderLayerImpl::reset();
  }
  void reset() override {
    const std::vector<int64_t> shape{options.d_model()};
    self_attn = register_module("self_attn", MultiheadAttention(options.d_model(), options.nhead()));
    multihead_attn = register_module("multihead_attn", MultiheadAttention(options.d_model(), options.nhead()));
    linear1 = register_module("linear1", Linear(options.d_model(), options.dim_feedforward()));
    linear2 = register_module("linear2", Linear(options.dim_feedforward(), options.d_model()));
    norm1 = register_module("norm1", LayerNorm(shape));
    norm2 = register_module("norm2", LayerNorm(shape));
    norm3 = register_module("norm3", LayerNorm(shape));
  }
  Tensor forward(Tensor tgt, const Tensor &memory, const Tensor &tgt_mask = {}, const Tensor &memory_mask = {},
                 const Tensor &tgt_key_padding_mask = {}, const Tensor &memory_key_padding_mask = {}) {
    tgt = norm1->forward(tgt + std::get<0>(self_attn->forward(tgt, tgt, tgt, tgt_key_padding_mask, true, tgt_mask)));
    tgt = norm2->forward(
        tgt + std::get<0>(multihead_attn->forward(tgt, memory, memory, memory_key_padding_mask, true, memory_mask)));
    return norm3->forward(tgt + linear2->forward(linear1->forward(tgt).relu()));
  }
  TransformerDecoderLayerOptions options;
  MultiheadAttention self_attn = nullptr, multihead_attn = nullptr;
  Linear linear1 = nullptr, linear2 = nullptr;
  LayerNorm norm1 = nullptr, norm2 = nullptr, norm3 = nullptr;
};
TORCH_MODULE(TransformerDecoderLayer);

struct TransformerEncoderOptions {
  TransformerEncoderOptions(TransformerEncoderLayer encoder_layer, int64_t num_layers)
      : encoder_layer_(std::move(encoder_layer)), num_layers_(num_layers) {}
  TORCH_ARG(TransformerEncoderLayer, encoder_layer) = nullptr;
  TORCH_ARG(int64_t, num_layers);
  TORCH_ARG(AnyModule, norm);
};
/// A stack of copies of one layer, registered as "layers".
class TransformerEncoderImpl : public Cloneable<TransformerEncoderImpl> {
public:
  TransformerEncoderImpl(TransformerEncoderLayer encoder_layer, int64_t num_layers)
      : TransformerEncoderImpl(TransformerEncoderOptions(encoder_layer, num_layers)) {}
  explicit TransformerEncoderImpl(TransformerEncoderOptions options_) : options(std::move(options_)) {
    TransformerEncoderImpl::reset();
  }
  void reset() override {
    layers = register_module("layers", ModuleList());
    for (int64_t i = 0; i < options.num_layers(); ++i)
      layers->push_back(options.encoder_layer()->clone());
  }
  Tensor forward(const Tensor &src, const Tensor &src_mask = {}, const Tensor &src_key_padding_mask = {}) {
    Tensor output = src;
    for (const auto &layer : *layers)
      output = layer->as<TransformerEncoderLayerImpl>()->forward(output, src_mask, src_key_padding_mask);
    return output;
  }
  TransformerEncoderOptions options;
  ModuleList layers = nullptr;
};
TORCH_MODULE(TransformerEncoder);

struct TransformerOptions {
  TransformerOptions() = default;
  TransformerOptions(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  TransformerOptions(int64_t d_model, int64_t nhead, int64_t num_encoder_layers, int64_t num_decoder_layers)
      : d_model_(d_model), nhead_(nhead), num_encoder_layers_(num_encoder_layers),
        num_decoder_layers_(num_decoder_layers) {}
  TORCH_ARG(int64_t, d_model) = 512;
  TORCH_ARG(int64_t, nhead) = 8;
  TORCH_ARG(int64_t, num_encoder_layers) = 6;
  TORCH_ARG(int64_t, num_decoder_layers) = 6;
  TORCH_ARG(int64_t, dim_feedforward) = 2048;
  TORCH_ARG(double, dropout) = 0.1;
};
class TransformerImpl : public Cloneable<TransformerImpl> {
public:
  explicit TransformerImpl(TransformerOptions options_) : options(std::move(options_)) { TransformerImpl::reset(); }
  void reset() override {
    const TransformerEncoderLayer layer(
        TransformerEncoderLayerOptions(options.d_model(), options.nhead()).dim_feedforward(options.dim_feedforward()));
    encoder = register_module("encoder", TransformerEncoder(layer, options.num_encoder_layers()));
    decoder = register_module("decoder", ModuleList());
    for (int64_t i = 0; i < options.num_decoder_layers(); ++i)
      decoder->push_back(TransformerDecoderLayer(TransformerDecoderLayerOptions(options.d_model(), options.nhead())
                                                     .dim_feedforward(options.dim_feedforward())));
  }
  Tensor forward(const Tensor &src, const Tensor &tgt, const Tensor &src_mask = {}, const Tensor &tgt_mask = {},
                 const Tensor &memory_mask = {}, const Tensor &src_key_padding_mask = {},
                 const Tensor &tgt_key_padding_mask = {}, const Tensor &memory_key_padding_mask = {}) {
    const Tensor memory = encoder->forward(src, src_mask, src_key_padding_mask);
    Tensor output = tgt;
    for (const auto &layer : *decoder)
      output = layer->as<TransformerDecoderLayerImpl>()->forward(output, memory, tgt_mask, memory_mask,
                                                                 tgt_key_padding_mask, memory_key_padding_mask);
    return output;
  }
  static Tensor generate_square_subsequent_mask(int64_t sz) { return torch::full({sz, sz}, -1e9).triu(1); }
  TransformerOptions options;
  TransformerEncoder encoder = nullptr;
  ModuleList decoder = nullptr;
};
TORCH_MODULE(Transformer);

} // namespace torch::nn
