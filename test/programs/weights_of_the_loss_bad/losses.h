#pragma once

#include <torch/torch.h>

#include <vector>

// Cross entropy in which rare classes count for more.
torch::nn::CrossEntropyLoss balanced_loss(const std::vector<int64_t>& counts);
