#include <iostream>

#include "config.h"
#include "generator.h"

torch::Tensor sample_latent(int64_t n, double spread);

int main() {
  configure("gpu", 8);
  Generator generator;
  torch::NoGradGuard no_grad;
  auto pictures = generator(sample_latent(6, 0.7));
  std::cout << "made " << pictures.size(0) << " pictures, mean " << pictures.mean().item<float>() << "\n";
}
