#include "shift.h"

__global__ void shift_kernel(const float *in, float *out, int64_t by, int64_t count) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < count)
    out[i] = i >= by ? in[i - by] : 0.f;
}

void launch_shift(const at::Tensor &in, at::Tensor &out, int64_t by) {
  const int64_t count = in.numel();
  shift_kernel<<<(count + 255) / 256, 256>>>(in.data_ptr<float>(), out.data_ptr<float>(), by, count);
}
