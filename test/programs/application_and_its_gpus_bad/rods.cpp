#include "rods.h"

// They are spread over the machine's GPUs.
std::vector<Rod> make_rods(int64_t how_many, int64_t length) {
  std::vector<Rod> rods;
  const int64_t gpus = torch::cuda::device_count();
  for (int64_t i = 0; i < how_many; ++i) {
    const torch::Device device(torch::kCUDA, static_cast<c10::DeviceIndex>(i % gpus));
    auto field = torch::rand({length}, device);
    rods.push_back({field, field.clone()});
  }
  return rods;
}
