#include "signal.h"

Spectrum operator*(const Spectrum& a, const Spectrum& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};  // fails: "same device"
}

Spectrum operator+(const Spectrum& a, const Spectrum& b) { return {a.real + b.real, a.imaginary + b.imaginary}; }
