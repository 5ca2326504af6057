#include "scorer.h"

Scorer::Scorer(int64_t features, torch::Device device) : device_(device), first_(features, 8), second_(8, 1) {
  first_->to(device_);
  second_->to(device_);
}

torch::Tensor Scorer::score(const torch::Tensor& features) {
  torch::NoGradGuard no_grad;
  return second_->forward(torch::relu(first_->forward(features))).squeeze(1);  // expect: device-mixed-operands
}
