#include "encoder_base.h"

EncoderBase::EncoderBase(int64_t width) {
  mean_ = register_buffer("mean", torch::zeros({width}));
  deviation_ = torch::ones({width});  // expect: device-unregistered-member
}
