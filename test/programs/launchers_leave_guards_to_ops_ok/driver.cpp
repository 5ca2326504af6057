#ifdef SAMEDEVICE_RUN
#include "buckets.h"

#include <c10/cuda/CUDAException.h>
#include <cuda_runtime.h>

int main() {
  const torch::Device second(torch::kCUDA, 1);
  const auto ids = torch::zeros({8}, torch::dtype(torch::kInt).device(second));
  auto counts = bucket_counts(ids, 2);
  C10_CUDA_CHECK(cudaDeviceSynchronize());
  auto sums = bucket_sums(torch::ones({8}, second), ids, 2);
  C10_CUDA_CHECK(cudaDeviceSynchronize());
  return counts.numel() + sums.numel() == 4 ? 0 : 1;
}
#endif
