// A number of any element type.
#pragma once
#pragma GCC system_header

#include "c10/core/ScalarType.h"

#include <type_traits>

namespace c10 {

class Scalar {
public:
  Scalar();
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Scalar(T value);
  Scalar(Half value);
  Scalar(BFloat16 value);
  template <class T> Scalar(std::complex<T> value);

  bool isFloatingPoint() const;
  bool isIntegral(bool includeBool) const;
  bool isBoolean() const;
  bool isComplex() const;
  ScalarType type() const;

  template <class T> T to() const;
  double toDouble() const;
  float toFloat() const;
  int toInt() const;
  int64_t toLong() const;
  bool toBool() const;
  Scalar operator-() const;

private:
  enum class Kind : uint8_t { Int, Bool, Double, Complex };
  Kind kind_;
  int64_t integer_ = 0;
  double real_ = 0, imag_ = 0;
};

} // namespace c10
