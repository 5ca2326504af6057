#include "op_table.h"

__global__ void mish_kernel(const float *x, float *y, int64_t count) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < count)
    y[i] = x[i] * tanhf(log1pf(expf(x[i])));
}

namespace {

void launch_mish(const torch::Tensor &x, torch::Tensor &y) {
  const int64_t count = x.numel();
  mish_kernel<<<(count + 127) / 128, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), count);
}

const ActivationEntry mish("mish", launch_mish);

}  // namespace
