// What nearly every fixture includes.
#include <torch/torch.h>
#ifdef __CUDA__
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>
#endif
#include "SlowToRead.h"
