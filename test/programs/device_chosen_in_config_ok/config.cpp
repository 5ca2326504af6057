#include "config.h"

torch::Device device = torch::kCPU;
int64_t latent_size = 8;

void configure(const std::string& backend) {
  if (backend == "gpu" && torch::cuda::is_available()) device = torch::Device(torch::kCUDA, 0);
}
