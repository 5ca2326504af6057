#include "signal.h"

Spectrum low_pass(int64_t size, int64_t limit, torch::Device device) {
  auto passes = torch::arange(size, torch::device(device)).lt(limit).to(torch::kFloat);
  return {passes, torch::zeros_like(passes)};
}
