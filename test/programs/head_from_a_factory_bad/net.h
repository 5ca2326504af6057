#pragma once

#include <torch/torch.h>

struct BackboneImpl : torch::nn::Module {
  BackboneImpl() {
    stem = register_module("stem", torch::nn::Conv1d(torch::nn::Conv1dOptions(1, 4, 3).padding(1)));
    head = register_module("head", torch::nn::Sequential(torch::nn::Linear(4, 100)));
  }
  torch::Tensor forward(const torch::Tensor& x) {
    return head->forward(torch::relu(stem(x)).mean(2));  // fails: "same device"
  }
  torch::nn::Conv1d stem{nullptr};
  torch::nn::Sequential head{nullptr};
};
TORCH_MODULE(Backbone);
