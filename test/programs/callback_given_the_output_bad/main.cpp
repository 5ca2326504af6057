#include <iostream>

#include "histogram.h"
#include "trainer.h"

int main() {
  const torch::Device device(torch::kCUDA);
  Trainer trainer(torch::nn::Linear(3, 2), device);
  Histogram histogram;
  trainer.on_step([&](int step, const torch::Tensor& output) {
    auto rows = output.accessor<float, 2>();  // expect: device-host-access // fails: SIGSEGV
    for (int64_t i = 0; i < output.size(0); ++i)
      for (int64_t k = 0; k < output.size(1); ++k) histogram.add(rows[i][k]);
    std::cout << "after step " << step << ":";
    for (auto n : histogram.bins) std::cout << ' ' << n;
    std::cout << '\n';
  });
  trainer.run(2);
}
