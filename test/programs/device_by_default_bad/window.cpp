#include "window.h"

#include <cmath>

torch::Tensor cosine_window(int64_t size, torch::Device device) {
  auto angle = torch::arange(size, torch::dtype(torch::kFloat).device(device)) * (2 * M_PI / double(size));
  return 0.5 - 0.5 * torch::cos(angle);
}

torch::Tensor pieces(const torch::Tensor& signal, int64_t size) { return signal.unfold(-1, size, size / 2); }
