#pragma once

#include <torch/torch.h>

// What all encoders have in common: inputs are brought to mean 0 and deviation 1.
class EncoderBase : public torch::nn::Module {
 public:
  explicit EncoderBase(int64_t width);
  virtual torch::Tensor encode(torch::Tensor x) = 0;

 protected:
  torch::Tensor normalized(const torch::Tensor& x) const;

 private:
  torch::Tensor mean_, deviation_;
};
