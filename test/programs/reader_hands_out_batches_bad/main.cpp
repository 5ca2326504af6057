#include <cstdio>

#include "reader.h"

double train_epoch(torch::nn::Sequential& net, torch::optim::Optimizer& optimizer, TableReader& reader,
                   torch::Device device);

int main() {
  const torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  torch::nn::Sequential net(torch::nn::Linear(3, 8), torch::nn::Tanh(), torch::nn::Linear(8, 1));
  net->to(device);
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
  TableReader reader(10, 4, 3);
  for (int epoch = 0; epoch < 2; ++epoch) std::printf("%.4f\n", train_epoch(net, sgd, reader, device));
}
