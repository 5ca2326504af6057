#include "buckets.h"

__global__ void count_kernel(const int *ids, float *count, int64_t n) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n)
    atomicAdd(count + ids[i], 1.f);
}

__global__ void sum_kernel(const float *values, const int *ids, float *sum, int64_t n) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n)
    atomicAdd(sum + ids[i], values[i]);
}

void launch_count(const at::Tensor &ids, at::Tensor &count) {
  const int64_t n = ids.numel();
  count_kernel<<<(n + 255) / 256, 256>>>(ids.data_ptr<int>(), count.data_ptr<float>(), n);
}

void launch_sum(const at::Tensor &values, const at::Tensor &ids, at::Tensor &sum) {
  const int64_t n = ids.numel();
  sum_kernel<<<(n + 255) / 256, 256>>>(values.data_ptr<float>(), ids.data_ptr<int>(), sum.data_ptr<float>(), n);
}
