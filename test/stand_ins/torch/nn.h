#pragma once
#pragma GCC system_header

#include "torch/nn/cloneable.h"
#include "torch/nn/functional.h"
#include "torch/nn/init.h"
#include "torch/nn/modules/activation.h"
#include "torch/nn/modules/any.h"
#include "torch/nn/modules/container.h"
#include "torch/nn/modules/conv.h"
#include "torch/nn/modules/embedding.h"
#include "torch/nn/modules/linear.h"
#include "torch/nn/modules/loss.h"
#include "torch/nn/modules/norm.h"
#include "torch/nn/modules/rnn.h"
#include "torch/nn/modules/transformer.h"
#include "torch/nn/utils.h"
