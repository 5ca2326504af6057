#include "encoder_base.h"

EncoderBase::EncoderBase(int64_t width) {
  mean_ = register_buffer("mean", torch::zeros({width}));
  deviation_ = register_buffer("deviation", torch::ones({width}));
}
