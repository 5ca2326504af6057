#include "Impl.h"

#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>

namespace samedevice::runtime {

using c10::ScalarType;

Array::Array(Sizes shape, ScalarType elementType, double value)
    : sizes(std::move(shape)), values(static_cast<std::size_t>(countOf(sizes)), value), type(elementType) {}

int64_t countOf(c10::IntArrayRef sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<int64_t>());
}

Sizes contiguousStrides(c10::IntArrayRef sizes) {
  Sizes strides(sizes.size());
  int64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<int64_t>(sizes[i], 1);
  }
  return strides;
}

int64_t wrapDim(int64_t dim, int64_t rank) {
  const int64_t bound = std::max<int64_t>(rank, 1);
  TORCH_CHECK_INDEX(dim >= -bound && dim < bound, "Dimension out of range (expected to be in range of [", -bound, ", ",
                    bound - 1, "], but got ", dim, ")");
  return dim < 0 ? dim + bound : dim;
}

c10::Device concrete(c10::Device device) {
  if (!device.is_cuda())
    return device;
  const int index = device.has_index() ? device.index() : machine().currentDevice();
  TORCH_CHECK(index < machine().deviceCount(), "CUDA error: invalid device ordinal");
  return {c10::kCUDA, static_cast<c10::DeviceIndex>(index)};
}

namespace {

std::shared_ptr<StorageImpl> makeStorage(std::size_t bytes, c10::Device device, bool pinned) {
  auto storage = std::make_shared<StorageImpl>();
  storage->bytes = bytes;
  if (device.is_cuda()) {
    storage->address = machine().allocateOn(device.index(), bytes);
    TORCH_CHECK(storage->address, "CUDA out of memory. Tried to allocate ", bytes, " bytes");
    storage->free = [](void *address) { machine().release(address); };
  } else if (pinned) {
    machine().allocate(Memory::Pinned, bytes, &storage->address);
    storage->free = [](void *address) { machine().release(address); };
  } else {
    storage->address = std::calloc(std::max<std::size_t>(bytes, 1), 1);
    storage->free = [](void *address) { std::free(address); };
  }
  return storage;
}

std::mt19937_64 &generator() {
  static std::mt19937_64 numbers(0);
  return numbers;
}

template <class T> double loadAs(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  if constexpr (std::is_constructible_v<double, T>)
    return static_cast<double>(value);
  else
    return static_cast<double>(value.real());
}

template <class T> void storeAs(char *to, double value) {
  T stored;
  if constexpr (std::is_same_v<T, bool>)
    stored = value != 0;
  else if constexpr (std::is_integral_v<T>)
    stored = static_cast<T>(static_cast<int64_t>(value));
  else
    stored = T(static_cast<float>(value));
  if constexpr (std::is_same_v<T, double>)
    stored = value;
  std::memcpy(to, &stored, sizeof(T));
}

double load(const char *from, ScalarType type) {
  switch (type) {
#define SD_LOAD(cpp, name)                                                                                             \
  case ScalarType::name:                                                                                               \
    return loadAs<cpp>(from);
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(SD_LOAD)
#undef SD_LOAD
  default:
    return 0;
  }
}

void store(char *to, double value, ScalarType type) {
  switch (type) {
#define SD_STORE(cpp, name)                                                                                            \
  case ScalarType::name:                                                                                               \
    return storeAs<cpp>(to, value);
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(SD_STORE)
#undef SD_STORE
  default:
    return;
  }
}

/// Visits every element in order, with the place it is stored at.
template <class Visit> void eachElement(const Tensor &tensor, By who, Visit visit) {
  const c10::TensorImpl &impl = *tensor.unsafeGetTensorImpl();
  const std::size_t width = c10::elementSize(impl.type);
  char *base = static_cast<char *>(impl.storage->address);
  if (impl.device.is_cuda())
    TORCH_CHECK(machine().setDevice(machine().currentDevice()) == Error::None,
                "CUDA error: ", errorText(Error::IllegalAddress));
  if (impl.device.is_cuda() || who == By::CopyEngine)
    base = static_cast<char *>(machine().kernelView(base));
  Sizes index(impl.sizes.size(), 0);
  for (int64_t left = countOf(impl.sizes), at = 0; left > 0; --left, ++at) {
    int64_t place = impl.offset;
    for (std::size_t d = 0; d < index.size(); ++d)
      place += index[d] * impl.strides[d];
    visit(at, base + static_cast<std::size_t>(place) * width);
    for (std::size_t d = index.size(); d-- > 0;) {
      if (++index[d] < impl.sizes[d])
        break;
      index[d] = 0;
    }
  }
}

} // namespace

Tensor makeTensor(c10::IntArrayRef sizes, ScalarType type, c10::Device device, bool pinned) {
  auto impl = std::make_shared<c10::TensorImpl>();
  impl->device = concrete(device);
  TORCH_CHECK(!(pinned && impl->device.is_cuda()), "Only dense CPU tensors can be pinned");
  impl->sizes = sizes.vec();
  impl->strides = contiguousStrides(sizes);
  impl->type = type;
  impl->pinned = pinned;
  impl->storage = makeStorage(static_cast<std::size_t>(countOf(sizes)) * c10::elementSize(type), impl->device, pinned);
  return Tensor(impl);
}

Tensor makeTensor(const Array &array, c10::Device device) {
  Tensor tensor = makeTensor(array.sizes, array.type, device);
  write(tensor, array);
  return tensor;
}

Tensor viewOf(const Tensor &tensor, Sizes sizes, Sizes strides, int64_t offset) {
  auto impl = std::make_shared<c10::TensorImpl>(*tensor.unsafeGetTensorImpl());
  impl->sizes = std::move(sizes);
  impl->strides = std::move(strides);
  impl->offset = offset;
  impl->grad = Tensor();
  impl->node = nullptr;
  impl->requiresGrad = false;
  return Tensor(impl);
}

Tensor viewOf(const Tensor &tensor, Sizes sizes, Sizes strides) {
  return viewOf(tensor, std::move(sizes), std::move(strides), tensor.storage_offset());
}

Array read(const Tensor &tensor, By who) {
  Array array(tensor.sizes().vec(), tensor.scalar_type());
  eachElement(tensor, who,
              [&](int64_t i, const char *at) { array.values[static_cast<std::size_t>(i)] = load(at, array.type); });
  return array;
}

void write(const Tensor &tensor, const Array &array, By who) {
  const ScalarType type = tensor.scalar_type();
  eachElement(tensor, who, [&](int64_t i, char *at) { store(at, array.values[static_cast<std::size_t>(i)], type); });
}

void resize(const Tensor &out, c10::IntArrayRef sizes) {
  c10::TensorImpl &impl = *out.unsafeGetTensorImpl();
  if (sizes.equals(impl.sizes))
    return;
  const std::size_t bytes = static_cast<std::size_t>(countOf(sizes)) * c10::elementSize(impl.type);
  impl.sizes = sizes.vec();
  impl.strides = contiguousStrides(sizes);
  impl.offset = 0;
  if (bytes > impl.storage->bytes)
    impl.storage = makeStorage(bytes, impl.device, impl.pinned);
}

Sizes broadcastShapes(c10::IntArrayRef a, c10::IntArrayRef b) {
  Sizes shape(std::max(a.size(), b.size()));
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1, right = i < b.size() ? b[b.size() - 1 - i] : 1;
    TORCH_CHECK(left == right || left == 1 || right == 1, "The size of tensor a (", left,
                ") must match the size of tensor b (", right, ") at non-singleton dimension ", shape.size() - 1 - i);
    shape[shape.size() - 1 - i] = left == 1 ? right : left;
  }
  return shape;
}

Array broadcast(const Array &array, c10::IntArrayRef sizes) {
  if (sizes.equals(array.sizes))
    return array;
  Array out(sizes.vec(), array.type);
  Sizes strides = contiguousStrides(array.sizes);
  const std::size_t extra = sizes.size() - array.sizes.size();
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i), from = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) {
      const int64_t index = rest % sizes[d];
      rest /= sizes[d];
      if (d >= extra && array.sizes[d - extra] != 1)
        from += index * strides[d - extra];
    }
    out.values[i] = array.values[static_cast<std::size_t>(from)];
  }
  return out;
}

double randomUniform() { return std::uniform_real_distribution<double>(0, 1)(generator()); }
double randomNormal() { return std::normal_distribution<double>(0, 1)(generator()); }
void manualSeed(uint64_t seed) { generator().seed(seed); }

// Properties.
c10::IntArrayRef sizes(const c10::TensorImpl &tensor) { return tensor.sizes; }
c10::IntArrayRef strides(const c10::TensorImpl &tensor) { return tensor.strides; }
int64_t storageOffset(const c10::TensorImpl &tensor) { return tensor.offset; }
ScalarType scalarType(const c10::TensorImpl &tensor) { return tensor.type; }
c10::Device device(const c10::TensorImpl &tensor) { return tensor.device; }
bool isPinned(const c10::TensorImpl &tensor) {
  return machine().placementOf(tensor.storage->address).memory == Memory::Pinned;
}
bool isSparse(const c10::TensorImpl &tensor) { return tensor.sparse; }
void *data(const c10::TensorImpl &tensor) {
  return static_cast<char *>(tensor.storage->address) +
         static_cast<std::size_t>(tensor.offset) * c10::elementSize(tensor.type);
}
const void *storage(const c10::TensorImpl &tensor) { return tensor.storage->address; }

Tensor fromBlob(void *data, c10::IntArrayRef sizes, c10::optional<c10::IntArrayRef> strides,
                std::function<void(void *)> deleter, const c10::TensorOptions &options,
                c10::optional<c10::Device> target) {
  c10::Device device = concrete(target.value_or(options.device()));
  if (device.is_cuda() && !target) {
    const Placement placement = machine().placementOf(data);
    TORCH_CHECK(placement.memory != Memory::Unregistered,
                "The specified pointer resides on host memory and is not registered with any CUDA device.");
    const c10::Device actual(
        c10::kCUDA, static_cast<c10::DeviceIndex>(placement.device < 0 ? machine().currentDevice() : placement.device));
    TORCH_CHECK_VALUE(!options.device().has_index() || options.device() == actual, "Specified device ",
                      options.device(), " does not match device of data ", actual);
    device = actual;
  }
  auto impl = std::make_shared<c10::TensorImpl>();
  impl->device = device;
  impl->sizes = sizes.vec();
  impl->strides = strides ? strides->vec() : contiguousStrides(sizes);
  impl->type = options.dtype().toScalarType();
  impl->requiresGrad = options.requires_grad();
  impl->storage = std::make_shared<StorageImpl>();
  impl->storage->address = data;
  impl->storage->bytes = static_cast<std::size_t>(countOf(sizes)) * c10::elementSize(impl->type);
  impl->storage->free = std::move(deleter);
  return Tensor(impl);
}

Tensor fromValues(c10::ArrayRef<c10::Scalar> values, c10::IntArrayRef sizes, ScalarType type) {
  Array array(sizes.vec(), type);
  for (std::size_t i = 0; i < values.size(); ++i)
    array.values[i] = values[i].toDouble();
  return makeTensor(array, c10::kCPU);
}

c10::Scalar item(const Tensor &tensor) {
  TORCH_CHECK_VALUE(tensor.numel() == 1, "a Tensor with ", tensor.numel(), " elements cannot be converted to Scalar");
  if (tensor.is_cuda())
    machine().synchronize(tensor.device().index(), static_cast<Stream>(currentStream(tensor.device().index())));
  const double value = read(tensor).values[0];
  if (tensor.scalar_type() == c10::kBool)
    return value != 0;
  if (c10::isIntegralType(tensor.scalar_type(), false))
    return static_cast<int64_t>(value);
  return value;
}

void print(std::ostream &out, const Tensor &tensor) {
  if (!tensor.defined()) {
    out << "[ Tensor (undefined) ]";
    return;
  }
  const Array array = read(tensor);
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const bool endsRow =
        array.sizes.empty() || (static_cast<int64_t>(i) + 1) % std::max<int64_t>(array.sizes.back(), 1) == 0;
    out << array.values[i] << (endsRow ? '\n' : ' ');
  }
  out << "[ " << tensor.toString() << "{";
  for (std::size_t i = 0; i < array.sizes.size(); ++i)
    out << (i == 0 ? "" : ",") << array.sizes[i];
  out << "} ]";
}

} // namespace samedevice::runtime
