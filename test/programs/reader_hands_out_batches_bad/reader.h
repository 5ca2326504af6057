#pragma once

#include <torch/torch.h>

#include <optional>

struct Sample {
  torch::Tensor input, target;
};

// Reads a table of numbers, a few rows at a time.
class TableReader {
 public:
  TableReader(int64_t rows, int64_t columns, int64_t batch);
  std::optional<Sample> next();
  void rewind() { at_ = 0; }

 private:
  torch::Tensor table_;
  int64_t batch_, at_ = 0;
};
