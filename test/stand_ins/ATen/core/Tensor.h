// The tensor: a handle.
#pragma once
#pragma GCC system_header

#include "ATen/core/TensorAccessor.h"
#include "c10/core/Generator.h"
#include "c10/core/Scalar.h"
#include "c10/core/TensorOptions.h"
#include "c10/util/ArrayRef.h"

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <tuple>

namespace c10 {
struct TensorImpl;
template <class T> class List;
struct Stream;
} // namespace c10
namespace at {
class Tensor;
using TensorList = c10::ArrayRef<Tensor>;
using c10::TensorImpl;
} // namespace at
namespace at::indexing {
struct TensorIndex;
}
namespace torch {
using at::TensorList;
}

namespace at {

using TensorVector = std::vector<Tensor>;
using Tensors2 = std::tuple<Tensor, Tensor>;
using Tensors3 = std::tuple<Tensor, Tensor, Tensor>;
using Tensors4 = std::tuple<Tensor, Tensor, Tensor, Tensor>;

class DeprecatedTypeProperties {
public:
  bool is_cuda() const;
  ScalarType scalarType() const;
};

class TensorBase {
public:
  TensorBase() = default;
  explicit TensorBase(std::shared_ptr<TensorImpl> tensor_impl);

  bool defined() const;
  void reset();
  bool is_same(const TensorBase &other) const noexcept;
  size_t use_count() const noexcept;
  TensorImpl *unsafeGetTensorImpl() const;
  const std::shared_ptr<TensorImpl> &getIntrusivePtr() const;

  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  int64_t size(int64_t dim) const;
  int64_t stride(int64_t dim) const;
  int64_t dim() const;
  int64_t ndimension() const;
  int64_t storage_offset() const;
  int64_t numel() const;
  size_t itemsize() const;
  int64_t element_size() const;
  size_t nbytes() const;
  bool is_contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  bool is_alias_of(const TensorBase &other) const;

  ScalarType scalar_type() const;
  caffe2::TypeMeta dtype() const noexcept;
  Layout layout() const noexcept;
  Device device() const;
  int64_t get_device() const;
  bool is_cpu() const;
  bool is_cuda() const;
  bool is_meta() const;
  bool is_mps() const;
  bool is_xpu() const;
  bool is_sparse() const;
  bool is_floating_point() const;
  bool is_complex() const;
  TensorOptions options() const;
  std::string toString() const;
  void print() const;

  void *data_ptr() const;
  template <class T> T *data_ptr() const;
  const void *const_data_ptr() const;
  template <class T> const T *const_data_ptr() const;
  void *mutable_data_ptr() const;
  template <class T> T *mutable_data_ptr() const;

  template <class T, size_t N> TensorAccessor<T, N> accessor() const &;
  template <class T, size_t N> TensorAccessor<T, N> accessor() && = delete;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> generic_packed_accessor() const &;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() const &;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() && = delete;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() const &;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() && = delete;

  bool requires_grad() const;
  bool is_leaf() const;
  void retain_grad() const;

protected:
  TensorImpl &impl() const;
  std::shared_ptr<TensorImpl> impl_;
};

class Tensor : public TensorBase {
public:
  Tensor() = default;
  DeprecatedTypeProperties &type() const;
  explicit Tensor(std::shared_ptr<TensorImpl> tensor_impl);
  explicit Tensor(const TensorBase &base);
  Tensor(const Tensor &tensor) = default;
  Tensor(Tensor &&tensor) = default;

  // Assigning to a variable rebinds it; assigning to a temporary (x[0] = y) writes into its memory.
  Tensor &operator=(const Tensor &x) &;
  Tensor &operator=(Tensor &&x) &;
  Tensor &operator=(Scalar v) &&;
  Tensor &operator=(const Tensor &rhs) &&;
  Tensor &operator=(Tensor &&rhs) &&;

  Tensor operator~() const;
  Tensor operator-() const;
  Tensor &operator+=(const Tensor &other);
  Tensor &operator+=(Scalar other);
  Tensor &operator-=(const Tensor &other);
  Tensor &operator-=(Scalar other);
  Tensor &operator*=(const Tensor &other);
  Tensor &operator*=(Scalar other);
  Tensor &operator/=(const Tensor &other);
  Tensor &operator/=(Scalar other);
  Tensor &operator&=(const Tensor &other);
  Tensor &operator|=(const Tensor &other);
  Tensor &operator^=(const Tensor &other);
  Tensor operator[](Scalar index) const;
  Tensor operator[](Tensor index) const;
  Tensor operator[](int64_t index) const;

  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor &index_put_(ArrayRef<indexing::TensorIndex> indices, Tensor const &rhs);
  Tensor &index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar &v);
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices, Tensor const &rhs);
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar &v);

  Tensor cpu() const;
  Tensor cuda() const;
  Tensor toType(ScalarType t) const;
  Tensor contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  template <class T> T *data() const;
  Tensor data() const;
  Tensor variable_data() const;
  Tensor tensor_data() const;
  void set_data(const Tensor &new_data) const;
  Scalar item() const;
  template <class T> T item() const;

  void backward(const Tensor &gradient = {}, optional<bool> retain_graph = nullopt, bool create_graph = false,
                optional<TensorList> inputs = nullopt) const;
  Tensor &requires_grad_(bool requires_grad = true) const;
  const Tensor &set_requires_grad(bool requires_grad) const;
  const Tensor &grad() const;
  Tensor &mutable_grad() const;

#define SD_UNPACK(...) __VA_ARGS__
#define SD_UNARY_METHOD(result, name) result name() const;
#define SD_METHOD(result, name, params) result name params const;
#define SD_UNARY SD_UNARY_METHOD
#define SD_OPERATOR SD_METHOD
#include "ATen/operators/all.def"
};

std::ostream &operator<<(std::ostream &out, const Tensor &t);

} // namespace at

namespace torch {
using Tensor = at::Tensor;
namespace autograd {
using Variable = at::Tensor;
using variable_list = std::vector<Variable>;
} // namespace autograd
} // namespace torch
