#include "vocoder.h"

Vocoder::Vocoder(torch::Device device) {
  up_->to(device);
  up_->eval();
}
