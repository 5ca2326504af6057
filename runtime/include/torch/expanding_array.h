// One number for every dimension, or a list with one per dimension.
#pragma once
#pragma GCC system_header

#include "torch/types.h"

namespace torch {

template <size_t D, class T = int64_t> class ExpandingArray {
public:
  /* implicit */ ExpandingArray(std::initializer_list<T> list) : ExpandingArray(at::ArrayRef<T>(list)) {}
  /* implicit */ ExpandingArray(std::vector<T> vec) : ExpandingArray(at::ArrayRef<T>(vec)) {}
  /* implicit */ ExpandingArray(at::ArrayRef<T> values) {
    TORCH_CHECK(values.size() == D, "Expected ", D, " values, but instead got ", values.size());
    std::copy(values.begin(), values.end(), values_.begin());
  }
  /* implicit */ ExpandingArray(T single_size) { values_.fill(single_size); }
  /* implicit */ ExpandingArray(const std::array<T, D> &values) : values_(values) {}
  std::array<T, D> &operator*() { return values_; }
  const std::array<T, D> &operator*() const { return values_; }
  std::array<T, D> *operator->() { return &values_; }
  const std::array<T, D> *operator->() const { return &values_; }
  operator at::ArrayRef<T>() const { return values_; }
  size_t size() const noexcept { return D; }

protected:
  std::array<T, D> values_;
};

/// Elements that may be left open.
template <size_t D, class T = int64_t> class ExpandingArrayWithOptionalElem : public ExpandingArray<D, optional<T>> {
public:
  using ExpandingArray<D, optional<T>>::ExpandingArray;
  ExpandingArrayWithOptionalElem(std::initializer_list<T> list)
      : ExpandingArray<D, optional<T>>(std::vector<optional<T>>(list.begin(), list.end())) {}
  ExpandingArrayWithOptionalElem(std::vector<T> vec)
      : ExpandingArray<D, optional<T>>(std::vector<optional<T>>(vec.begin(), vec.end())) {}
  ExpandingArrayWithOptionalElem(T single_size) : ExpandingArray<D, optional<T>>(optional<T>(single_size)) {}
};

} // namespace torch
