#pragma once

#include <torch/torch.h>

// A window to cut signals with.
torch::Tensor cosine_window(int64_t size, torch::Device device = torch::kCPU);

// Pieces of a signal, each `size` long and half over the next.
torch::Tensor pieces(const torch::Tensor& signal, int64_t size);
