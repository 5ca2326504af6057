#include <cstdio>

#include "scorer.h"

// The tool for the command line: it runs on laptops, where there is no GPU.
int main() {
  Scorer scorer(4, torch::kCPU);
  auto features = torch::zeros({2, 4});
  features[0].fill_(1);
  const auto scores = scorer.score(features);
  const float* value = scores.data_ptr<float>();
  for (int64_t i = 0; i < scores.size(0); ++i) std::printf("%lld\t%.4f\n", static_cast<long long>(i), value[i]);
}
