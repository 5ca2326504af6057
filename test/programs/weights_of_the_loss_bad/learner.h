#pragma once

#include <torch/torch.h>

#include <utility>

class Learner {
 public:
  Learner(torch::Device device, torch::nn::CrossEntropyLoss loss);
  double learn(const torch::Tensor& x, const torch::Tensor& labels);

 private:
  torch::Device device_;
  torch::nn::Linear net_{4, 3};
  torch::nn::CrossEntropyLoss loss_;
};
