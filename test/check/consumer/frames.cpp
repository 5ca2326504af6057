#include "frames.h"
torch::Tensor shown(torch::Tensor x) { return x + torch::ones({2}, place()); }
