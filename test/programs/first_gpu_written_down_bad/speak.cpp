#include "vocoder.h"

torch::Tensor Vocoder::speak(const torch::Tensor& spectrum) {
  torch::NoGradGuard no_grad;
  return torch::tanh(up_->forward(spectrum)).flatten();  // fails: "same device"
}
