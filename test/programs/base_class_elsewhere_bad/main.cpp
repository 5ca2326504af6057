#include <iostream>
#include <memory>

#include "text_encoder.h"

int main() {
  const torch::Device device(torch::kCUDA);
  auto encoder = std::make_shared<TextEncoder>(6, 3);
  encoder->to(device);
  encoder->eval();
  torch::NoGradGuard no_grad;
  auto codes = encoder->encode(torch::randn({2, 5, 6}, device));
  std::cout << codes.sizes() << '\n';
}
