#pragma once

#include <torch/torch.h>

// Turns a picture into sixteen numbers.
class Extractor {
 public:
  explicit Extractor(torch::Device device) : device_(device) {
    conv_->to(device_);
    conv_->eval();
  }
  torch::Tensor operator()(const torch::Tensor& picture) {
    torch::NoGradGuard no_grad;
    return conv_->forward(picture.to(device_).unsqueeze(0)).mean({2, 3}).squeeze(0);
  }

 private:
  torch::Device device_;
  torch::nn::Conv2d conv_{torch::nn::Conv2dOptions(3, 16, 3)};
};
