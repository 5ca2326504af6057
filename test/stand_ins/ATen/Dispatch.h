// AT_DISPATCH_*: a lambda run with `scalar_t` set to the element type.
#pragma once
#pragma GCC system_header

#include "ATen/core/Tensor.h"

#define SD_DISPATCH_CASE(TYPE, NAME, ...)                                                                              \
  case ::at::ScalarType::TYPE: {                                                                                       \
    using scalar_t [[maybe_unused]] = NAME;                                                                            \
    return __VA_ARGS__();                                                                                              \
  }
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                                                                            \
  [&] {                                                                                                                \
    const auto &the_type = TYPE;                                                                                       \
    constexpr const char *at_dispatch_name = NAME;                                                                     \
    switch (::at::detail::scalar_type(the_type)) {                                                                     \
      __VA_ARGS__                                                                                                      \
    default:                                                                                                           \
      AT_ERROR('"', at_dispatch_name, "\" not implemented for '",                                                      \
               ::c10::toString(::at::detail::scalar_type(the_type)), "'");                                             \
    }                                                                                                                  \
  }()
#define SD_FLOATING(...) SD_DISPATCH_CASE(Double, double, __VA_ARGS__) SD_DISPATCH_CASE(Float, float, __VA_ARGS__)
#define SD_INTEGRAL(...)                                                                                               \
  SD_DISPATCH_CASE(Byte, uint8_t, __VA_ARGS__)                                                                         \
  SD_DISPATCH_CASE(Char, int8_t, __VA_ARGS__) SD_DISPATCH_CASE(Int, int, __VA_ARGS__)                                  \
      SD_DISPATCH_CASE(Long, int64_t, __VA_ARGS__) SD_DISPATCH_CASE(Short, int16_t, __VA_ARGS__)
#define SD_EXTRA(TYPE, ...)                                                                                            \
  case TYPE: {                                                                                                         \
    using scalar_t [[maybe_unused]] = typename ::at::detail::ScalarTypeToCppType<TYPE>::type;                          \
    return __VA_ARGS__();                                                                                              \
  }
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, SD_FLOATING(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(TYPE, NAME, ...)                                                           \
  AT_DISPATCH_SWITCH(TYPE, NAME, SD_FLOATING(__VA_ARGS__) SD_DISPATCH_CASE(Half, ::c10::Half, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(SCALARTYPE, TYPE, NAME, ...)                                                    \
  AT_DISPATCH_SWITCH(TYPE, NAME, SD_FLOATING(__VA_ARGS__) SD_EXTRA(SCALARTYPE, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(SCALARTYPE1, SCALARTYPE2, TYPE, NAME, ...)                                     \
  AT_DISPATCH_SWITCH(TYPE, NAME,                                                                                       \
                     SD_FLOATING(__VA_ARGS__) SD_EXTRA(SCALARTYPE1, __VA_ARGS__) SD_EXTRA(SCALARTYPE2, __VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(TYPE, NAME, ...) AT_DISPATCH_SWITCH(TYPE, NAME, SD_INTEGRAL(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(TYPE, NAME, ...)                                                                         \
  AT_DISPATCH_SWITCH(TYPE, NAME, SD_INTEGRAL(__VA_ARGS__) SD_FLOATING(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(SCALARTYPE, TYPE, NAME, ...)                                                         \
  AT_DISPATCH_SWITCH(TYPE, NAME, SD_INTEGRAL(__VA_ARGS__) SD_FLOATING(__VA_ARGS__) SD_EXTRA(SCALARTYPE, __VA_ARGS__))

namespace at::detail {
ScalarType scalar_type(ScalarType s);
template <ScalarType> struct ScalarTypeToCppType;
#define SD_TYPE(cpp, name)                                                                                             \
  template <> struct ScalarTypeToCppType<ScalarType::name> {                                                           \
    using type = cpp;                                                                                                  \
  };
AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(SD_TYPE)
#undef SD_TYPE
} // namespace at::detail
