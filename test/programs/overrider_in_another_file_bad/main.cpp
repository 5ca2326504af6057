#include <iostream>

#include "pipeline.h"

int main() {
  const torch::Device device(torch::kCUDA);
  Pipeline pipeline;
  pipeline.add(make_stage("scale"));
  pipeline.add(make_stage("whiten"));
  torch::nn::Linear net(3, 1);
  net->to(device);
  auto x = torch::rand({6, 3}, device);
  auto y = net(pipeline.run(x));  // expect: device-mixed-operands // fails: "same device"
  std::cout << y.mean().item<float>() << '\n';
}
