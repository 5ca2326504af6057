#pragma once

#include <cstdint>

// Applies a gamma curve to `count` values. Both addresses are on the current GPU.
void launch_gamma(const float *in, float *out, float gamma, int64_t count);
