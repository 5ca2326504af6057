#include "config.h"

torch::Device device = torch::kCPU;
torch::Tensor latent_mean;

void configure(const std::string& backend, int64_t latent_size) {
  if (backend == "gpu" && torch::cuda::is_available()) device = torch::Device(torch::kCUDA, 0);
  latent_mean = torch::zeros({latent_size}, device);
}
