#include "frames.h"
torch::Device place() { return torch::kCUDA; }
torch::Tensor show() { return shown(torch::zeros({2})); }
