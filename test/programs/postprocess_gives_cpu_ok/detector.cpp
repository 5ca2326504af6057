#include "detector.h"

// Anchors are three numbers each; boxes come out in pixels of the picture.
Detections Detector::detect(const torch::Tensor& anchors) {
  torch::NoGradGuard no_grad;
  const auto raw = net_->forward(anchors.to(device_));
  auto found = postprocess(raw, 0.1);
  found.boxes = found.boxes * scale_.cpu();
  return found;
}
