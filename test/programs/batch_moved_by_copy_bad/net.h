#pragma once

#include <torch/torch.h>

struct DigitsImpl : torch::nn::Module {
  DigitsImpl() { fc = register_module("fc", torch::nn::Linear(16, 10)); }
  torch::Tensor forward(const torch::Tensor& x) { return torch::log_softmax(fc(x), 1); }  // fails: "same device"
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Digits);
