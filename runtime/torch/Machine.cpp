// The pretended GPUs, their current device and their streams, as c10 asks for them.
#include "Pretend.h"

#include "../device/FaultReport.h"

#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <cstdlib>

namespace samedevice::runtime::pretend {

namespace {

int devicesWanted() {
  const char *text = std::getenv("SAMEDEVICE_DEVICES");
  const int devices = text ? std::atoi(text) : 2;
  return devices >= 0 && devices <= SimBackend::kMaxDevices ? devices : 2;
}

std::string describe(const void *address) { return machine().describeFault(address); }

} // namespace

SimBackend &machine() {
  // Never destroyed: tensors in globals outlive everything that could be.
  static SimBackend *gpus = new SimBackend(devicesWanted());
  return *gpus;
}

void check(Error error) {
  TORCH_CHECK(error == Error::None, "CUDA error: ", errorText(error),
              "\nCUDA kernel errors might be asynchronously reported at some other API call,so the stacktrace below "
              "might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1.");
}

c10::Device currentCuda() { return {c10::kCUDA, static_cast<c10::DeviceIndex>(machine().currentDevice())}; }

c10::Device withIndex(c10::Device device) { return device.is_cuda() && !device.has_index() ? currentCuda() : device; }

namespace {

/// Every stream does its work in the order it is given, so that events have nothing to wait for.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  static constexpr c10::DeviceType kType = c10::DeviceType::CUDA;

  c10::DeviceType type() const override { return kType; }
  c10::Device getDevice() const override { return currentCuda(); }
  c10::Device exchangeDevice(c10::Device device) const override {
    const c10::Device before = getDevice();
    setDevice(device);
    return before;
  }
  void setDevice(c10::Device device) const override {
    TORCH_INTERNAL_ASSERT(device.is_cuda());
    if (device.has_index())
      check(machine().setDevice(device.index()));
  }
  void uncheckedSetDevice(c10::Device device) const noexcept override {
    if (device.has_index())
      machine().setDevice(device.index());
  }
  c10::DeviceIndex deviceCount() const noexcept override {
    return static_cast<c10::DeviceIndex>(machine().deviceCount());
  }

  c10::Stream getStream(c10::Device device) const noexcept override {
    return c10::Stream(c10::Stream::DEFAULT, withIndex(device));
  }
  c10::Stream getDefaultStream(c10::Device device) const override { return getStream(device); }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override { return getStream(device); }
  c10::Stream exchangeStream(c10::Stream stream) const noexcept override { return getStream(stream.device()); }
  bool queryStream(const c10::Stream &) const override { return true; }
  void synchronizeStream(const c10::Stream &stream) const override { machine().synchronize(stream.device_index()); }

  void record(void **, const c10::Stream &, const c10::DeviceIndex, const c10::EventFlag) const override {}
  void block(void *, const c10::Stream &) const override {}
  bool queryEvent(void *) const override { return true; }
  void destroyEvent(void *, const c10::DeviceIndex) const noexcept override {}
};
C10_REGISTER_GUARD_IMPL(CUDA, Guard);

struct Start {
  Start() {
    installFaultReport(describe);
    registerKernels();
  }
} start;

} // namespace

} // namespace samedevice::runtime::pretend
