#include "vocoder.h"

Vocoder::Vocoder() {
  up_->to(torch::Device("cuda:0"));  // expect: device-pinned-index
  up_->eval();
}
