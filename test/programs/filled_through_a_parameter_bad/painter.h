#pragma once

#include <torch/torch.h>

// A small net that paints: from a point and a mood to a colour.
struct PainterImpl : torch::nn::Module {
  PainterImpl() {
    first = register_module("first", torch::nn::Linear(5, 16));
    last = register_module("last", torch::nn::Linear(16, 3));
  }
  torch::Tensor forward(const torch::Tensor& points) { return torch::sigmoid(last(torch::sin(first(points)))); }
  torch::nn::Linear first{nullptr}, last{nullptr};
};
TORCH_MODULE(Painter);
