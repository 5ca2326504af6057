#pragma once

#include <torch/torch.h>

// Readings of a sensor, and whether they were too high.
class Readings : public torch::data::datasets::Dataset<Readings> {
 public:
  explicit Readings(int64_t count);
  torch::data::Example<> get(size_t index) override;
  torch::optional<size_t> size() const override;
  torch::Tensor mean() const { return values_.mean(0); }

 private:
  torch::Tensor values_, labels_;
};
