// What libtorch's CPU half asks its CUDA half for: how many GPUs, generators, pinned memory, whose pointer this is.
#include "Pretend.h"
#include "Versions.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/CUDAHooksInterface.h>

#include <vector>

namespace samedevice::runtime::pretend {

namespace {

/// Says that it is CUDA's and leaves the numbers to a CPU generator.
struct CudaGenerator final : c10::GeneratorImpl {
  explicit CudaGenerator(c10::Device device)
      : GeneratorImpl(device, c10::DispatchKeySet(c10::DispatchKey::CUDA)), host(at::detail::createCPUGenerator()) {}

  void set_current_seed(uint64_t seed) override { host.set_current_seed(seed); }
  uint64_t current_seed() const override { return host.current_seed(); }
  uint64_t seed() override { return host.seed(); }
  void set_state(const c10::TensorImpl &state) override { host.unsafeGetGeneratorImpl()->set_state(state); }
  c10::intrusive_ptr<c10::TensorImpl> get_state() const override { return host.unsafeGetGeneratorImpl()->get_state(); }
  void set_offset(uint64_t) OVERRIDES_SINCE_2 {}
  uint64_t get_offset() const OVERRIDES_SINCE_2 { return 0; }
  GeneratorImpl *clone_impl() const override {
    auto *copy = new CudaGenerator(device());
    copy->host = host.clone();
    return copy;
  }

  at::Generator host;
};

} // namespace

at::Generator hostGenerator(const at::Generator &generator) {
  TORCH_CHECK(generator.device().is_cuda(), "Expected a 'cuda' device type for generator but found '",
              generator.device(), "'");
  return static_cast<CudaGenerator *>(generator.unsafeGetGeneratorImpl())->host;
}

at::Generator newGenerator(int device) {
  return at::make_generator<CudaGenerator>(device < 0 ? currentCuda()
                                                      : c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(device)));
}

const at::Generator &cudaGenerator(int device) {
  static const auto *generators = [] {
    auto *all = new std::vector<at::Generator>;
    for (int i = 0; i < machine().deviceCount(); ++i)
      all->push_back(newGenerator(i));
    return all;
  }();
  return generators->at(static_cast<size_t>(device < 0 ? machine().currentDevice() : device));
}

struct CUDAHooks final : at::CUDAHooksInterface {
  explicit CUDAHooks(at::CUDAHooksArgs) {}

  void initCUDA() const OVERRIDES_UNTIL_2 {}
  void init() const OVERRIDES_SINCE_2 {}
  bool hasCUDA() const override { return machine().deviceCount() > 0; }
  int getNumGPUs() const override { return machine().deviceCount(); }
  HookedDevice current_device() const override { return static_cast<HookedDevice>(machine().currentDevice()); }
  c10::DeviceIndex deviceCount() const OVERRIDES_SINCE_2 {
    return static_cast<c10::DeviceIndex>(machine().deviceCount());
  }
  c10::DeviceIndex getCurrentDevice() const OVERRIDES_SINCE_2 { return currentCuda().index(); }
  void setCurrentDevice(c10::DeviceIndex device) const OVERRIDES_SINCE_2 { check(machine().setDevice(device)); }
  bool hasPrimaryContext(HookedDevice) const override { return true; }
  void deviceSynchronize(HookedDevice device) const override {
    machine().synchronize(device < 0 ? machine().currentDevice() : static_cast<int>(device));
  }
  const at::Generator &getDefaultCUDAGenerator(c10::DeviceIndex device) const OVERRIDES_UNTIL_2 {
    return cudaGenerator(device);
  }
  const at::Generator &getDefaultGenerator(c10::DeviceIndex device) const OVERRIDES_SINCE_2 {
    return cudaGenerator(device);
  }
  at::Generator getNewGenerator(c10::DeviceIndex device) const OVERRIDES_SINCE_2 { return newGenerator(device); }
  c10::Allocator *getPinnedMemoryAllocator() const override { return pinnedAllocator(); }
  c10::Allocator *getCUDADeviceAllocator() const override { return deviceAllocator(); }
  bool isPinnedPtr(HookedAddress data) const override { return machine().placementOf(data).memory == Memory::Pinned; }
  c10::Device getDeviceFromPtr(void *data) const override {
    const Placement placement = machine().placementOf(data);
    TORCH_CHECK(placement.memory != Memory::Unregistered,
                "The specified pointer resides on host memory and is not registered with any CUDA device.");
    return {c10::kCUDA,
            static_cast<c10::DeviceIndex>(placement.device < 0 ? machine().currentDevice() : placement.device)};
  }
};

} // namespace samedevice::runtime::pretend

namespace at {

// The registry demands this namespace, and the name is the key it is looked up under.
using samedevice::runtime::pretend::CUDAHooks;
C10_REGISTER_CLASS(CUDAHooksRegistry, CUDAHooks, CUDAHooks)

} // namespace at
