// TorchScript, and the tensors it works on.
#pragma once
#pragma GCC system_header

#include "torch/autograd.h"
#include "torch/cuda.h"
#include "torch/jit.h"
#include "torch/library.h"
#include "torch/types.h"
