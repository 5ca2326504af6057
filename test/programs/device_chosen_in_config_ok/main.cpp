#include <iostream>

#include "config.h"
#include "generator.h"

torch::Tensor sample_latent(int64_t n);

int main() {
  configure("gpu");
  Generator generator;
  torch::NoGradGuard no_grad;
  auto pictures = generator(sample_latent(6));
  std::cout << "made " << pictures.size(0) << " pictures, mean " << pictures.mean().item<float>() << "\n";
}
