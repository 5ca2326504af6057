#include "buckets.h"

#include <c10/cuda/CUDAGuard.h>

at::Tensor bucket_counts(const at::Tensor &ids, int64_t buckets) {
  const c10::cuda::CUDAGuard guard(ids.device());
  auto count = at::zeros({buckets}, ids.options().dtype(at::kFloat));
  launch_count(ids, count);
  return count;
}
