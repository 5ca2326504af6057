#include "grid.h"

void make_grid(torch::Tensor& xs, torch::Tensor& ys, int64_t side, torch::TensorOptions options) {
  auto line = torch::linspace(-1, 1, side, options);
  xs = line.unsqueeze(0).expand({side, side});
  ys = line.unsqueeze(1).expand({side, side});
}

torch::Tensor radii(const torch::Tensor& xs, const torch::Tensor& ys) { return torch::sqrt(xs * xs + ys * ys); }
