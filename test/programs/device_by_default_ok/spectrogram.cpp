#include "spectrogram.h"

#include "window.h"

torch::Tensor spectrogram(const torch::Tensor& signal, int64_t size) {
  const auto cut = pieces(signal, size) * cosine_window(size, signal.device());
  return torch::fft_rfft(cut).abs().pow(2);
}
