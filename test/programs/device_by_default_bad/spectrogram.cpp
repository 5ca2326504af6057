#include "spectrogram.h"

#include "window.h"

torch::Tensor spectrogram(const torch::Tensor& signal, int64_t size) {
  const auto window = cosine_window(size);  // expect: device-mixed-operands
  return torch::fft_rfft(pieces(signal, size) * window).abs().pow(2);  // fails: "same device"
}
