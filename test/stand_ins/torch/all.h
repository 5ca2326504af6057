#pragma once
#pragma GCC system_header

#include "torch/autograd.h"
#include "torch/cuda.h"
#include "torch/data.h"
#include "torch/enum.h"
#include "torch/library.h"
#include "torch/nn.h"
#include "torch/optim.h"
#include "torch/serialize.h"
#include "torch/types.h"
