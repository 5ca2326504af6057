// Operators as free functions.
#pragma once
#pragma GCC system_header

#include "ATen/core/List.h"
#include "ATen/core/Reduction.h"
#include "ATen/core/Tensor.h"

namespace at {

#define SD_FUNCTION(schema, result, name, params, args)                                                                \
  inline result name params { return samedevice::runtime::call<result>(schema, #args, {SD_UNPACK args}); }

#define SD_UNARY(schema, result, name)                                                                                 \
  inline result name(samedevice::runtime::Method<result>::Self self) {                                                 \
    return samedevice::runtime::Method<result>::run(self, schema, "self", {self});                                     \
  }
#define SD_OPERATOR(schema, result, name, params, args)                                                                \
  inline result name(samedevice::runtime::Method<result>::Self self, SD_UNPACK params) {                               \
    return samedevice::runtime::Method<result>::run(self, schema, "self" #args, {self, SD_UNPACK args});               \
  }
#define SD_OUT(schema, name, params, args)                                                                             \
  inline Tensor &name params {                                                                                         \
    samedevice::runtime::call<void>(schema, #args, {SD_UNPACK args});                                                  \
    return samedevice::runtime::first args;                                                                            \
  }
#include "ATen/operators/all.def"

inline Tensor from_blob(void *data, IntArrayRef sizes, const TensorOptions &options = {},
                        const optional<Device> target_device = nullopt) {
  return samedevice::runtime::fromBlob(data, sizes, nullopt, nullptr, options, target_device);
}
inline Tensor from_blob(void *data, IntArrayRef sizes, const std::function<void(void *)> &deleter,
                        const TensorOptions &options = {}, const optional<Device> target_device = nullopt) {
  return samedevice::runtime::fromBlob(data, sizes, nullopt, deleter, options, target_device);
}
inline Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options = {},
                        const optional<Device> target_device = nullopt) {
  return samedevice::runtime::fromBlob(data, sizes, strides, nullptr, options, target_device);
}
inline Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides, const std::function<void(void *)> &deleter,
                        const TensorOptions &options = {}, const optional<Device> target_device = nullopt) {
  return samedevice::runtime::fromBlob(data, sizes, strides, deleter, options, target_device);
}

inline int64_t numel(const Tensor &tensor) { return tensor.numel(); }
inline int64_t size(const Tensor &tensor, int64_t dim) { return tensor.size(dim); }

} // namespace at
