#pragma once

#include <torch/torch.h>

#include <memory>
#include <string>

// A step between the sensor and the net.
class Stage {
 public:
  virtual ~Stage() = default;
  virtual torch::Tensor run(const torch::Tensor& x) = 0;
};

std::unique_ptr<Stage> make_stage(const std::string& name);
