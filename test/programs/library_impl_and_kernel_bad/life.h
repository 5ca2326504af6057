#pragma once

#include <ATen/ATen.h>

// One generation of the game of life: from `board` into `next`, which has its shape.
void step_life(const at::Tensor &board, at::Tensor &next);
