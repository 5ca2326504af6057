#pragma once

#include <torch/torch.h>

#include <vector>

struct Rod {
  torch::Tensor field, scratch;
};

// Rods with random temperatures.
std::vector<Rod> make_rods(int64_t how_many, int64_t length);
