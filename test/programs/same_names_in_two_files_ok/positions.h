#pragma once

#include <torch/torch.h>

// Tables to be added to the rows of a text: plain numbers, and waves.
torch::Tensor number_table(int64_t rows, torch::Device device);
torch::Tensor wave_table(int64_t rows, torch::Device device);
