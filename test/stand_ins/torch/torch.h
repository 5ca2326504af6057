// What most programs include.
#pragma once
#pragma GCC system_header

#include "torch/all.h"
