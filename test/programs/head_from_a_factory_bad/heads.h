#pragma once

#include <torch/torch.h>

// A classification head with fresh weights.
torch::nn::Sequential make_head(int64_t in, int64_t classes);
