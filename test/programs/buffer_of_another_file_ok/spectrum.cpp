#include <cuda_runtime.h>
#include <torch/torch.h>

#include <numeric>
#include <vector>

#include "device_buffer.h"

float energy(Buffer& spectrum) {
  std::vector<float> values(spectrum.size());
  cudaMemcpy(values.data(), spectrum.data(), values.size() * sizeof(float), cudaMemcpyDeviceToHost);
  return std::accumulate(values.begin(), values.end(), 0.f);
}

torch::Tensor as_tensor(Buffer& spectrum) {
  return torch::from_blob(spectrum.data(), {int64_t(spectrum.size())}, torch::dtype(torch::kFloat).device(torch::kCUDA));
}
