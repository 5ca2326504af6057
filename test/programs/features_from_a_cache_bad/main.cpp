#include <cstdio>

#include "extractor.h"
#include "feature_cache.h"

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Extractor extract(device);
  FeatureCache cache;
  const auto picture = torch::rand({3, 8, 8});
  for (const char* name : {"harbour", "forest"})
    if (!cache.has(name)) cache.put(name, extract(picture));

  const auto query = extract(torch::rand({3, 8, 8}));
  const auto known = torch::stack({cache.get("harbour"), cache.get("forest")});  // expect: device-mixed-operands
  const auto distance = (known - query).norm(2, 1);  // fails: "same device"
  std::printf("nearest: %lld\n", static_cast<long long>(distance.argmin().item<int64_t>()));
}
