// What the fixtures include of libtorch.
#include <torch/script.h>
#include <torch/torch.h>
