// Element types, and the number types that C++ lacks.
#pragma once
#pragma GCC system_header

#include "c10/macros.h"

#include <complex>
#include <cstring>
#include <ostream>

namespace c10 {

/// Storage of sixteen bits that computes as a float.
template <int MantissaBits> struct SmallFloat {
  uint16_t x = 0;
  SmallFloat() = default;
  SmallFloat(float value);
  operator float() const;
};
struct Half : SmallFloat<10> {
  using SmallFloat<10>::SmallFloat;
};
struct BFloat16 : SmallFloat<7> {
  using SmallFloat<7>::SmallFloat;
};
template <class T> using complex = std::complex<T>;

#define AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(_)                                                               \
  _(uint8_t, Byte)                                                                                                     \
  _(int8_t, Char) _(int16_t, Short) _(int, Int) _(int64_t, Long) _(c10::Half, Half) _(float, Float) _(double, Double)  \
      _(c10::complex<float>, ComplexFloat) _(c10::complex<double>, ComplexDouble) _(bool, Bool)                        \
          _(c10::BFloat16, BFloat16)

enum class ScalarType : int8_t {
#define SD_ENUMERATOR(type, name) name,
  AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(SD_ENUMERATOR)
#undef SD_ENUMERATOR
      Undefined,
  NumOptions
};

#define SD_CONSTANT(type, name) constexpr ScalarType k##name = ScalarType::name;
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(SD_CONSTANT)
#undef SD_CONSTANT

template <class T> struct CppTypeToScalarType;
#define SD_TYPE(cpp, name)                                                                                             \
  template <> struct CppTypeToScalarType<cpp> {                                                                        \
    static constexpr ScalarType value = ScalarType::name;                                                              \
  };
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(SD_TYPE)
#undef SD_TYPE
template <> struct CppTypeToScalarType<long long> {
  static constexpr ScalarType value = ScalarType::Long;
};

size_t elementSize(ScalarType t);
inline const char *toString(ScalarType t);
std::ostream &operator<<(std::ostream &stream, ScalarType t);
bool isFloatingType(ScalarType t);
bool isComplexType(ScalarType t);
bool isIntegralType(ScalarType t, bool includeBool);

enum class Layout : int8_t { Strided, Sparse, SparseCsr, Mkldnn };
constexpr Layout kStrided = Layout::Strided;
constexpr Layout kSparse = Layout::Sparse;
enum class MemoryFormat : int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };

} // namespace c10

namespace caffe2 {
/// An element type as a value of its own; converts freely from and to ScalarType.
class TypeMeta {
public:
  TypeMeta() = default;
  explicit TypeMeta(c10::ScalarType type);
  template <class T> static TypeMeta Make();
  c10::ScalarType toScalarType() const;
  size_t itemsize() const;
  const char *name() const;

private:
  c10::ScalarType type_ = c10::ScalarType::Undefined;
};
bool operator==(TypeMeta a, TypeMeta b);
bool operator!=(TypeMeta a, TypeMeta b);
bool operator==(c10::ScalarType a, TypeMeta b);
bool operator==(TypeMeta a, c10::ScalarType b);
bool operator!=(TypeMeta a, c10::ScalarType b);
bool operator!=(c10::ScalarType a, TypeMeta b);
std::ostream &operator<<(std::ostream &stream, TypeMeta t);
} // namespace caffe2

namespace c10 {
ScalarType typeMetaToScalarType(caffe2::TypeMeta t);
} // namespace c10

namespace torch {
using Dtype = at::ScalarType;
constexpr auto kUInt8 = at::kByte;
constexpr auto kU8 = at::kByte;
constexpr auto kInt8 = at::kChar;
constexpr auto kInt16 = at::kShort;
constexpr auto kI16 = at::kShort;
constexpr auto kInt32 = at::kInt;
constexpr auto kI32 = at::kInt;
constexpr auto kInt64 = at::kLong;
constexpr auto kI64 = at::kLong;
constexpr auto kFloat16 = at::kHalf;
constexpr auto kF16 = at::kHalf;
constexpr auto kFloat32 = at::kFloat;
constexpr auto kF32 = at::kFloat;
constexpr auto kFloat64 = at::kDouble;
constexpr auto kF64 = at::kDouble;
} // namespace torch
