#include <cuda_runtime.h>
#include <torch/torch.h>

#include <numeric>
#include <vector>

#include "device_buffer.h"

float energy(Buffer& spectrum) {
  const float* first = spectrum.data();
  return std::accumulate(first, first + spectrum.size(), 0.f);  // expect: device-raw-pointer // fails: SIGSEGV
}

torch::Tensor as_tensor(Buffer& spectrum) {
  return torch::from_blob(spectrum.data(), {int64_t(spectrum.size())}, torch::dtype(torch::kFloat).device(torch::kCUDA));
}
