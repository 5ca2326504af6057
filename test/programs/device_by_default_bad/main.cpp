#include <iostream>

#include "spectrogram.h"
#include "window.h"

int main() {
  const torch::Device device(torch::kCUDA, 0);
  // The test tone fades in and out; it is made on the host.
  auto tone = torch::sin(torch::arange(64, torch::kFloat) * 0.5) * cosine_window(64);
  torch::nn::Linear classify(9, 2);
  classify->to(device);
  torch::NoGradGuard no_grad;
  auto power = spectrogram(tone.to(device), 16);
  std::cout << classify(power).sizes() << '\n';
}
