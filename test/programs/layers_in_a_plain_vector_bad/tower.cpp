#include "tower.h"

TowerImpl::TowerImpl(int64_t width, int floors) {
  for (int i = 0; i < floors; ++i) {
    floors_.push_back(torch::nn::Linear(width, width));  // expect: device-unregistered-member
  }
  roof_ = register_module("roof", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})));
}
