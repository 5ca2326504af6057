#pragma once

#include "state.h"

// Reads a letter at a time.
class Reader {
 public:
  explicit Reader(torch::Device device);
  void read(const torch::Tensor& letter, State& state);

 private:
  torch::nn::LSTMCell cell_;
};
