#pragma once

#include <torch/torch.h>

class AttentionImpl : public torch::nn::Module {
 public:
  AttentionImpl(int64_t width, int64_t longest);
  torch::Tensor forward(const torch::Tensor& x);

 private:
  int64_t width_;
  torch::nn::Linear query_{nullptr}, key_{nullptr}, value_{nullptr};
  torch::Tensor mask_;
};
TORCH_MODULE(Attention);
