#include "Aliases.h"

#include <c10/core/DeviceGuard.h>

// 1.13 has it beside the other headers, 2.6 among the kernels'.
#if __has_include(<ATen/native/SparseTensorUtils.h>)
#include <ATen/native/SparseTensorUtils.h>
#else
#include <ATen/SparseTensorUtils.h>
#endif

#include <cstring>

namespace samedevice::runtime::pretend {

namespace {

using at::Tensor;
using c10::Device;
using c10::IValue;
using c10::Storage;

bool isOptionalTensorList(const IValue &value) {
  return value.isList() && !value.isTensorList() &&
         value.type()->isSubtypeOf(*c10::ListType::create(c10::OptionalType::ofTensor()));
}

/// Another storage over memory that `owner` keeps alive.
Storage storageOver(void *data, const Storage &owner, Device device) {
  auto *kept = new Storage(owner);
  c10::DataPtr pointer(data, kept, [](void *context) { delete static_cast<Storage *>(context); }, device);
  return Storage(Storage::use_byte_size_t(), owner.nbytes(), std::move(pointer), c10::GetAllocator(c10::kCPU),
                 /*resizable=*/true);
}

/// What libtorch gives tensors of its own; those of InferenceMode are without autograd, also where it has ended.
c10::DispatchKeySet keysOf(Device device, bool isInference) {
  const bool isCuda = device.is_cuda();
  const auto backend = isCuda ? c10::BackendComponent::CUDABit : c10::BackendComponent::CPUBit;
  const auto keys = c10::DispatchKeySet(isCuda ? c10::DispatchKey::CUDA : c10::DispatchKey::CPU) |
                    c10::getAutocastRelatedKeySetFromBackend(backend);
  return isInference ? keys : keys | c10::getAutogradRelatedKeySetFromBackend(backend);
}

Tensor tensorOver(Storage storage, const Tensor &like, Device device) {
  Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(c10::TensorImpl::VIEW, std::move(storage),
                                                           keysOf(device, like.is_inference()), like.dtype());
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), like.strides(), like.storage_offset());
  if (like.is_conj())
    tensor._set_conj(true);
  if (like.is_neg())
    tensor._set_neg(true);
  if (like.unsafeGetTensorImpl()->is_wrapped_number())
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

/// The same sparse tensor, made of these indices and values.
Tensor sparseOver(const Tensor &indices, const Tensor &values, const Tensor &like) {
  const c10::DeviceGuard guard(values.device());
  const auto key = values.is_cuda() ? c10::DispatchKey::SparseCUDA : c10::DispatchKey::SparseCPU;
  Tensor tensor = at::detail::make_tensor<at::SparseTensorImpl>(c10::DispatchKeySet(key), like.dtype());
  at::SparseTensorImpl *made = at::sparse::get_sparse_impl(tensor), *given = at::sparse::get_sparse_impl(like);
  made->raw_resize_(given->sparse_dim(), given->dense_dim(), like.sizes());
  made->set_indices_and_values_unsafe(indices, values);
  made->set_coalesced(given->coalesced());
  return tensor;
}

bool isPinned(const Tensor &tensor) {
  return tensor.has_storage() && machine().placementOf(tensor.storage().data()).memory == Memory::Pinned;
}

} // namespace

std::vector<Tensor> tensorsIn(const IValue &value) {
  std::vector<Tensor> tensors;
  const auto add = [&](const Tensor &tensor) {
    if (tensor.defined())
      tensors.push_back(tensor);
  };
  if (value.isTensor()) {
    add(value.toTensor());
  } else if (value.isTensorList()) {
    for (const Tensor &tensor : value.toTensorVector())
      add(tensor);
  } else if (isOptionalTensorList(value)) {
    for (const IValue &element : value.toListRef())
      if (element.isTensor())
        add(element.toTensor());
  }
  return tensors;
}

Storage Aliases::twinOf(const Storage &storage) {
  for (const auto &[original, twin] : storages_)
    if (original.is_alias_of(storage) && original.unsafeGetStorageImpl() == storage.unsafeGetStorageImpl())
      return twin;
  const Device device = twins_ == Twins::OnCpu ? Device(c10::kCPU) : storage.device();
  Storage twin = storageOver(machine().kernelView(storage.data()), storage, device);
  storages_.emplace_back(storage, twin);
  return twin;
}

Tensor Aliases::twinOf(const Tensor &tensor) {
  // Pinned memory may be closed to the host just now; the GPU's copy engine reaches it still.
  if (!tensor.defined())
    return tensor;
  for (const auto &[original, twin] : tensors_)
    if (original.is_same(tensor))
      return twin;
  if (tensor.is_cuda() && tensor._is_zerotensor() && twins_ == Twins::OnCpu) {
    tensors_.emplace_back(tensor, at::_efficientzerotensor(tensor.sizes(), tensor.options().device(c10::kCPU)));
    return tensors_.back().second;
  }
  if (tensor.is_sparse() && tensor.is_cuda() && twins_ == Twins::OnCpu) {
    const at::SparseTensorImpl *sparse = at::sparse::get_sparse_impl(tensor);
    const Tensor indices = twinOf(sparse->indices()), values = twinOf(sparse->values());
    tensors_.emplace_back(tensor, sparseOver(indices, values, tensor));
    return tensors_.back().second;
  }
  if (tensor.layout() != at::kStrided || !(tensor.is_cuda() || isPinned(tensor))) {
    // Stands for itself, also when it comes back as the result.
    tensors_.emplace_back(tensor, tensor);
    return tensor;
  }
  const Storage storage = twinOf(tensor.storage());
  tensors_.emplace_back(tensor, tensorOver(storage, tensor, storage.device()));
  return tensors_.back().second;
}

Storage Aliases::onDevice(const Storage &storage) {
  for (const auto &[original, twin] : storages_)
    if (twin.unsafeGetStorageImpl() == storage.unsafeGetStorageImpl())
      return original;
  return toDevice(storage);
}

/// A CPU kernel's own memory lies in the GPU's already; anything else is copied there.
Storage Aliases::toDevice(const Storage &storage) {
  if (machine().deviceOfKernelView(storage.data()) >= 0 || storage.nbytes() == 0) {
    return storageOver(machine().hostView(storage.data()), storage, results_);
  }
  c10::DataPtr memory;
  {
    const c10::DeviceGuard guard(results_);
    memory = deviceAllocator()->allocate(storage.nbytes());
  }
  std::memcpy(machine().kernelView(memory.get()), storage.data(), storage.nbytes());
  return Storage(Storage::use_byte_size_t(), storage.nbytes(), std::move(memory), deviceAllocator(),
                 /*resizable=*/true);
}

Tensor Aliases::originalOf(const Tensor &tensor) {
  if (!tensor.defined() || !tensor.is_cpu())
    return tensor;
  for (const auto &[original, twin] : tensors_)
    if (twin.is_same(tensor))
      return original;
  if (tensor.is_sparse()) {
    const at::SparseTensorImpl *sparse = at::sparse::get_sparse_impl(tensor);
    const Tensor indices = originalOf(sparse->indices()), values = originalOf(sparse->values());
    return sparseOver(indices, values, tensor);
  }
  TORCH_CHECK(tensor.layout() == at::kStrided, "the pretended CUDA device has no tensors of layout ", tensor.layout());
  Storage storage = onDevice(tensor.storage());
  const Device device = storage.device();
  return tensorOver(std::move(storage), tensor, device);
}

void Aliases::writeBack() {
  for (auto &[original, twin] : storages_) {
    if (!original.device().is_cuda() || !twin.device().is_cpu())
      continue;
    if (machine().kernelView(original.data()) == twin.data() && original.nbytes() == twin.nbytes())
      continue;
    // Grown: the storage that everybody shares gets the new memory.
    Storage grown = toDevice(twin);
    original.set_nbytes(grown.nbytes());
    original.set_data_ptr_noswap(grown.set_data_ptr(c10::DataPtr()));
  }
  // By number: a sparse tensor's new indices and values join them.
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const auto [original, twin] = tensors_[i];
    if (!original.is_cuda() || !twin.is_cpu() || original._is_zerotensor())
      continue;
    if (original.is_sparse()) {
      const at::SparseTensorImpl *now = at::sparse::get_sparse_impl(twin);
      at::SparseTensorImpl *impl = at::sparse::get_sparse_impl(original);
      const Tensor indices = originalOf(now->indices()), values = originalOf(now->values());
      impl->raw_resize_(now->sparse_dim(), now->dense_dim(), twin.sizes());
      impl->set_indices_and_values_unsafe(indices, values);
      impl->set_coalesced(now->coalesced());
      continue;
    }
    c10::TensorImpl *impl = original.unsafeGetTensorImpl();
    const Storage now = onDevice(twin.storage());
    if (now.unsafeGetStorageImpl() != original.storage().unsafeGetStorageImpl())
      impl->set_storage_keep_dtype(now);
    if (original.sizes() != twin.sizes() || original.strides() != twin.strides() ||
        original.storage_offset() != twin.storage_offset())
      impl->set_sizes_and_strides(twin.sizes(), twin.strides(), twin.storage_offset());
  }
}

IValue Aliases::toTwin(const IValue &value) {
  if (value.isTensor())
    return twinOf(value.toTensor());
  if (value.isTensorList()) {
    c10::List<Tensor> list;
    for (const Tensor &tensor : value.toTensorVector())
      list.push_back(twinOf(tensor));
    return list;
  }
  if (isOptionalTensorList(value)) {
    c10::List<c10::optional<Tensor>> list;
    for (const IValue &element : value.toListRef())
      list.push_back(element.isTensor() ? c10::optional<Tensor>(twinOf(element.toTensor())) : c10::optional<Tensor>());
    return list;
  }
  if (value.isStorage() && value.toStorage().device().is_cuda())
    return IValue(twinOf(value.toStorage()));
  if (twins_ == Twins::SameDevice)
    return value;
  if (value.isGenerator())
    return hostGenerator(value.toGenerator());
  if (value.isDevice() && value.toDevice().is_cuda())
    return Device(c10::kCPU);
  return value;
}

IValue Aliases::fromTwin(const IValue &value) {
  if (value.isTensor())
    return originalOf(value.toTensor());
  if (value.isTensorList()) {
    c10::List<Tensor> list;
    for (const Tensor &tensor : value.toTensorVector())
      list.push_back(originalOf(tensor));
    return list;
  }
  return value;
}

} // namespace samedevice::runtime::pretend
