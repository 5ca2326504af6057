#include "frames.h"
torch::Device place() { return torch::kCPU; }
torch::Tensor show() { return shown(torch::zeros({2})); }
