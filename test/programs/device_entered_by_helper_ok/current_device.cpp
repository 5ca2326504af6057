#include "current_device.h"

#include <c10/cuda/CUDAFunctions.h>

void enter_device_of(const torch::Tensor &x) {
  TORCH_CHECK(x.is_cuda(), "expected a tensor on a GPU, got one on ", x.device());
  c10::cuda::set_device(x.get_device());
}
