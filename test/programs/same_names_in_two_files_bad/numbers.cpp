#include "positions.h"

namespace {

torch::TensorOptions table_options(torch::Device device) { return torch::dtype(torch::kFloat).device(device); }

torch::Tensor positions(int64_t rows, torch::TensorOptions options) {
  return torch::arange(rows, options).unsqueeze(1);
}

}  // namespace

torch::Tensor number_table(int64_t rows, torch::Device device) {
  return positions(rows, table_options(device)) / double(rows);
}
