#include "batch.h"

Batch to_device(const Batch& batch, torch::Device device) {
  return {batch.images.to(device), batch.labels.to(device)};
}

Batch shrunk(const Batch& batch) {
  auto small = torch::avg_pool2d(batch.images, 2);
  return {small.flatten(1), batch.labels};
}
