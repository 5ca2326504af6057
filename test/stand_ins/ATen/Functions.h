// Operators as free functions.
#pragma once
#pragma GCC system_header

#include "ATen/core/List.h"
#include "ATen/core/Reduction.h"
#include "ATen/core/Tensor.h"

namespace at {

/// In-place operators are given the tensor that they hand back.
template <class Result> struct SelfOf {
  using type = const Tensor &;
};
template <> struct SelfOf<Tensor &> {
  using type = Tensor &;
};

#define SD_FUNCTION(result, name, params) result name params;
#define SD_UNARY(result, name) result name(SelfOf<result>::type self);
#define SD_OPERATOR(result, name, params) result name(SelfOf<result>::type self, SD_UNPACK params);
#define SD_OUT(name, params) Tensor &name params;
#include "ATen/operators/all.def"

Tensor from_blob(void *data, IntArrayRef sizes, const TensorOptions &options = {},
                        const optional<Device> target_device = nullopt);
Tensor from_blob(void *data, IntArrayRef sizes, const std::function<void(void *)> &deleter,
                        const TensorOptions &options = {}, const optional<Device> target_device = nullopt);
Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions &options = {},
                        const optional<Device> target_device = nullopt);
Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides, const std::function<void(void *)> &deleter,
                        const TensorOptions &options = {}, const optional<Device> target_device = nullopt);

int64_t numel(const Tensor &tensor);
int64_t size(const Tensor &tensor, int64_t dim);

} // namespace at
