#pragma once

#include <torch/torch.h>

// One step of diffusion in place.
void diffuse(torch::Tensor field, torch::Tensor scratch);
