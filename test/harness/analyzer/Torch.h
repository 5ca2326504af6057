// What the fixtures include of libtorch.
#if __has_include(<Python.h>)
#include <torch/extension.h>
#endif
#include <torch/script.h>
#include <torch/torch.h>
