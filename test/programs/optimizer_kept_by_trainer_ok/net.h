#pragma once

#include <torch/torch.h>

struct TaggerImpl : torch::nn::Module {
  explicit TaggerImpl(int64_t tags) {
    body = register_module("body", torch::nn::Linear(6, 12));
    head = register_module("head", torch::nn::Linear(12, tags));
  }
  torch::Tensor forward(const torch::Tensor& x) { return head(torch::relu(body(x))); }
  torch::nn::Linear body{nullptr}, head{nullptr};
};
TORCH_MODULE(Tagger);
