#include <torch/torch.h>

#include <cstdio>
#include <vector>

#include "device_buffer.h"

float energy(Buffer& spectrum);
torch::Tensor as_tensor(Buffer& spectrum);

int main() {
  std::vector<float> values(16, 0.25f);
  Buffer spectrum(values.size());
  spectrum.upload(values.data());
  const float total = energy(spectrum);
  auto share = as_tensor(spectrum) / total;
  std::printf("%.3f of %.3f\n", share.max().item<float>(), total);
}
