// The CUDA runtime's functions on the simulated GPUs, under their own names, so that programs which call CUDA link and
// run. Kernels are not executed: a launch checks its stream and its pointers. No CUDA header is needed: handles are
// pointers, enumerations are ints, and errors already have CUDA's numbers.
#include "KernelArguments.h"
#include "Machine.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>

using namespace samedevice::runtime;

namespace {

using Result = int;
using Handle = void *;

struct Dimensions {
  unsigned x, y, z;
};

struct Configuration {
  Dimensions grid, block;
  std::size_t shared;
  Handle stream;
};

Result code(Error error) { return static_cast<Result>(error); }

/// 0, 1 and 2 are CUDA's names for default streams.
constexpr std::uintptr_t kFirstStream = 16;
Stream streamOf(Handle handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  return number < kFirstStream ? 0 : static_cast<Stream>(number - kFirstStream);
}
Handle handleOf(Stream stream) { return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(stream) + kFirstStream); }

/// Waiting for an event is waiting for the stream it was recorded in.
struct Event {
  int device = 0;
  Stream stream = 0;
};

/// Symbols (__device__ variables) get their memory when they are first asked for.
void *memoryOfSymbol(const void *symbol) {
  static std::map<std::pair<const void *, int>, void *> symbols;
  static std::mutex mutex;
  constexpr std::size_t kSymbolBytes = 1 << 16;
  const std::lock_guard<std::mutex> lock(mutex);
  void *&memory = symbols[{symbol, machine().currentDevice()}];
  if (!memory)
    machine().allocate(Memory::Device, kSymbolBytes, &memory);
  return memory;
}

Result set(void *to, int value, std::size_t bytes) {
  const Placement placement = machine().placementOf(to);
  if (placement.memory == Memory::Unregistered)
    return code(Error::InvalidValue);
  std::memset(machine().kernelView(to), value, bytes);
  return 0;
}

Result copyRows(void *to, std::size_t toPitch, const void *from, std::size_t fromPitch, std::size_t width,
                std::size_t height, int kind) {
  for (std::size_t row = 0; row < height; ++row) {
    const Error error =
        machine().copy(static_cast<char *>(to) + row * toPitch, static_cast<const char *>(from) + row * fromPitch,
                       width, static_cast<CopyKind>(kind));
    if (error != Error::None)
      return code(error);
  }
  return 0;
}

thread_local Configuration pushed;

} // namespace

#pragma GCC visibility push(default)
extern "C" {

Result cudaGetDeviceCount(int *count) {
  *count = machine().deviceCount();
  return 0;
}
Result cudaGetDevice(int *device) {
  *device = machine().currentDevice();
  return 0;
}
Result cudaSetDevice(int device) { return code(machine().setDevice(device)); }
Result cudaDeviceSynchronize() { return code(machine().synchronizeDevice()); }
Result cudaGetLastError() { return code(lastTakenError() = machine().takeError()); }
Result cudaPeekAtLastError() { return code(machine().setDevice(machine().currentDevice())); }
const char *cudaGetErrorString(Result error) { return errorText(static_cast<Error>(error)); }
const char *cudaGetErrorName(Result error) { return errorText(static_cast<Error>(error)); }
Result cudaDeviceCanAccessPeer(int *can, int, int) {
  *can = 1;
  return 0;
}
Result cudaDeviceEnablePeerAccess(int peer, unsigned) { return code(machine().enablePeer(peer)); }
Result cudaDeviceReset() { return 0; }
Result cudaMemGetInfo(std::size_t *free, std::size_t *total) {
  *free = *total = SimBackend::kDefaultCapacity;
  return 0;
}
Result cudaDeviceGetAttribute(int *value, int, int) {
  *value = 1;
  return 0;
}

Result cudaMalloc(void **address, std::size_t bytes) {
  return code(machine().allocate(Memory::Device, bytes, address));
}
Result cudaMallocAsync(void **address, std::size_t bytes, Handle) { return cudaMalloc(address, bytes); }
Result cudaMallocPitch(void **address, std::size_t *pitch, std::size_t width, std::size_t height) {
  constexpr std::size_t kAlignment = 512;
  *pitch = (width + kAlignment - 1) / kAlignment * kAlignment;
  return cudaMalloc(address, *pitch * height);
}
Result cudaMallocManaged(void **address, std::size_t bytes, unsigned) {
  return code(machine().allocate(Memory::Managed, bytes, address));
}
Result cudaMallocHost(void **address, std::size_t bytes) {
  return code(machine().allocate(Memory::Pinned, bytes, address));
}
Result cudaHostAlloc(void **address, std::size_t bytes, unsigned) { return cudaMallocHost(address, bytes); }
Result cudaFree(void *address) { return code(machine().release(address)); }
Result cudaFreeAsync(void *address, Handle) { return cudaFree(address); }
Result cudaFreeHost(void *address) { return cudaFree(address); }
Result cudaHostRegister(void *address, std::size_t bytes, unsigned) {
  return code(machine().registerHost(address, bytes));
}
Result cudaHostUnregister(void *address) { return code(machine().unregisterHost(address)); }
Result cudaHostGetDevicePointer(void **device, void *host, unsigned) {
  *device = host;
  return 0;
}

Result cudaMemcpy(void *to, const void *from, std::size_t bytes, int kind) {
  return code(machine().copy(to, from, bytes, static_cast<CopyKind>(kind)));
}
Result cudaMemcpyAsync(void *to, const void *from, std::size_t bytes, int kind, Handle stream) {
  return code(machine().copyAsync(to, from, bytes, static_cast<CopyKind>(kind), streamOf(stream)));
}
Result cudaMemcpyPeer(void *to, int, const void *from, int, std::size_t bytes) {
  return code(machine().copy(to, from, bytes, CopyKind::Default));
}
Result cudaMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, std::size_t bytes, Handle) {
  return cudaMemcpyPeer(to, toDevice, from, fromDevice, bytes);
}
Result cudaMemcpy2D(void *to, std::size_t toPitch, const void *from, std::size_t fromPitch, std::size_t width,
                    std::size_t height, int kind) {
  return copyRows(to, toPitch, from, fromPitch, width, height, kind);
}
Result cudaMemcpy2DAsync(void *to, std::size_t toPitch, const void *from, std::size_t fromPitch, std::size_t width,
                         std::size_t height, int kind, Handle) {
  return copyRows(to, toPitch, from, fromPitch, width, height, kind);
}
Result cudaMemset(void *to, int value, std::size_t bytes) { return set(to, value, bytes); }
Result cudaMemsetAsync(void *to, int value, std::size_t bytes, Handle) { return set(to, value, bytes); }
Result cudaMemset2D(void *to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  for (std::size_t row = 0; row < height; ++row)
    if (const Result error = set(static_cast<char *>(to) + row * pitch, value, width))
      return error;
  return 0;
}

Result cudaGetSymbolAddress(void **address, const void *symbol) {
  *address = memoryOfSymbol(symbol);
  return 0;
}
Result cudaMemcpyToSymbol(const void *symbol, const void *from, std::size_t bytes, std::size_t offset, int kind) {
  return cudaMemcpy(static_cast<char *>(memoryOfSymbol(symbol)) + offset, from, bytes, kind);
}
Result cudaMemcpyFromSymbol(void *to, const void *symbol, std::size_t bytes, std::size_t offset, int kind) {
  return cudaMemcpy(to, static_cast<char *>(memoryOfSymbol(symbol)) + offset, bytes, kind);
}

struct PointerAttributes {
  int type; ///< 0 unregistered, 1 host, 2 device, 3 managed
  int device;
  void *devicePointer;
  void *hostPointer;
  long reserved[8];
};
Result cudaPointerGetAttributes(PointerAttributes *attributes, const void *address) {
  const Placement placement = machine().placementOf(address);
  void *plain = const_cast<void *>(address);
  attributes->type = static_cast<int>(placement.memory == Memory::Device    ? 2
                                      : placement.memory == Memory::Managed ? 3
                                      : placement.memory == Memory::Pinned  ? 1
                                                                            : 0);
  attributes->device = placement.device < 0 ? machine().currentDevice() : placement.device;
  attributes->devicePointer = placement.memory == Memory::Unregistered ? nullptr : plain;
  attributes->hostPointer = placement.memory == Memory::Device ? nullptr : plain;
  return 0;
}

Result cudaStreamCreate(Handle *stream) {
  Stream made = 0;
  const Error error = machine().createStream(&made);
  *stream = handleOf(made);
  return code(error);
}
Result cudaStreamCreateWithFlags(Handle *stream, unsigned) { return cudaStreamCreate(stream); }
Result cudaStreamCreateWithPriority(Handle *stream, unsigned, int) { return cudaStreamCreate(stream); }
Result cudaStreamDestroy(Handle stream) { return code(machine().synchronizeStream(streamOf(stream))); }
Result cudaStreamSynchronize(Handle stream) { return code(machine().synchronizeStream(streamOf(stream))); }
Result cudaStreamQuery(Handle) { return 0; }
Result cudaStreamWaitEvent(Handle, Handle, unsigned) { return 0; }

Result cudaEventCreate(Handle *event) {
  *event = new Event;
  return 0;
}
Result cudaEventCreateWithFlags(Handle *event, unsigned) { return cudaEventCreate(event); }
Result cudaEventRecord(Handle event, Handle stream) {
  *static_cast<Event *>(event) = {machine().deviceOf(streamOf(stream)), streamOf(stream)};
  return 0;
}
Result cudaEventSynchronize(Handle event) {
  machine().synchronize(static_cast<Event *>(event)->device, static_cast<Event *>(event)->stream);
  return code(machine().setDevice(machine().currentDevice()));
}
Result cudaEventQuery(Handle) { return 0; }
Result cudaEventElapsedTime(float *milliseconds, Handle, Handle) {
  *milliseconds = 1;
  return 0;
}
Result cudaEventDestroy(Handle event) {
  delete static_cast<Event *>(event);
  return 0;
}

Result cudaLaunchKernel(const void *function, Dimensions, Dimensions, void **arguments, std::size_t, Handle stream) {
  const Error error = machine().launch(Kernel{Kernel::Delay}, streamOf(stream));
  if (error != Error::None)
    return code(error);
  for (const std::size_t i : pointerParameters(function))
    if (const void *address = *static_cast<void **>(arguments[i]))
      machine().useInKernel(address);
  return 0;
}
struct LaunchConfiguration {
  Dimensions grid, block;
  std::size_t shared;
  Handle stream;
};
Result cudaLaunchKernelExC(const LaunchConfiguration *configuration, const void *function, void **arguments) {
  const auto &[grid, block, shared, stream] = *configuration;
  return cudaLaunchKernel(function, grid, block, arguments, shared, stream);
}
struct FunctionAttributes {
  std::size_t sharedBytes, constantBytes, localBytes;
  int maxThreadsPerBlock, registers, ptxVersion, binaryVersion;
};
Result cudaFuncGetAttributes(FunctionAttributes *attributes, const void *) {
  *attributes = {0, 0, 0, 1024, 32, 90, 90};
  return 0;
}
Result cudaFuncSetAttribute(const void *, int, int) { return 0; }
Result cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *, int, std::size_t, unsigned) {
  *blocks = 1;
  return 0;
}
unsigned __cudaPushCallConfiguration(Dimensions grid, Dimensions block, std::size_t shared, Handle stream) {
  pushed = {grid, block, shared, stream};
  return 0;
}
Result __cudaPopCallConfiguration(Dimensions *grid, Dimensions *block, std::size_t *shared, Handle *stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared = pushed.shared;
  *stream = pushed.stream;
  return 0;
}

} // extern "C"
#pragma GCC visibility pop
