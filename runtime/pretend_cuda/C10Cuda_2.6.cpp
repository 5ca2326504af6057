// What extensions and CUDA's guards call of libc10_cuda 2.6 by names of its own. Its caching allocator is an object
// that they ask.
#include "Pretend.h"

#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAMiscFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdint>
#include <mutex>
#include <optional>

namespace pretend = samedevice::runtime::pretend;

namespace c10::cuda {

void c10_cuda_check_implementation(const int32_t error, const char *, const char *, const int, const bool) {
  if (error != cudaSuccess)
    pretend::throwLastError();
}
const char *get_cuda_check_suffix() noexcept { return ""; }

// The GPU of a thread. What sets it only "maybe" waits in libc10_cuda for the GPU's context; pretended ones have it
// always.
cudaError_t GetDeviceCount(int *count) { return cudaGetDeviceCount(count); }
cudaError_t GetDevice(DeviceIndex *device) {
  *device = current_device();
  return cudaSuccess;
}
cudaError_t SetDevice(DeviceIndex device) { return cudaSetDevice(device); }
cudaError_t MaybeSetDevice(DeviceIndex device) { return SetDevice(device); }
DeviceIndex ExchangeDevice(DeviceIndex device) {
  const DeviceIndex before = current_device();
  set_device(device);
  return before;
}
DeviceIndex MaybeExchangeDevice(DeviceIndex device) { return ExchangeDevice(device); }
void SetTargetDevice() {}
bool hasPrimaryContext(DeviceIndex) { return true; }
std::optional<DeviceIndex> getDeviceIndexWithPrimaryContext() { return current_device(); }

CUDAStream getStreamFromPool(const int priority, DeviceIndex device) { return getStreamFromPool(priority < 0, device); }

std::mutex *getFreeMutex() {
  static std::mutex mutex;
  return &mutex;
}

namespace CUDACachingAllocator {

namespace {

/// Caches nothing, so that there is nothing to tell of its pools and its history.
struct Caching final : CUDAAllocator {
  DataPtr allocate(size_t bytes) override { return pretend::deviceAllocator()->allocate(bytes); }
  DeleterFnPtr raw_deleter() const override { return pretend::deviceAllocator()->raw_deleter(); }
  void copy_data(void *to, const void *from, size_t bytes) const override {
    pretend::deviceAllocator()->copy_data(to, from, bytes);
  }
  void *raw_alloc(size_t bytes) override { return raw_allocate(bytes); }
  void *raw_alloc_with_stream(size_t bytes, cudaStream_t) override { return raw_allocate(bytes); }
  void raw_delete(void *address) override { raw_deallocate(address); }
  std::string name() override { return "pretended"; }
  bool initialized() override { return true; }
  bool isEnabled() const override { return true; }
  double getMemoryFraction(DeviceIndex) override { return 1; }

  void init(int) override {}
  void setMemoryFraction(double, DeviceIndex) override {}
  void emptyCache() override {}
  void enable(bool) override {}
  void cacheInfo(DeviceIndex, size_t *largest) override { *largest = 0; }
  void *getBaseAllocation(void *address, size_t *) override { return address; }
  void recordStream(const DataPtr &, CUDAStream) override {}
  CachingDeviceAllocator::DeviceStats getDeviceStats(DeviceIndex) override { return {}; }
  void resetAccumulatedStats(DeviceIndex) override {}
  void resetPeakStats(DeviceIndex) override {}
  SnapshotInfo snapshot() override { return {}; }
  void beginAllocateToPool(DeviceIndex, MempoolId_t, std::function<bool(cudaStream_t)>) override {}
  void endAllocateToPool(DeviceIndex, MempoolId_t) override {}
  void releasePool(DeviceIndex, MempoolId_t) override {}
  ShareableHandle shareIpcHandle(void *) override { return {}; }
  std::shared_ptr<void> getIpcDevPtr(std::string) override { return {}; }
  void recordHistory(bool, CreateContextFn, size_t, RecordContext) override {}
  void attachOutOfMemoryObserver(OutOfMemoryObserver) override {}
  void attachAllocatorTraceTracker(AllocatorTraceTracker) override {}
  void enablePeerAccess(DeviceIndex, DeviceIndex) override {}
  cudaError_t memcpyAsync(void *to, int, const void *from, int, size_t bytes, cudaStream_t stream, bool) override {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
  }
  std::shared_ptr<AllocatorState> getCheckpointState(DeviceIndex, MempoolId_t) override { return {}; }
  CheckpointDelta setCheckpointPoolState(DeviceIndex, std::shared_ptr<AllocatorState>) override { return {}; }
};
Caching caching;

} // namespace

std::atomic<CUDAAllocator *> allocator = &caching;

} // namespace CUDACachingAllocator

} // namespace c10::cuda
