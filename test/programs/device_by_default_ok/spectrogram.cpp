#include "spectrogram.h"

#include "window.h"

torch::Tensor spectrogram(const torch::Tensor& signal, int64_t size) {
  const auto window = cosine_window(size, signal.device());
  return torch::fft_rfft(pieces(signal, size) * window).abs().pow(2);
}
