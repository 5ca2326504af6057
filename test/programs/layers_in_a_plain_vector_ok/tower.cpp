#include "tower.h"

#include <string>

TowerImpl::TowerImpl(int64_t width, int floors) {
  for (int i = 0; i < floors; ++i) {
    floors_.push_back(register_module("floor" + std::to_string(i), torch::nn::Linear(width, width)));
  }
  roof_ = register_module("roof", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})));
}
