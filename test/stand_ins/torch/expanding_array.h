// One number for every dimension, or a list with one per dimension.
#pragma once
#pragma GCC system_header

#include "torch/types.h"

namespace torch {

template <size_t D, class T = int64_t> class ExpandingArray {
public:
  /* implicit */ ExpandingArray(std::initializer_list<T> list);
  /* implicit */ ExpandingArray(std::vector<T> vec);
  /* implicit */ ExpandingArray(at::ArrayRef<T> values);
  /* implicit */ ExpandingArray(T single_size);
  /* implicit */ ExpandingArray(const std::array<T, D> &values);
  std::array<T, D> &operator*();
  const std::array<T, D> &operator*() const;
  std::array<T, D> *operator->();
  const std::array<T, D> *operator->() const;
  operator at::ArrayRef<T>() const;
  size_t size() const noexcept;

protected:
  std::array<T, D> values_;
};

/// Elements that may be left open.
template <size_t D, class T = int64_t> class ExpandingArrayWithOptionalElem : public ExpandingArray<D, optional<T>> {
public:
  using ExpandingArray<D, optional<T>>::ExpandingArray;
  ExpandingArrayWithOptionalElem(std::initializer_list<T> list);
  ExpandingArrayWithOptionalElem(std::vector<T> vec);
  ExpandingArrayWithOptionalElem(T single_size);
};

} // namespace torch
