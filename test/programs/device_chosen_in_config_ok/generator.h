#pragma once

#include "config.h"

class Generator {
 public:
  Generator() : net_(torch::nn::Linear(latent_mean.size(0), 16), torch::nn::ReLU(), torch::nn::Linear(16, 4)) {
    net_->to(device);
  }
  torch::Tensor operator()(const torch::Tensor& z) { return torch::tanh(net_->forward(z)); }

 private:
  torch::nn::Sequential net_;
};
