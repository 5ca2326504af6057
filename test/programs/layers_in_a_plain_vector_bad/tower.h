#pragma once

#include <torch/torch.h>

#include <vector>

// A tower of equal layers.
class TowerImpl : public torch::nn::Module {
 public:
  TowerImpl(int64_t width, int floors);
  torch::Tensor forward(torch::Tensor x);
  size_t floors() const { return floors_.size(); }

 private:
  std::vector<torch::nn::Linear> floors_;
  torch::nn::LayerNorm roof_{nullptr};
};
TORCH_MODULE(Tower);
