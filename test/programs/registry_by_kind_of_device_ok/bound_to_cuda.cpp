#include <c10/cuda/CUDAGuard.h>

#include "registry.h"

void launch_sample(const float *points, float *chosen, int64_t step, int64_t count);

void sample_cuda(at::Tensor points, at::Tensor chosen, int64_t step) {
  const c10::cuda::CUDAGuard guard(points.device());
  const float *from = points.data_ptr<float>();
  float *to = chosen.data_ptr<float>();
  launch_sample(from, to, step, chosen.numel());
}

void sample_impl(at::Tensor points, at::Tensor chosen, int64_t step);
IMPLEMENT(sample_impl, at::kCUDA, sample_cuda);
