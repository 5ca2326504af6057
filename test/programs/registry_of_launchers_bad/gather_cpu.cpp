#include "registry.h"

static void gather_cpu(const at::Tensor &points, const at::Tensor &index, at::Tensor out) {
  const float *from = points.data_ptr<float>();
  const int64_t *chosen = index.data_ptr<int64_t>();
  float *to = out.data_ptr<float>();
  for (int64_t i = 0; i < index.numel(); ++i)
    to[i] = from[chosen[i]];
}

REGISTER_IMPLEMENTATION(gather_implementations, at::kCPU, gather_cpu);
