// What libtorch's CPU half asks its CUDA half for: how many GPUs, generators, pinned memory, whose pointer this is.
#include "Pretend.h"

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

const at::Generator &cudaGenerator(int device) {
  static const auto *generators = [] {
    auto *all = new std::vector<at::Generator>;
    for (int i = 0; i < machine().deviceCount(); ++i)
      all->push_back(at::make_generator<CudaGenerator>(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(i))));
    return all;
  }();
  return generators->at(static_cast<size_t>(device < 0 ? machine().currentDevice() : device));
}

} // namespace samedevice::runtime::pretend

namespace at {

// The registry demands this namespace, and the name is the key it is looked up under.
struct CUDAHooks final : CUDAHooksInterface {
  explicit CUDAHooks(CUDAHooksArgs) {}

  void initCUDA() const override {}
  bool hasCUDA() const override { return machine().deviceCount() > 0; }
  int getNumGPUs() const override { return machine().deviceCount(); }
  int64_t current_device() const override { return machine().currentDevice(); }
  bool hasPrimaryContext(int64_t) const override { return true; }
  void deviceSynchronize(int64_t device) const override {
    machine().synchronize(device < 0 ? machine().currentDevice() : static_cast<int>(device));
  }
  const Generator &getDefaultCUDAGenerator(DeviceIndex device) const override {
    return samedevice::runtime::pretend::cudaGenerator(device);
  }
  Allocator *getPinnedMemoryAllocator() const override { return samedevice::runtime::pretend::pinnedAllocator(); }
  Allocator *getCUDADeviceAllocator() const override { return samedevice::runtime::pretend::deviceAllocator(); }
  bool isPinnedPtr(void *data) const override {
    return machine().placementOf(data).memory == samedevice::runtime::Memory::Pinned;
  }
  Device getDeviceFromPtr(void *data) const override {
    const samedevice::runtime::Placement placement = machine().placementOf(data);
    TORCH_CHECK(placement.memory != samedevice::runtime::Memory::Unregistered,
                "The specified pointer resides on host memory and is not registered with any CUDA device.");
    return {kCUDA, static_cast<DeviceIndex>(placement.device < 0 ? machine().currentDevice() : placement.device)};
  }

private:
  static samedevice::runtime::SimBackend &machine() { return samedevice::runtime::machine(); }
};

C10_REGISTER_CLASS(CUDAHooksRegistry, CUDAHooks, CUDAHooks)

} // namespace at
