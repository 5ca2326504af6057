#pragma once

#include <torch/torch.h>

// The models of this process; each is there once.
class Models {
 public:
  static Models& instance();
  torch::nn::Linear encoder() { return encoder_; }
  torch::nn::Linear decoder() { return decoder_; }
  torch::Device device() const { return device_; }

 private:
  Models();
  torch::Device device_;
  torch::nn::Linear encoder_, decoder_;
};
