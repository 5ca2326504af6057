#include "config.h"

// Points on the unit sphere.
torch::Tensor sample_latent(int64_t n) {
  auto z = torch::randn({n, latent_size});  // expect: device-default-factory
  return z / z.norm(2, 1, true);
}
