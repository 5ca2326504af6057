#include "feature_cache.h"

void FeatureCache::put(const std::string& key, const torch::Tensor& features) {
  kept_[key] = features.detach().to(torch::kCPU);
}

torch::Tensor FeatureCache::get(const std::string& key, torch::Device device) const { return kept_.at(key).to(device); }
