// What the fixtures include of libtorch.
#if __has_include(<Python.h>)
#include <torch/extension.h>
#endif
#include <torch/script.h>
#include <torch/torch.h>
// What nearly every .cu fixture includes, but for the guards: a fix that needs one has to include it.
#ifdef __CUDA__
#include <ATen/cuda/CUDAContext.h>
#include <c10/core/impl/InlineStreamGuard.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/impl/CUDAGuardImpl.h>
#endif
#include "../SlowToRead.h"
