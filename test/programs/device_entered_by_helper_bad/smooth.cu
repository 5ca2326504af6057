#include "current_device.h"

__global__ void smooth_kernel(const float *in, float *out, int64_t count) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i > 0 && i + 1 < count)
    out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.f;
}

torch::Tensor smooth(const torch::Tensor &signal) {
  enter_device_of(signal);  // expect: device-missing-guard
  auto out = signal.clone();
  const int64_t count = signal.numel();
  smooth_kernel<<<(count + 255) / 256, 256>>>(signal.data_ptr<float>(), out.data_ptr<float>(), count);
  return out;
}
