#pragma once

#include <torch/torch.h>

// Boxes as corners, and how sure we are of each.
struct Detections {
  torch::Tensor boxes, scores;
};

// What is good enough, for the host: the best comes first.
Detections postprocess(const torch::Tensor& raw, double threshold);
