#pragma once

#include <torch/torch.h>

// Copies of GPU tensors on the host, made while the GPU goes on.
torch::Tensor download(const torch::Tensor& on_gpu);
torch::Tensor download_all(const std::vector<torch::Tensor>& parts);

void wait_for_downloads();
