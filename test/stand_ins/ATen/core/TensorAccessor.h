// Elements of a tensor by index: accessors are for the host, packed accessors for kernels.
#pragma once
#pragma GCC system_header

#include "c10/util/ArrayRef.h"

namespace at {

template <class T> struct DefaultPtrTraits {
  using PtrType = T *;
};
template <class T> struct RestrictPtrTraits {
  using PtrType = T *C10_RESTRICT;
};

/// What an index leads to: fewer dimensions, at last an element.
template <class T, size_t N, template <class U> class PtrTraits, class index_t> struct Indexed;

template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
class TensorAccessor {
public:
  using PtrType = typename PtrTraits<T>::PtrType;
  C10_HOST_DEVICE TensorAccessor(PtrType data, const index_t *sizes, const index_t *strides);
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  C10_HOST_DEVICE index_t stride(index_t i) const;
  C10_HOST_DEVICE index_t size(index_t i) const;
  C10_HOST_DEVICE PtrType data() const;
  C10_HOST_DEVICE typename Indexed<T, N, PtrTraits, index_t>::type operator[](index_t i) const;

private:
  PtrType data_;
  const index_t *sizes_;
  const index_t *strides_;
};

template <class T, size_t N, template <class U> class PtrTraits, class index_t> struct Indexed {
  using type = TensorAccessor<T, N - 1, PtrTraits, index_t>;
};
template <class T, template <class U> class PtrTraits, class index_t> struct Indexed<T, 1, PtrTraits, index_t> {
  using type = T &;
};

/// Carries its sizes along, so that it can be passed to a kernel by value. Only device code may index it.
template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
class GenericPackedTensorAccessor {
public:
  using PtrType = typename PtrTraits<T>::PtrType;
  GenericPackedTensorAccessor(PtrType data, const int64_t *sizes, const int64_t *strides);
  C10_HOST_DEVICE index_t stride(index_t i) const;
  C10_HOST_DEVICE index_t size(index_t i) const;
  C10_HOST_DEVICE PtrType data() const;
  C10_DEVICE typename Indexed<T, N, PtrTraits, index_t>::type operator[](index_t i) const;

private:
  PtrType data_;
  index_t sizes_[N];
  index_t strides_[N];
};
template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, PtrTraits, int32_t>;
template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, PtrTraits, int64_t>;

} // namespace at

namespace torch {
template <class T> using DefaultPtrTraits = at::DefaultPtrTraits<T>;
template <class T> using RestrictPtrTraits = at::RestrictPtrTraits<T>;
using at::PackedTensorAccessor32;
using at::PackedTensorAccessor64;
using at::TensorAccessor;
} // namespace torch
