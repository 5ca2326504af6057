#include "models.h"

torch::Tensor compress(const torch::Tensor& rows) {
  auto& models = Models::instance();
  return models.encoder()->forward(rows.to(models.device()));
}
