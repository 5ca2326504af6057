#include <iostream>

#include "grid.h"
#include "painter.h"

int main() {
  const torch::Device device(torch::kCUDA);
  Painter painter;
  painter->to(device);
  const int64_t side = 8;
  torch::Tensor xs, ys;
  make_grid(xs, ys, side, torch::dtype(torch::kFloat).device(device));
  const auto mood = torch::rand({2}, device).expand({side, side, 2});
  torch::NoGradGuard no_grad;
  const auto points = torch::stack({xs, ys, radii(xs, ys)}, 2);
  const auto picture = painter(torch::cat({points, mood}, 2));
  std::cout << picture.mean().item<float>() << '\n';
}
