#include "models.h"

torch::Tensor expand(const torch::Tensor& codes) {
  auto& models = Models::instance();
  return models.decoder()->forward(codes.to(models.device())).cpu();
}
