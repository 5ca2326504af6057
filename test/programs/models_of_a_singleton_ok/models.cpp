#include "models.h"

Models& Models::instance() {
  static Models models;
  return models;
}

Models::Models()
    : device_(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU),
      encoder_(8, 2),
      decoder_(2, 8) {
  encoder_->to(device_);
  decoder_->to(device_);
}
