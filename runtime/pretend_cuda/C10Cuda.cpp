// The part of libc10_cuda and libtorch_cuda that extensions call by name: devices, streams, what a GPU is like. The
// allocator and checks are in C10Cuda_VERSION.cpp. Needs the headers of a CUDA toolkit; its libraries are not used.
#include "Pretend.h"
#include "Versions.h"

#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdint>

namespace pretend = samedevice::runtime::pretend;
using samedevice::runtime::machine;

namespace c10::cuda {

DeviceIndex device_count() noexcept { return static_cast<DeviceIndex>(machine().deviceCount()); }
DeviceIndex device_count_ensure_non_zero() {
  TORCH_CHECK(device_count() > 0, "No CUDA GPUs are available");
  return device_count();
}
DeviceIndex current_device() { return static_cast<DeviceIndex>(machine().currentDevice()); }
void set_device(DeviceIndex device) { pretend::check(machine().setDevice(device)); }
void device_synchronize() { pretend::check(machine().synchronizeDevice()); }
void warn_or_error_on_sync() {}

namespace {

Device deviceAt(DeviceIndex index) { return pretend::withIndex(Device(kCUDA, index)); }
CUDAStream wrap(Stream stream) { return CUDAStream(CUDAStream::UNCHECKED, stream); }

/// As the pretended CUDA runtime names streams; 0 is the default one of the current device.
constexpr std::uintptr_t kFirstStream = 16;

} // namespace

CUDAStream getStreamFromPool(const bool, DeviceIndex device) { return wrap(pretend::newStream(deviceAt(device))); }
CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex device) {
  const StreamId id = stream ? static_cast<StreamId>(reinterpret_cast<std::uintptr_t>(stream) - kFirstStream) : 0;
  return wrap(Stream(Stream::UNSAFE, deviceAt(device), id));
}
CUDAStream getDefaultCUDAStream(DeviceIndex device) { return wrap(Stream(Stream::DEFAULT, deviceAt(device))); }
CUDAStream getCurrentCUDAStream(DeviceIndex device) { return wrap(pretend::currentStream(deviceAt(device))); }
void setCurrentCUDAStream(CUDAStream stream) { pretend::setCurrentStream(stream.unwrap()); }
std::ostream &operator<<(std::ostream &out, const CUDAStream &stream) { return out << stream.unwrap(); }

cudaStream_t CUDAStream::stream() const {
  return id() == 0 ? nullptr : reinterpret_cast<cudaStream_t>(static_cast<std::uintptr_t>(id()) + kFirstStream);
}

} // namespace c10::cuda

namespace at::cuda {

cudaDeviceProp *getDeviceProperties(pretend::HookedDevice) {
  static cudaDeviceProp properties = [] {
    cudaDeviceProp pretended = {};
    pretended.warpSize = 32;
    pretended.multiProcessorCount = 132;
    pretended.maxThreadsPerBlock = 1024;
    pretended.maxThreadsPerMultiProcessor = 2048;
    pretended.sharedMemPerBlock = 48 << 10;
    pretended.major = 9;
    return pretended;
  }();
  return &properties;
}
cudaDeviceProp *getCurrentDeviceProperties() { return getDeviceProperties(-1); }
int warp_size() { return getCurrentDeviceProperties()->warpSize; }
bool canDeviceAccessPeer(pretend::HookedDevice, pretend::HookedDevice) { return true; }
Allocator *getCUDADeviceAllocator() { return pretend::deviceAllocator(); }
/// One handle per device: cuBLAS works on the device that was current when its handle was made.
cublasHandle_t getCurrentCUDABlasHandle() {
  return reinterpret_cast<cublasHandle_t>(static_cast<std::uintptr_t>(machine().currentDevice()) + 1);
}

} // namespace at::cuda
