// Where tensors of the pretended device get their memory.
#include "Pretend.h"
#include "Versions.h"

#include <c10/core/CPUAllocator.h>

#include <cstring>

namespace samedevice::runtime::pretend {

namespace {

thread_local int deviceOfKernel = -1;

void releaseBlock(void *address) { machine().release(address); }

/// All of our memory can be read where kernels see it.
struct Allocator : c10::Allocator {
  void copy_data(void *to, const void *from, size_t bytes) const OVERRIDES_SINCE_2 {
    std::memcpy(machine().kernelView(to), machine().kernelView(from), bytes);
  }
};

struct DeviceAllocator final : Allocator {
  c10::DataPtr allocate(size_t bytes) CONST_UNTIL_2 override {
    const c10::Device device = currentCuda();
    if (bytes == 0)
      return {nullptr, device};
    void *address = nullptr;
    const Error error = machine().allocate(Memory::Device, bytes, &address);
    TORCH_CHECK(error != Error::OutOfMemory, "CUDA out of memory. Tried to allocate ", bytes, " bytes");
    check(error);
    return {address, address, &releaseBlock, device};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &releaseBlock; }
};

struct PinnedAllocator final : Allocator {
  c10::DataPtr allocate(size_t bytes) CONST_UNTIL_2 override {
    void *address = nullptr;
    if (bytes != 0)
      check(machine().allocate(Memory::Pinned, bytes, &address));
    return {address, address, &releaseBlock, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &releaseBlock; }
};

/// The CPU's own allocator, but for kernels that play a GPU's part: those work in the GPU's memory, at the
/// addresses where it can be read.
struct HostAllocator final : Allocator {
  static void release(void *address) {
    if (machine().deviceOfKernelView(address) >= 0)
      machine().release(machine().hostView(address));
    else
      c10::GetDefaultCPUAllocator()->raw_deleter()(address);
  }
  c10::DataPtr allocate(size_t bytes) CONST_UNTIL_2 override {
    if (deviceOfKernel < 0 || bytes == 0)
      return c10::GetDefaultCPUAllocator()->allocate(bytes);
    void *block = machine().allocateOn(deviceOfKernel, bytes);
    TORCH_CHECK(block, "CUDA out of memory. Tried to allocate ", bytes, " bytes");
    void *address = machine().kernelView(block);
    return {address, address, &release, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
};

DeviceAllocator onDevice;
PinnedAllocator pinned;
HostAllocator onHost;

struct Install {
  Install() {
    c10::SetAllocator(c10::kCUDA, &onDevice);
    c10::SetCPUAllocator(&onHost, /*priority=*/100);
  }
} install;

} // namespace

c10::Allocator *deviceAllocator() { return &onDevice; }
c10::Allocator *pinnedAllocator() { return &pinned; }

AllocateOn::AllocateOn(int device) : previous_(deviceOfKernel) { deviceOfKernel = device; }
AllocateOn::~AllocateOn() { deviceOfKernel = previous_; }

} // namespace samedevice::runtime::pretend
