#pragma once

#include <torch/torch.h>

#include <functional>
#include <utility>

class Trainer {
 public:
  using Watcher = std::function<void(int step, const torch::Tensor& output)>;

  Trainer(torch::nn::Linear net, torch::Device device) : net_(std::move(net)), device_(device) { net_->to(device_); }
  void on_step(Watcher watcher) { watcher_ = std::move(watcher); }
  void run(int steps);

 private:
  torch::nn::Linear net_;
  torch::Device device_;
  Watcher watcher_;
};
