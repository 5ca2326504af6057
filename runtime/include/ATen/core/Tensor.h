// The tensor: a handle to an object of the runtime's.
#pragma once
#pragma GCC system_header

#include "ATen/core/TensorAccessor.h"
#include "samedevice/runtime.h"

#include <tuple>

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

class TensorBase {
public:
  TensorBase() = default;
  explicit TensorBase(std::shared_ptr<TensorImpl> tensor_impl) : impl_(std::move(tensor_impl)) {}

  bool defined() const { return impl_ != nullptr; }
  void reset() { impl_.reset(); }
  bool is_same(const TensorBase &other) const noexcept { return impl_ == other.impl_; }
  size_t use_count() const noexcept { return impl_.use_count(); }
  TensorImpl *unsafeGetTensorImpl() const { return impl_.get(); }
  const std::shared_ptr<TensorImpl> &getIntrusivePtr() const { return impl_; }

  IntArrayRef sizes() const { return samedevice::runtime::sizes(impl()); }
  IntArrayRef strides() const { return samedevice::runtime::strides(impl()); }
  int64_t size(int64_t dim) const { return sizes()[dim < 0 ? dim + this->dim() : dim]; }
  int64_t stride(int64_t dim) const { return strides()[dim < 0 ? dim + this->dim() : dim]; }
  int64_t dim() const { return static_cast<int64_t>(sizes().size()); }
  int64_t ndimension() const { return dim(); }
  int64_t storage_offset() const { return samedevice::runtime::storageOffset(impl()); }
  int64_t numel() const {
    int64_t n = 1;
    for (int64_t size : sizes())
      n *= size;
    return n;
  }
  size_t itemsize() const { return elementSize(scalar_type()); }
  int64_t element_size() const { return static_cast<int64_t>(itemsize()); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  bool is_contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const;
  bool is_alias_of(const TensorBase &other) const {
    return samedevice::runtime::storage(impl()) == samedevice::runtime::storage(other.impl());
  }

  ScalarType scalar_type() const { return samedevice::runtime::scalarType(impl()); }
  caffe2::TypeMeta dtype() const noexcept { return caffe2::TypeMeta(scalar_type()); }
  Layout layout() const noexcept { return is_sparse() ? kSparse : kStrided; }
  Device device() const { return samedevice::runtime::device(impl()); }
  int64_t get_device() const { return device().index(); }
  bool is_cpu() const { return device().is_cpu(); }
  bool is_cuda() const { return device().is_cuda(); }
  bool is_meta() const { return device().is_meta(); }
  bool is_mps() const { return device().is_mps(); }
  bool is_xpu() const { return device().is_xpu(); }
  bool is_sparse() const { return samedevice::runtime::isSparse(impl()); }
  bool is_floating_point() const { return isFloatingType(scalar_type()); }
  bool is_complex() const { return isComplexType(scalar_type()); }
  TensorOptions options() const { return TensorOptions().dtype(scalar_type()).device(device()).layout(layout()); }
  std::string toString() const { return c10::str(is_cuda() ? "CUDA" : "CPU", scalar_type(), "Type"); }
  void print() const;

  void *data_ptr() const { return samedevice::runtime::data(impl()); }
  template <class T> T *data_ptr() const {
    TORCH_CHECK(scalar_type() == CppTypeToScalarType<std::remove_const_t<T>>::value, "expected scalar type ",
                CppTypeToScalarType<std::remove_const_t<T>>::value, " but found ", scalar_type());
    return static_cast<T *>(data_ptr());
  }
  const void *const_data_ptr() const { return data_ptr(); }
  template <class T> const T *const_data_ptr() const { return data_ptr<T>(); }
  void *mutable_data_ptr() const { return data_ptr(); }
  template <class T> T *mutable_data_ptr() const { return data_ptr<T>(); }

  template <class T, size_t N> TensorAccessor<T, N> accessor() const & {
    TORCH_CHECK(dim() == N, "TensorAccessor expected ", N, " dims but tensor has ", dim());
    return TensorAccessor<T, N>(data_ptr<T>(), sizes().data(), strides().data());
  }
  template <class T, size_t N> TensorAccessor<T, N> accessor() && = delete;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits, class index_t = int64_t>
  GenericPackedTensorAccessor<T, N, PtrTraits, index_t> generic_packed_accessor() const & {
    TORCH_CHECK(dim() == N, "TensorAccessor expected ", N, " dims but tensor has ", dim());
    return GenericPackedTensorAccessor<T, N, PtrTraits, index_t>(data_ptr<T>(), sizes().data(), strides().data());
  }
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() const & {
    return generic_packed_accessor<T, N, PtrTraits, int32_t>();
  }
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor32<T, N, PtrTraits> packed_accessor32() && = delete;
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() const & {
    return generic_packed_accessor<T, N, PtrTraits, int64_t>();
  }
  template <class T, size_t N, template <class U> class PtrTraits = DefaultPtrTraits>
  PackedTensorAccessor64<T, N, PtrTraits> packed_accessor64() && = delete;

  bool requires_grad() const { return defined() && samedevice::runtime::requiresGrad(impl()); }
  bool is_leaf() const { return samedevice::runtime::isLeaf(impl()); }
  void retain_grad() const { samedevice::runtime::retainGrad(impl()); }

protected:
  TensorImpl &impl() const {
    TORCH_CHECK(impl_, "tensor does not have a device");
    return *impl_;
  }
  std::shared_ptr<TensorImpl> impl_;
};

class Tensor : public TensorBase {
public:
  Tensor() = default;
  explicit Tensor(std::shared_ptr<TensorImpl> tensor_impl) : TensorBase(std::move(tensor_impl)) {}
  explicit Tensor(const TensorBase &base) : TensorBase(base) {}
  Tensor(const Tensor &tensor) = default;
  Tensor(Tensor &&tensor) = default;

  // Assigning to a variable rebinds it; assigning to a temporary (x[0] = y) writes into its memory.
  Tensor &operator=(const Tensor &x) & {
    impl_ = x.impl_;
    return *this;
  }
  Tensor &operator=(Tensor &&x) & {
    impl_ = std::move(x.impl_);
    return *this;
  }
  Tensor &operator=(Scalar v) && { return fill_(v); }
  Tensor &operator=(const Tensor &rhs) && { return copy_(rhs); }
  Tensor &operator=(Tensor &&rhs) && { return copy_(rhs); }

  Tensor operator~() const { return bitwise_not(); }
  Tensor operator-() const { return neg(); }
  Tensor &operator+=(const Tensor &other) { return add_(other); }
  Tensor &operator+=(Scalar other) { return add_(other); }
  Tensor &operator-=(const Tensor &other) { return sub_(other); }
  Tensor &operator-=(Scalar other) { return sub_(other); }
  Tensor &operator*=(const Tensor &other) { return mul_(other); }
  Tensor &operator*=(Scalar other) { return mul_(other); }
  Tensor &operator/=(const Tensor &other) { return div_(other); }
  Tensor &operator/=(Scalar other) { return div_(other); }
  Tensor &operator&=(const Tensor &other) { return bitwise_and_(other); }
  Tensor &operator|=(const Tensor &other) { return bitwise_or_(other); }
  Tensor &operator^=(const Tensor &other) { return bitwise_xor_(other); }
  Tensor operator[](Scalar index) const { return this->operator[](index.toLong()); }
  Tensor operator[](Tensor index) const { return this->operator[](index.item()); }
  Tensor operator[](int64_t index) const { return select(0, index); }

  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor &index_put_(ArrayRef<indexing::TensorIndex> indices, Tensor const &rhs);
  Tensor &index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar &v);
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices, Tensor const &rhs);
  Tensor &index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar &v);

  Tensor cpu() const { return to(options().device(DeviceType::CPU), /*non_blocking*/ false, /*copy*/ false); }
  Tensor cuda() const { return to(options().device(DeviceType::CUDA), /*non_blocking*/ false, /*copy*/ false); }
  Tensor toType(ScalarType t) const { return to(options().dtype(t), /*non_blocking*/ false, /*copy*/ false); }
  Tensor contiguous(MemoryFormat memory_format = MemoryFormat::Contiguous) const {
    return is_contiguous(memory_format) ? *this : clone(memory_format);
  }
  template <class T> T *data() const { return data_ptr<T>(); }
  Tensor data() const { return detach(); }
  Tensor variable_data() const { return detach(); }
  Tensor tensor_data() const { return detach(); }
  void set_data(const Tensor &new_data) const { samedevice::runtime::setData(impl(), new_data); }
  Scalar item() const { return samedevice::runtime::item(*this); }
  template <class T> T item() const { return item().to<T>(); }

  void backward(const Tensor &gradient = {}, optional<bool> retain_graph = nullopt, bool create_graph = false,
                optional<TensorList> inputs = nullopt) const;
  Tensor &requires_grad_(bool requires_grad = true) const {
    samedevice::runtime::setRequiresGrad(impl(), requires_grad);
    return const_cast<Tensor &>(*this);
  }
  const Tensor &set_requires_grad(bool requires_grad) const { return requires_grad_(requires_grad); }
  const Tensor &grad() const { return samedevice::runtime::grad(impl()); }
  Tensor &mutable_grad() const { return samedevice::runtime::grad(impl()); }

#define SD_UNPACK(...) __VA_ARGS__
#define SD_UNARY_METHOD(schema, result, name)                                                                          \
  result name() const { return samedevice::runtime::Method<result>::run(*this, schema, "self", {*this}); }
#define SD_METHOD(schema, result, name, params, args)                                                                  \
  result name params const {                                                                                           \
    return samedevice::runtime::Method<result>::run(*this, schema, "self" #args, {*this, SD_UNPACK args});             \
  }
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
