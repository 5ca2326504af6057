#pragma once

#include "encoder_base.h"

class TextEncoder : public EncoderBase {
 public:
  TextEncoder(int64_t width, int64_t codes) : EncoderBase(width) {
    rnn_ = register_module("rnn", torch::nn::GRU(torch::nn::GRUOptions(width, codes).batch_first(true)));
  }
  torch::Tensor encode(torch::Tensor x) override { return std::get<0>(rnn_->forward(normalized(x))).select(1, -1); }

 private:
  torch::nn::GRU rnn_{nullptr};
};
