#include "gamma.h"

__global__ void gamma_kernel(const float *in, float *out, float gamma, int64_t count) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < count)
    out[i] = powf(in[i], gamma);
}

void launch_gamma(const float *in, float *out, float gamma, int64_t count) {
  const auto blocks = static_cast<unsigned>((count + 255) / 256);
  gamma_kernel<<<blocks, 256>>>(in, out, gamma, count);
}
