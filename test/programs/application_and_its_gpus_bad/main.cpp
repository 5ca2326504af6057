#include <cstdio>

#include "heat.h"
#include "rods.h"

int main() {
  if (!torch::cuda::is_available()) {
    std::puts("this needs a GPU");
    return 1;
  }
  auto rods = make_rods(2, 1000);
  for (int step = 0; step < 3; ++step)
    for (auto &rod : rods)
      diffuse(rod.field, rod.scratch);
  for (const auto &rod : rods)
    std::printf("mean temperature %.3f\n", rod.field.mean().item<float>());  // fails: "illegal memory access"
}
