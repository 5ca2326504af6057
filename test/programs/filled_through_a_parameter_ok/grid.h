#pragma once

#include <torch/torch.h>

// Coordinates of the pixels of a square picture, from -1 to 1.
void make_grid(torch::Tensor& xs, torch::Tensor& ys, int64_t side, torch::TensorOptions options);

// The distance of each from the middle.
torch::Tensor radii(const torch::Tensor& xs, const torch::Tensor& ys);
