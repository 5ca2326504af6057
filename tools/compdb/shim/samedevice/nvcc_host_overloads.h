// nvcc gives host code the min and max of device code, clang gives it to device code only. These are their host
// side; clang tells them apart by target.
#pragma once

#if defined(__CUDA__) && defined(__clang__)

#pragma push_macro("min")
#pragma push_macro("max")
#pragma push_macro("SAMEDEVICE_MIN_MAX")
#undef min
#undef max

#define SAMEDEVICE_MIN_MAX(result, left, right)                                                                        \
  static inline __attribute__((host)) result min(left a, right b) {                                                    \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(a) : static_cast<result>(b);          \
  }                                                                                                                    \
  static inline __attribute__((host)) result max(left a, right b) {                                                    \
    return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(b) : static_cast<result>(a);          \
  }

SAMEDEVICE_MIN_MAX(int, int, int)
SAMEDEVICE_MIN_MAX(unsigned, unsigned, unsigned)
SAMEDEVICE_MIN_MAX(unsigned, int, unsigned)
SAMEDEVICE_MIN_MAX(unsigned, unsigned, int)
SAMEDEVICE_MIN_MAX(long, long, long)
SAMEDEVICE_MIN_MAX(unsigned long, unsigned long, unsigned long)
SAMEDEVICE_MIN_MAX(unsigned long, long, unsigned long)
SAMEDEVICE_MIN_MAX(unsigned long, unsigned long, long)
SAMEDEVICE_MIN_MAX(long long, long long, long long)
SAMEDEVICE_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SAMEDEVICE_MIN_MAX(unsigned long long, long long, unsigned long long)
SAMEDEVICE_MIN_MAX(unsigned long long, unsigned long long, long long)
SAMEDEVICE_MIN_MAX(float, float, float)
SAMEDEVICE_MIN_MAX(double, double, double)
SAMEDEVICE_MIN_MAX(double, float, double)
SAMEDEVICE_MIN_MAX(double, double, float)

#undef SAMEDEVICE_MIN_MAX
#pragma pop_macro("SAMEDEVICE_MIN_MAX")
#pragma pop_macro("max")
#pragma pop_macro("min")

#endif
