#include "buckets.h"

#include <c10/cuda/CUDAGuard.h>

at::Tensor bucket_sums(const at::Tensor &values, const at::Tensor &ids, int64_t buckets) {
  TORCH_CHECK(values.device() == ids.device(), "values and their buckets must share a device");
  const c10::cuda::OptionalCUDAGuard guard(at::device_of(values));
  auto sum = at::zeros({buckets}, values.options());
  launch_sum(values, ids, sum);
  return sum;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("bucket_counts", &bucket_counts);
  m.def("bucket_sums", &bucket_sums);
}
