#include "signal.h"

Spectrum low_pass(int64_t size, int64_t limit) {
  auto passes = torch::arange(size).lt(limit).to(torch::kFloat);
  return {passes, torch::zeros_like(passes)};
}
