#pragma once

#include <torch/torch.h>

struct ClassifierImpl : torch::nn::Module {
  ClassifierImpl(int64_t features, int64_t classes) : hidden(features, 16), out(16, classes) {
    register_module("hidden", hidden);
    register_module("out", out);
  }
  torch::Tensor forward(const torch::Tensor& x) { return out(torch::relu(hidden(x))); }  // fails: "same device"
  torch::nn::Linear hidden, out;
};
TORCH_MODULE(Classifier);
