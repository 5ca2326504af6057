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
        optional<int64_t> step_index = nullopt)
      : start_(start_index), stop_(stop_index), step_(step_index.value_or(1)) {}
  optional<int64_t> start() const { return start_; }
  optional<int64_t> stop() const { return stop_; }
  int64_t step() const { return step_; }

private:
  optional<int64_t> start_, stop_;
  int64_t step_;
};

struct TensorIndex final {
  TensorIndex(nullopt_t) : type_(TensorIndexType::None) {}
  TensorIndex(EllipsisIndexType) : type_(TensorIndexType::Ellipsis) {}
  TensorIndex(const char *) : type_(TensorIndexType::Ellipsis) {}
  TensorIndex(int64_t integer) : type_(TensorIndexType::SymInt), integer_(integer) {}
  TensorIndex(int integer) : TensorIndex(static_cast<int64_t>(integer)) {}
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0>
  TensorIndex(T boolean) : type_(TensorIndexType::Boolean), integer_(boolean) {}
  TensorIndex(Slice slice) : type_(TensorIndexType::Slice), slice_(slice) {}
  TensorIndex(Tensor tensor) : type_(TensorIndexType::Tensor), tensor_(std::move(tensor)) {}

  bool is_none() const { return type_ == TensorIndexType::None; }
  bool is_ellipsis() const { return type_ == TensorIndexType::Ellipsis; }
  bool is_integer() const { return type_ == TensorIndexType::SymInt; }
  bool is_boolean() const { return type_ == TensorIndexType::Boolean; }
  bool is_slice() const { return type_ == TensorIndexType::Slice; }
  bool is_tensor() const { return type_ == TensorIndexType::Tensor; }
  int64_t integer() const { return integer_; }
  bool boolean() const { return integer_ != 0; }
  const Slice &slice() const { return slice_; }
  const Tensor &tensor() const { return tensor_; }

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

inline int64_t consumedDims(const TensorIndex &index) {
  if (index.is_tensor())
    return index.tensor().scalar_type() == kBool ? index.tensor().dim() : 1;
  return index.is_none() || index.is_ellipsis() || index.is_boolean() ? 0 : 1;
}

inline Resolved resolve(const Tensor &self, ArrayRef<TensorIndex> indices) {
  Resolved result{self, {}, false};
  int64_t consumed = 0, dim = 0;
  for (const TensorIndex &index : indices)
    consumed += consumedDims(index);
  for (const TensorIndex &index : indices) {
    if (index.is_integer()) {
      result.view = result.view.select(dim, index.integer());
    } else if (index.is_slice()) {
      const Slice &s = index.slice();
      result.view = result.view.slice(dim++, s.start(), s.stop(), s.step());
    } else if (index.is_none() || index.is_boolean()) {
      result.view = result.view.unsqueeze(dim++);
    } else if (index.is_ellipsis()) {
      dim += self.dim() - consumed;
    } else {
      while (static_cast<int64_t>(result.gathered.size()) < dim)
        result.gathered.push_back(nullopt);
      result.gathered.push_back(index.tensor());
      result.gathers = true;
      dim += consumedDims(index);
    }
  }
  return result;
}

} // namespace impl
} // namespace at::indexing

namespace at {

inline Tensor Tensor::index(ArrayRef<indexing::TensorIndex> indices) const {
  const auto resolved = indexing::impl::resolve(*this, indices);
  return resolved.gathers ? at::index(resolved.view, resolved.gathered) : resolved.view;
}
inline Tensor Tensor::index(std::initializer_list<indexing::TensorIndex> indices) const {
  return index(ArrayRef<indexing::TensorIndex>(indices));
}
inline Tensor &Tensor::index_put_(ArrayRef<indexing::TensorIndex> indices, Tensor const &rhs) {
  auto resolved = indexing::impl::resolve(*this, indices);
  if (resolved.gathers)
    at::index_put_(resolved.view, resolved.gathered, rhs);
  else
    resolved.view.copy_(rhs);
  return *this;
}
inline Tensor &Tensor::index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar &v) {
  return index_put_(indices, scalar_tensor(v, options()));
}
inline Tensor &Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, Tensor const &rhs) {
  return index_put_(ArrayRef<indexing::TensorIndex>(indices), rhs);
}
inline Tensor &Tensor::index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar &v) {
  return index_put_(ArrayRef<indexing::TensorIndex>(indices), v);
}

} // namespace at

namespace torch::indexing {
using at::indexing::Ellipsis;
using at::indexing::None;
using at::indexing::Slice;
using at::indexing::TensorIndex;
} // namespace torch::indexing
