// x.index({Slice(), 0, mask}): resolved to selects, slices and one gather.
#pragma once
#pragma GCC system_header

#include "ATen/TensorOperators.h"

#include <climits>

namespace at::indexing {

enum class TensorIndexType { None, Ellipsis, SymInt, Boolean, Slice, Tensor };
constexpr nullopt_t None = nullopt;
struct EllipsisIndexType final {};
inline const EllipsisIndexType Ellipsis{};

struct Slice final {
  Slice(optional<int64_t> start_index = nullopt, optional<int64_t> stop_index = nullopt,
        optional<int64_t> step_index = nullopt);
  optional<int64_t> start() const;
  optional<int64_t> stop() const;
  int64_t step() const;

private:
  optional<int64_t> start_, stop_;
  int64_t step_;
};

struct TensorIndex final {
  TensorIndex(nullopt_t);
  TensorIndex(EllipsisIndexType);
  TensorIndex(const char *);
  TensorIndex(int64_t integer);
  TensorIndex(int integer);
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0>
  TensorIndex(T boolean);
  TensorIndex(Slice slice);
  TensorIndex(Tensor tensor);

  bool is_none() const;
  bool is_ellipsis() const;
  bool is_integer() const;
  bool is_boolean() const;
  bool is_slice() const;
  bool is_tensor() const;
  int64_t integer() const;
  bool boolean() const;
  const Slice &slice() const;
  const Tensor &tensor() const;

private:
  TensorIndexType type_;
  int64_t integer_ = 0;
  Slice slice_;
  Tensor tensor_;
};

namespace impl {

/// The view that the plain indices select, and what remains to be gathered through tensors.
struct Resolved {
  Tensor view;
  List<optional<Tensor>> gathered;
  bool gathers = false;
};

int64_t consumedDims(const TensorIndex &index);

Resolved resolve(const Tensor &self, ArrayRef<TensorIndex> indices);

} // namespace impl
} // namespace at::indexing

namespace at {

} // namespace at

namespace torch::indexing {
using at::indexing::Ellipsis;
using at::indexing::None;
using at::indexing::Slice;
using at::indexing::TensorIndex;
} // namespace torch::indexing
