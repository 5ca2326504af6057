#include "models.h"

Models& Models::instance() {
  static Models models;
  return models;
}

Models::Models()
    : device_(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU),
      encoder_(8, 2),
      decoder_(2, 8) {  // expect: device-unmoved-module
  encoder_->to(device_);
}
