#include <ATen/cuda/CUDAContext.h>

#include "registry.h"

__global__ void gather_kernel(const float *points, const int64_t *index, float *out, int64_t count) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < count)
    out[i] = points[index[i]];
}

static void gather_cuda(const at::Tensor &points, const at::Tensor &index, at::Tensor out) {
  const int64_t count = index.numel();
  auto stream = at::cuda::getCurrentCUDAStream();  // expect: device-missing-guard
  gather_kernel<<<(count + 255) / 256, 256, 0, stream>>>(points.data_ptr<float>(), index.data_ptr<int64_t>(),
                                                         out.data_ptr<float>(), count);
}

REGISTER_IMPLEMENTATION(gather_implementations, at::kCUDA, gather_cuda);
