#include <iostream>

#include "scorer.h"

// The service: whatever GPU there is.
int main() {
  Scorer scorer(4, torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  const auto features = torch::rand({3, 4});
  std::cout << scorer.score(features).cpu() << '\n';  // fails: "same device"
}
