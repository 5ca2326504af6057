#include "config.h"

// Points around the mean; `spread` below 1 makes for better and less surprising pictures.
torch::Tensor sample_latent(int64_t n, double spread) {
  auto noise = torch::randn({n, latent_mean.size(0)}, device);
  return latent_mean + spread * noise;
}
