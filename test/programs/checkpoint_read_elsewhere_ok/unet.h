#pragma once

#include <torch/torch.h>

struct DenoiserImpl : torch::nn::Module {
  DenoiserImpl()
      : first(register_module("first", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 3).padding(1)))),
        last(register_module("last", torch::nn::Conv2d(torch::nn::Conv2dOptions(4, 1, 3).padding(1)))) {}
  torch::Tensor forward(const torch::Tensor& x) { return x - last(torch::relu(first(x))); }
  torch::nn::Conv2d first, last;
};
TORCH_MODULE(Denoiser);
