#pragma once

#include <torch/torch.h>

// Learns the worth of actions, with a target that follows slowly.
class Agent {
 public:
  Agent(int64_t observations, int64_t actions);
  void to(torch::Device device);
  torch::Tensor act(const torch::Tensor& observation);
  torch::Tensor future(const torch::Tensor& observation, double discount);
  void follow(double speed);

 private:
  torch::Device device_ = torch::kCPU;
  torch::nn::Linear policy_, target_;
};
