#include "positions.h"

namespace {

torch::TensorOptions table_options(torch::Device device) { return torch::dtype(torch::kFloat).device(device); }

torch::Tensor positions(int64_t rows, torch::TensorOptions options) {
  const auto angle = torch::arange(rows, options) * 0.1;
  return torch::stack({torch::sin(angle), torch::cos(angle)}, 1);
}

}  // namespace

torch::Tensor wave_table(int64_t rows, torch::Device device) {
  return positions(rows, table_options(device)).repeat({1, 3});
}
