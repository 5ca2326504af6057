#include "rods.h"

// All of them are on the machine's GPU.
std::vector<Rod> make_rods(int64_t how_many, int64_t length) {
  std::vector<Rod> rods;
  for (int64_t i = 0; i < how_many; ++i) {
    const torch::Device device(torch::kCUDA);
    auto field = torch::rand({length}, device);
    rods.push_back({field, field.clone()});
  }
  return rods;
}
