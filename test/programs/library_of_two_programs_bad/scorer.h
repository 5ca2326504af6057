#pragma once

#include <torch/torch.h>

// Judges feature vectors. It works where it is told to.
class Scorer {
 public:
  Scorer(int64_t features, torch::Device device);
  torch::Tensor score(const torch::Tensor& features);
  torch::Device device() const { return device_; }

 private:
  torch::Device device_;
  torch::nn::Linear first_, second_;
};
