#include "heat.h"

#include <c10/cuda/CUDAException.h>

__global__ void diffuse_kernel(const float *in, float *out, int64_t count) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i > 0 && i + 1 < count)
    out[i] = in[i] + 0.1f * (in[i - 1] - 2.f * in[i] + in[i + 1]);
}

void diffuse(torch::Tensor field, torch::Tensor scratch) {
  TORCH_CHECK(field.is_cuda() && field.is_contiguous(), "fields live on the GPU");
  const int64_t count = field.numel();
  diffuse_kernel<<<(count + 255) / 256, 256>>>(field.data_ptr<float>(), scratch.data_ptr<float>(), count);  // expect: device-missing-guard
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  field.copy_(scratch);
}
