#pragma once

#include <torch/torch.h>

// Spectra are complex; here they are two real tensors.
struct Spectrum {
  torch::Tensor real, imaginary;
};

Spectrum operator*(const Spectrum& a, const Spectrum& b);
Spectrum operator+(const Spectrum& a, const Spectrum& b);

// What lets low frequencies pass.
Spectrum low_pass(int64_t size, int64_t limit, torch::Device device);
