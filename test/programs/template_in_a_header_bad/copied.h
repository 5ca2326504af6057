#pragma once

#include <torch/torch.h>

#include <vector>

// The values of a tensor in a vector of the host.
template <typename T>
std::vector<T> copied(const torch::Tensor& values) {
  const auto flat = values.contiguous().view({-1});  // expect: device-host-access
  const T* first = flat.data_ptr<T>();
  return std::vector<T>(first, first + flat.numel()); // fails: SIGSEGV
}

struct Peaks {
  std::vector<float> heights;
  std::vector<int64_t> places;
};
