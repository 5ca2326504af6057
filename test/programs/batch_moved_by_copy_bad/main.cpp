#include <iostream>

#include "batch.h"
#include "net.h"

int main() {
  torch::Device device = torch::kCPU;
  if (torch::cuda::is_available()) device = torch::Device(torch::kCUDA, 0);
  Digits net;
  net->to(device);
  torch::optim::SGD sgd(net->parameters(), 0.1);

  for (int i = 0; i < 2; ++i) {
    Batch batch{torch::rand({5, 8, 8}), torch::randint(10, {5}, torch::kLong)};
    batch = shrunk(batch);
    to_device(batch, device);  // expect: device-discarded-to
    sgd.zero_grad();
    auto loss = torch::nll_loss(net(batch.images), batch.labels);
    loss.backward();
    sgd.step();
    std::cout << batch.size() << " images, loss " << loss.item<float>() << "\n";
  }
}
