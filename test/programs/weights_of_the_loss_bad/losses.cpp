#include "losses.h"

torch::nn::CrossEntropyLoss balanced_loss(const std::vector<int64_t>& counts) {
  auto seen = torch::tensor(counts, torch::kLong).to(torch::kFloat);
  auto weight = seen.sum() / (seen * double(counts.size()));
  return torch::nn::CrossEntropyLoss(torch::nn::CrossEntropyLossOptions().weight(weight));
}
