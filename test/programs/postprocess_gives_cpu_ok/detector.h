#pragma once

#include <torch/torch.h>

#include "detections.h"

class Detector {
 public:
  explicit Detector(torch::Device device) : device_(device) {
    net_->to(device_);
    scale_ = torch::tensor({2.f, 2.f, 2.f, 2.f}).to(device_);
  }
  Detections detect(const torch::Tensor& anchors);

 private:
  torch::Device device_;
  torch::nn::Linear net_{3, 5};
  torch::Tensor scale_;
};
