#include <cstdio>

#include "learner.h"
#include "losses.h"

int main() {
  auto loss = balanced_loss({90, 8, 2});
  Learner learner(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU, loss);
  for (int i = 0; i < 2; ++i) {
    const auto labels = torch::randint(3, {5}, torch::kLong);
    std::printf("%.4f\n", learner.learn(torch::rand({5, 4}), labels));
  }
}
