#include "learner.h"

Learner::Learner(torch::Device device, torch::nn::CrossEntropyLoss loss)
    : device_(device), loss_(std::move(loss)) {  // expect: device-unmoved-module
  net_->to(device_);
}

double Learner::learn(const torch::Tensor& x, const torch::Tensor& labels) {
  auto loss = loss_->forward(net_->forward(x.to(device_)), labels.to(device_));  // fails: "same device"
  loss.backward();
  torch::NoGradGuard no_grad;
  for (auto& p : net_->parameters()) p.sub_(0.1 * p.grad());
  net_->zero_grad();
  return loss.item<double>();
}
