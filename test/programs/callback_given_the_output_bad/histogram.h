#pragma once

#include <array>
#include <cstdint>

// Counts values between -1 and 1.
struct Histogram {
  void add(float value) { ++bins[value < -0.5f ? 0 : value < 0.f ? 1 : value < 0.5f ? 2 : 3]; }
  std::array<int64_t, 4> bins{};
};
