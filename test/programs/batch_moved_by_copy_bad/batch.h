#pragma once

#include <torch/torch.h>

struct Batch {
  torch::Tensor images, labels;
  int64_t size() const { return images.size(0); }
};

// The batch, on `device`.
Batch to_device(const Batch& batch, torch::Device device);

// The same, half as wide and flattened.
Batch shrunk(const Batch& batch);
