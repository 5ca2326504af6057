#ifdef SAMEDEVICE_RUN
#include <c10/cuda/CUDAException.h>
#include <cuda_runtime.h>
#include <torch/torch.h>

at::Tensor delay(const at::Tensor &signal, int64_t by);
at::Tensor echo(const at::Tensor &signal, int64_t by, double strength);

int main() {
  const auto signal = torch::rand({400}, torch::Device(torch::kCUDA, 1));
  auto late = delay(signal, 3);
  C10_CUDA_CHECK(cudaDeviceSynchronize());
  auto twice = echo(late, 20, 0.5);
  C10_CUDA_CHECK(cudaDeviceSynchronize());  // fails: "illegal memory access"
  return twice.numel() == 400 ? 0 : 1;
}
#endif
