#pragma once

#include <torch/torch.h>

torch::Tensor spectrogram(const torch::Tensor& signal, int64_t size);
