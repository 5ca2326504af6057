#include "tower.h"

torch::Tensor TowerImpl::forward(torch::Tensor x) {
  for (auto& floor : floors_) x = x + torch::gelu(floor->forward(x));  // fails: "same device"
  return roof_->forward(x);
}
