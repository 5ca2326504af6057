#pragma once
#pragma GCC system_header

#include "torch/data/dataloader.h"
