#include "checkpoint.h"

#include <fstream>

// Files are written from the host, so that they open everywhere.
void keep(Denoiser& net, const std::string& file) {
  const auto home = net->first->weight.device();
  net->to(torch::kCPU);
  torch::save(net, file);
  net->to(home);
}

void restore(Denoiser& net, const std::string& file) {
  if (!std::ifstream(file)) return;
  torch::load(net, file, net->first->weight.device());
  net->eval();
}
