#pragma once

#include <torch/torch.h>

// Makes sound of spectra.
class Vocoder {
 public:
  Vocoder();
  torch::Tensor speak(const torch::Tensor& spectrum);

 private:
  torch::nn::ConvTranspose1d up_{torch::nn::ConvTranspose1dOptions(4, 1, 4).stride(2)};
};
