#pragma once

#include <torch/torch.h>

struct DenoiserImpl : torch::nn::Module {
  DenoiserImpl()
      : in(register_module("in", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 3).padding(1)))),
        out(register_module("out", torch::nn::Conv2d(torch::nn::Conv2dOptions(4, 1, 3).padding(1)))) {}
  torch::Tensor forward(const torch::Tensor& x) { return x - out(torch::relu(in(x))); }
  torch::nn::Conv2d in, out;
};
TORCH_MODULE(Denoiser);
