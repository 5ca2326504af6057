// A view of contiguous elements that somebody else owns.
#pragma once
#pragma GCC system_header

#include "c10/util/Optional.h"

#include <array>
#include <initializer_list>
#include <ostream>
#include <vector>

namespace c10 {

template <class T> class ArrayRef {
public:
  using iterator = const T *;
  using const_iterator = const T *;
  using value_type = T;
  using size_type = std::size_t;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T &OneElt) : data_(&OneElt), length_(1) {}
  constexpr ArrayRef(const T *data, size_t length) : data_(data), length_(length) {}
  constexpr ArrayRef(const T *begin, const T *end) : data_(begin), length_(end - begin) {}
  template <class A> ArrayRef(const std::vector<T, A> &Vec);
  template <size_t N> constexpr ArrayRef(const std::array<T, N> &Arr) : data_(Arr.data()), length_(N) {}
  template <size_t N> constexpr ArrayRef(const T (&Arr)[N]) : data_(Arr), length_(N) {}
  constexpr ArrayRef(const std::initializer_list<T> &Vec)
      : data_(Vec.size() ? Vec.begin() : nullptr), length_(Vec.size()) {}

  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + length_; }
  constexpr const T *data() const { return data_; }
  constexpr size_t size() const { return length_; }
  constexpr bool empty() const { return length_ == 0; }
  constexpr const T &front() const { return data_[0]; }
  constexpr const T &back() const { return data_[length_ - 1]; }
  constexpr const T &operator[](size_t Index) const { return data_[Index]; }
  constexpr const T &at(size_t Index) const { return data_[Index]; }
  constexpr ArrayRef slice(size_t N, size_t M) const { return ArrayRef(data_ + N, M); }
  constexpr ArrayRef slice(size_t N) const { return ArrayRef(data_ + N, length_ - N); }
  std::vector<T> vec() const;
  bool equals(ArrayRef RHS) const;

private:
  const T *data_ = nullptr;
  size_t length_ = 0;
};

template <class T> bool operator==(ArrayRef<T> a, ArrayRef<T> b);
template <class T> bool operator!=(ArrayRef<T> a, ArrayRef<T> b);
template <class T> bool operator==(const std::vector<T> &a, ArrayRef<T> b);
template <class T> bool operator==(ArrayRef<T> a, const std::vector<T> &b);
template <class T> bool operator!=(ArrayRef<T> a, const std::vector<T> &b);

template <class T> std::ostream &operator<<(std::ostream &out, ArrayRef<T> list);

using IntArrayRef = ArrayRef<int64_t>;

/// An optional view of dimensions; one number and a braced list will do as well: `x.sum(1)`, `x.sum({0, 1})`.
class OptionalIntArrayRef {
public:
  constexpr OptionalIntArrayRef() = default;
  constexpr OptionalIntArrayRef(nullopt_t) {}
  constexpr OptionalIntArrayRef(const optional<IntArrayRef> &other) : values_(other) {}
  constexpr OptionalIntArrayRef(const int64_t &value) : values_(value) {}
  template <class U,
            std::enable_if_t<!std::is_same_v<std::decay_t<U>, OptionalIntArrayRef> &&
                                 std::is_convertible_v<U &&, IntArrayRef> && !std::is_convertible_v<U &&, int64_t>,
                             bool> = false>
  constexpr OptionalIntArrayRef(U &&value) : values_(value) {}
  constexpr OptionalIntArrayRef(const std::initializer_list<int64_t> &values) : values_(IntArrayRef(values)) {}
  constexpr bool has_value() const { return values_.has_value(); }
  explicit operator bool() const;
  const IntArrayRef &value() const;

private:
  optional<IntArrayRef> values_;
};

} // namespace c10
