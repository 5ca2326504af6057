#include <cstdio>

#include "trainer.h"

void replace_head(Tagger& net, int64_t tags);

int main() {
  const torch::Device device(torch::kCUDA);
  Tagger net(10);
  net->to(device);
  replace_head(net, 3);
  Trainer trainer(net, 1e-3);
  for (int i = 0; i < 2; ++i) {
    auto tags = torch::ones({4}, torch::dtype(torch::kLong).device(device));
    std::printf("%.4f\n", trainer.step(torch::rand({4, 6}, device), tags));
  }
}
