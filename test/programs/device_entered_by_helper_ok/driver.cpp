#ifdef SAMEDEVICE_RUN
#include <c10/cuda/CUDAException.h>
#include <cuda_runtime.h>
#include <torch/torch.h>

torch::Tensor smooth(const torch::Tensor &signal);

int main() {
  auto out = smooth(torch::rand({300}, torch::Device(torch::kCUDA, 1)));
  C10_CUDA_CHECK(cudaDeviceSynchronize());
  return out.numel() == 300 ? 0 : 1;
}
#endif
