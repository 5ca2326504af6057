#include "encoder_base.h"

torch::Tensor EncoderBase::normalized(const torch::Tensor& x) const {
  return (x - mean_) / deviation_;  // fails: "same device"
}
