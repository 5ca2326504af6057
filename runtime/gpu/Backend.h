// What the shim needs of a machine with GPUs, in the CUDA runtime's terms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace samedevice::runtime {

/// Numbered as the CUDA runtime numbers them.
enum class Error : int {
  None = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidDevice = 101,
  InvalidHandle = 400,
  PeerAlreadyEnabled = 704,
  IllegalAddress = 700,
  LaunchFailure = 719,
  Unknown = 999,
};

/// As cudaGetErrorString says it.
const char *errorText(Error error);

enum class Memory { Unregistered, Pinned, Managed, Device };
const char *memoryName(Memory memory);

struct Placement {
  Memory memory = Memory::Unregistered;
  int device = -1;
};

enum class CopyKind { HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, Default };

/// 0 is the default stream of the current device.
using Stream = std::uint32_t;

/// One launch. What an argument means is the kernel's business; unused ones stay null.
struct Kernel {
  enum Kind {
    Fill,     ///< out[i] = value
    Copy,     ///< out[i] = a[i]
    Add,      ///< out[i] = a[i] + b[i]
    Multiply, ///< out[i] = a[i] * b[i]
    MatMul,   ///< out[rows, columns] = a[rows, inner] b[inner, columns]
    Gather,   ///< out[i] = a[index[i]]
    Scatter,  ///< out[index[i]] = a[i]
    Sum,      ///< out[0] = sum of a[i]
    Touch,    ///< reads a[i] and keeps nothing
    Delay,    ///< keeps its stream busy for a while
  } kind = Touch;
  float *out = nullptr;
  const float *a = nullptr;
  const float *b = nullptr;
  const std::int64_t *index = nullptr;
  std::size_t count = 0;
  std::size_t rows = 0, inner = 0, columns = 0;
  float value = 0;
};

class Backend {
public:
  virtual ~Backend() = default;

  /// "sim" or "cuda".
  virtual std::string name() const = 0;
  /// "simulated GPU", "NVIDIA H200".
  virtual std::string deviceName(int device) const = 0;
  virtual int deviceCount() const = 0;
  /// Whether kernels reach the host's pageable memory. Where they do, a host pointer is no mistake.
  virtual bool reachesHostMemory() const { return false; }

  /// The current device belongs to the thread, as in CUDA.
  virtual Error setDevice(int device) = 0;
  virtual int currentDevice() const = 0;
  virtual Error enablePeer(int peer) = 0;

  /// Unregistered memory is the caller's own and cannot be asked for here.
  virtual Error allocate(Memory memory, std::size_t bytes, void **address) = 0;
  virtual Error release(void *address) = 0;
  virtual Placement placementOf(const void *address) const = 0;

  virtual Error createStream(Stream *stream) = 0;
  /// Which device a stream belongs to, -1 when there is no such stream.
  virtual int deviceOf(Stream stream) const = 0;
  virtual Error synchronizeStream(Stream stream) = 0;
  /// Waits for the current device.
  virtual Error synchronizeDevice() = 0;

  virtual Error copy(void *to, const void *from, std::size_t bytes, CopyKind kind) = 0;
  virtual Error copyAsync(void *to, const void *from, std::size_t bytes, CopyKind kind, Stream stream) = 0;
  virtual Error launch(const Kernel &kernel, Stream stream) = 0;

  /// The last error, which is then forgotten unless it is a sticky one.
  virtual Error takeError() = 0;
  virtual std::string explain(Error error) const { return errorText(error); }
};

std::unique_ptr<Backend> makeSimBackend(int devices);
/// Null where this build has no CUDA or the machine no GPU; then `problem` says which.
std::unique_ptr<Backend> makeCudaBackend(std::string &problem);

} // namespace samedevice::runtime
