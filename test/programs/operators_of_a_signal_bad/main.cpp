#include <iostream>

#include "signal.h"

static Spectrum noise(int64_t size, torch::Device device) {
  return {torch::randn({size}, device), torch::randn({size}, device)};
}

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  const auto heard = noise(32, device) + noise(32, device);
  const auto filtered = heard * low_pass(32, 8);  // expect: device-mixed-operands
  const auto power = filtered.real.pow(2) + filtered.imaginary.pow(2);
  std::cout << power.sum().item<float>() << '\n';
}
