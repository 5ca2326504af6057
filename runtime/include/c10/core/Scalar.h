// A number of any element type.
#pragma once
#pragma GCC system_header

#include "c10/core/ScalarType.h"

#include <type_traits>

namespace c10 {

class Scalar {
public:
  Scalar() : Scalar(int64_t(0)) {}
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Scalar(T value)
      : kind_(std::is_same_v<T, bool>       ? Kind::Bool
              : std::is_floating_point_v<T> ? Kind::Double
                                            : Kind::Int) {
    if constexpr (std::is_floating_point_v<T>)
      real_ = value;
    else
      integer_ = static_cast<int64_t>(value);
  }
  Scalar(Half value) : Scalar(static_cast<float>(value)) {}
  Scalar(BFloat16 value) : Scalar(static_cast<float>(value)) {}
  template <class T> Scalar(std::complex<T> value) : kind_(Kind::Complex), real_(value.real()), imag_(value.imag()) {}

  bool isFloatingPoint() const { return kind_ == Kind::Double; }
  bool isIntegral(bool includeBool) const { return kind_ == Kind::Int || (includeBool && kind_ == Kind::Bool); }
  bool isBoolean() const { return kind_ == Kind::Bool; }
  bool isComplex() const { return kind_ == Kind::Complex; }
  ScalarType type() const {
    return isComplex() ? kComplexDouble : isFloatingPoint() ? kDouble : isBoolean() ? kBool : kLong;
  }

  template <class T> T to() const {
    if constexpr (std::is_arithmetic_v<T>)
      return isIntegral(true) ? static_cast<T>(integer_) : static_cast<T>(real_);
    else if constexpr (std::is_constructible_v<T, double, double>)
      return isIntegral(true) ? T(double(integer_), 0.0) : T(real_, imag_);
    else
      return T(to<float>());
  }
  double toDouble() const { return to<double>(); }
  float toFloat() const { return to<float>(); }
  int toInt() const { return to<int>(); }
  int64_t toLong() const { return to<int64_t>(); }
  bool toBool() const { return to<bool>(); }
  Scalar operator-() const { return isIntegral(true) ? Scalar(-integer_) : Scalar(-real_); }

private:
  enum class Kind : uint8_t { Int, Bool, Double, Complex };
  Kind kind_;
  int64_t integer_ = 0;
  double real_ = 0, imag_ = 0;
};

} // namespace c10
