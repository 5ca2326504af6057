#pragma once

#include <torch/torch.h>

#include <map>
#include <string>

// Features that were computed before. They wait on the host: the GPU is too small for all of them.
class FeatureCache {
 public:
  bool has(const std::string& key) const { return kept_.count(key) > 0; }
  void put(const std::string& key, const torch::Tensor& features);
  torch::Tensor get(const std::string& key, torch::Device device) const;

 private:
  std::map<std::string, torch::Tensor> kept_;
};
