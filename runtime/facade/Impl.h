// What the facade's tensors are: strided views of storages on the simulated machine.
#pragma once

#include "ATen/ATen.h"

#include "../cudart/Machine.h"

#include <functional>
#include <memory>
#include <vector>

namespace samedevice::runtime {

using Sizes = std::vector<int64_t>;

struct StorageImpl {
  void *address = nullptr;
  std::size_t bytes = 0;
  std::function<void(void *)> free;
  ~StorageImpl() {
    if (free)
      free(address);
  }
};

/// How a tensor came to be, as far as gradients need it: which tensors they flow on to. Gradients have the right
/// shape, type and device; their values are made up, except behind a user's own function.
struct GradientNode {
  std::vector<Tensor> inputs;
  std::function<std::vector<Tensor>(std::vector<Tensor>)> backward; ///< of a user's function
  std::vector<std::weak_ptr<c10::TensorImpl>> outputs;
};

} // namespace samedevice::runtime

struct c10::TensorImpl {
  std::shared_ptr<samedevice::runtime::StorageImpl> storage;
  samedevice::runtime::Sizes sizes, strides;
  int64_t offset = 0;
  ScalarType type = kFloat;
  Device device = Device(kCPU);
  bool pinned = false, sparse = false, requiresGrad = false, retainsGrad = false;
  at::Tensor grad;
  std::shared_ptr<samedevice::runtime::GradientNode> node;
};

namespace samedevice::runtime {

/// The values of a tensor, one after the other, whatever type they are stored as.
struct Array {
  Sizes sizes;
  std::vector<double> values;
  c10::ScalarType type = c10::kFloat;

  Array() = default;
  Array(Sizes shape, c10::ScalarType elementType, double value = 0);
  int64_t rank() const { return static_cast<int64_t>(sizes.size()); }
};

int64_t countOf(c10::IntArrayRef sizes);
Sizes contiguousStrides(c10::IntArrayRef sizes);
/// -1 is the last dimension; throws IndexError outside.
int64_t wrapDim(int64_t dim, int64_t rank);

c10::Device concrete(c10::Device device);
Tensor makeTensor(c10::IntArrayRef sizes, c10::ScalarType type, c10::Device device, bool pinned = false);
Tensor makeTensor(const Array &array, c10::Device device);
/// Another view of the same storage.
Tensor viewOf(const Tensor &tensor, Sizes sizes, Sizes strides, int64_t offset);
Tensor viewOf(const Tensor &tensor, Sizes sizes, Sizes strides);

/// Who reaches for a CPU tensor: the host, or the copy engine, which may while the host has to wait for it. CUDA
/// tensors are always reached as a kernel would.
enum class By { Host, CopyEngine };
Array read(const Tensor &tensor, By who = By::Host);
void write(const Tensor &tensor, const Array &array, By who = By::Host);
/// Gives `out` this shape, with new memory if it has another.
void resize(const Tensor &out, c10::IntArrayRef sizes);

Array broadcast(const Array &array, c10::IntArrayRef sizes);
Sizes broadcastShapes(c10::IntArrayRef a, c10::IntArrayRef b);

/// Lets gradients flow from `result` to those inputs that want them.
void connect(const Tensor &result, const std::vector<Tensor> &inputs);

double randomUniform();
double randomNormal();

} // namespace samedevice::runtime
