// What stands behind the facade: everything that touches a tensor ends in one of these functions.
// runtime/ defines them; runtime/include only declares them.
#pragma once
#pragma GCC system_header

#include "c10/core/Generator.h"
#include "c10/core/Scalar.h"
#include "c10/core/TensorOptions.h"
#include "c10/util/ArrayRef.h"

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace c10 {
struct TensorImpl;
template <class T> class List;
struct Stream;
} // namespace c10
namespace at {
class Tensor;
using TensorList = c10::ArrayRef<Tensor>;
} // namespace at

namespace samedevice::runtime {

using at::Tensor;
using at::TensorList;
using c10::TensorImpl;

// The types of operators' arguments.
#define SD_ARGUMENT_KINDS(_)                                                                                           \
  _(Tensor, Tensor)                                                                                                    \
  _(OptionalTensor, c10::optional<Tensor>)                                                                             \
  _(TensorList, TensorList)                                                                                            \
  _(OptionalTensors, c10::List<c10::optional<Tensor>>)                                                                 \
  _(Scalar, c10::Scalar)                                                                                               \
  _(OptionalScalar, c10::optional<c10::Scalar>)                                                                        \
  _(Int, int64_t)                                                                                                      \
  _(OptionalInt, c10::optional<int64_t>)                                                                               \
  _(Ints, c10::IntArrayRef)                                                                                            \
  _(OptionalInts, c10::OptionalIntArrayRef)                                                                            \
  _(Bool, bool)                                                                                                        \
  _(OptionalBool, c10::optional<bool>)                                                                                 \
  _(Double, double)                                                                                                    \
  _(OptionalDouble, c10::optional<double>)                                                                             \
  _(Doubles, c10::ArrayRef<double>)                                                                                    \
  _(OptionalDoubles, c10::optional<c10::ArrayRef<double>>)                                                             \
  _(Scalars, c10::ArrayRef<c10::Scalar>)                                                                               \
  _(ScalarType, c10::ScalarType)                                                                                       \
  _(OptionalScalarType, c10::optional<c10::ScalarType>)                                                                \
  _(OptionalLayout, c10::optional<c10::Layout>)                                                                        \
  _(Options, c10::TensorOptions)                                                                                       \
  _(Device, c10::Device)                                                                                               \
  _(OptionalDevice, c10::optional<c10::Device>)                                                                        \
  _(MemoryFormat, c10::MemoryFormat)                                                                                   \
  _(OptionalMemoryFormat, c10::optional<c10::MemoryFormat>)                                                            \
  _(OptionalGenerator, c10::optional<at::Generator>)                                                                   \
  _(String, c10::string_view)                                                                                          \
  _(OptionalString, c10::optional<c10::string_view>)

template <class T> struct ArgumentKind;

/// One argument of an operator, seen through a pointer: it lives as long as the call.
class Argument {
public:
#define SD_KIND(kind, type) kind,
  enum class Kind : uint8_t { SD_ARGUMENT_KINDS(SD_KIND) };
#undef SD_KIND
  template <class T, Kind kind = ArgumentKind<T>::value> Argument(const T &value) : kind_(kind), value_(&value) {}

  Kind kind() const { return kind_; }
  /// The value, which must be of the type that SD_ARGUMENT_KINDS gives for kind().
  template <class T> const T &as() const { return *static_cast<const T *>(value_); }

private:
  Kind kind_;
  const void *value_;
};

#define SD_KIND(kind, type)                                                                                            \
  template <> struct ArgumentKind<type> {                                                                              \
    static constexpr Argument::Kind value = Argument::Kind::kind;                                                      \
  };
SD_ARGUMENT_KINDS(SD_KIND)
#undef SD_KIND

/// Runs an operator. `schema` is its name in ops.tsv ("add.Tensor"), `names` the names of its arguments in
/// order, between any of ",() ". Operators that write into an argument return nothing.
template <class R> R call(const char *schema, const char *names, std::initializer_list<Argument> arguments);

/// The tensor that an operator with an output returns.
template <class... Args> Tensor &first(Tensor &out, const Args &...) { return out; }

/// What an operator's method returns: in-place ones give back the tensor they were called on.
template <class R> struct Method {
  using Self = const Tensor &;
  static R run(const Tensor &, const char *schema, const char *names, std::initializer_list<Argument> a) {
    return call<R>(schema, names, a);
  }
};
template <> struct Method<Tensor &> {
  using Self = Tensor &;
  static Tensor &run(const Tensor &self, const char *schema, const char *names, std::initializer_list<Argument> a) {
    call<void>(schema, names, a);
    return const_cast<Tensor &>(self);
  }
};

// Properties of a tensor.
c10::IntArrayRef sizes(const TensorImpl &tensor);
c10::IntArrayRef strides(const TensorImpl &tensor);
int64_t storageOffset(const TensorImpl &tensor);
c10::ScalarType scalarType(const TensorImpl &tensor);
c10::Device device(const TensorImpl &tensor);
bool isPinned(const TensorImpl &tensor);
bool isSparse(const TensorImpl &tensor);
/// The address of the first element, on whatever device it lives.
void *data(const TensorImpl &tensor);
/// The address of the first byte that this tensor's storage owns: equal for views of one tensor.
const void *storage(const TensorImpl &tensor);
Tensor fromBlob(void *data, c10::IntArrayRef sizes, c10::optional<c10::IntArrayRef> strides,
                std::function<void(void *)> deleter, const c10::TensorOptions &options,
                c10::optional<c10::Device> target);
/// A CPU tensor with these values, converted to the element type.
Tensor fromValues(c10::ArrayRef<c10::Scalar> values, c10::IntArrayRef sizes, c10::ScalarType type);
c10::Scalar item(const Tensor &tensor);
void print(std::ostream &out, const Tensor &tensor);

// Gradients.
bool requiresGrad(const TensorImpl &tensor);
void setRequiresGrad(TensorImpl &tensor, bool value);
bool isLeaf(const TensorImpl &tensor);
void retainGrad(TensorImpl &tensor);
Tensor &grad(TensorImpl &tensor);
void setData(TensorImpl &tensor, const Tensor &data);
void backward(TensorList tensors, TensorList gradients);
std::vector<Tensor> gradients(TensorList outputs, TensorList inputs, TensorList outputGradients, bool allowUnused);
bool gradEnabled();
void setGradEnabled(bool enabled);
/// Joins outputs to inputs in the graph through a user's backward function.
void recordFunction(TensorList outputs, TensorList inputs,
                    std::function<std::vector<Tensor>(std::vector<Tensor>)> backward);

// Devices, streams, randomness.
int deviceCount();
int currentDevice();
void setDevice(int index);
void synchronizeDevice(int index); ///< -1: the current one
void manualSeed(uint64_t seed);
uint64_t newStream(int device);
uint64_t currentStream(int device);
void setCurrentStream(int device, uint64_t stream);
void synchronizeStream(int device, uint64_t stream);
bool streamIsIdle(int device, uint64_t stream);

// Files. A tensor is written with the device it lives on.
void writeTensor(std::ostream &out, const Tensor &tensor);
Tensor readTensor(std::istream &in, c10::optional<c10::Device> device);

} // namespace samedevice::runtime
