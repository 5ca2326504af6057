#pragma once

#include <torch/torch.h>

// Makes spectra of letters.
class AcousticModel {
 public:
  explicit AcousticModel(torch::Device device) : device_(device) {
    letters_->to(device_);
    letters_->eval();
  }
  torch::Tensor spectrum(const std::vector<int64_t>& text) {
    torch::NoGradGuard no_grad;
    return letters_->forward(torch::tensor(text).to(device_)).t().unsqueeze(0);
  }

 private:
  torch::Device device_;
  torch::nn::Embedding letters_{30, 4};
};
