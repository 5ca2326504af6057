#include <cstdio>

#include "tower.h"

int main() {
  const bool gpu = torch::cuda::is_available();
  const torch::Device device(gpu ? torch::kCUDA : torch::kCPU);
  Tower tower(6, 3);
  tower->to(device);
  tower->eval();
  torch::NoGradGuard no_grad;
  auto top = tower(torch::rand({2, 6}, device));
  std::printf("%zu floors, %lld values\n", tower->floors(), static_cast<long long>(top.numel()));
}
