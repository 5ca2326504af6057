// The pretended GPUs, their current device and their streams, as c10 asks for them.
#include "Pretend.h"
#include "Versions.h"

#include "gpu/simulated/FaultReport.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <array>

namespace samedevice::runtime::pretend {

void check(Error error) {
  TORCH_CHECK(error == Error::None, "CUDA error: ", errorText(error),
              "\nCUDA kernel errors might be asynchronously reported at some other API call,so the stacktrace below "
              "might be incorrect.\nFor debugging consider passing CUDA_LAUNCH_BLOCKING=1.");
}

void throwLastError() {
  // C10_CUDA_KERNEL_LAUNCH_CHECK, for one, has taken the error by then.
  const Error error = machine().takeError();
  check(error == Error::None ? lastTakenError() : error);
}

c10::Device currentCuda() { return {c10::kCUDA, static_cast<c10::DeviceIndex>(machine().currentDevice())}; }

c10::Device withIndex(c10::Device device) { return device.is_cuda() && !device.has_index() ? currentCuda() : device; }

namespace {

thread_local std::array<c10::StreamId, SimBackend::kMaxDevices> currentStreams = {};

} // namespace

c10::Stream currentStream(c10::Device device) {
  return c10::Stream(c10::Stream::UNSAFE, device, currentStreams[static_cast<unsigned char>(device.index())]);
}

c10::Stream setCurrentStream(c10::Stream stream) {
  const c10::Stream before = currentStream(stream.device());
  currentStreams[static_cast<unsigned char>(stream.device_index())] = stream.id();
  return before;
}

c10::Stream newStream(c10::Device device) {
  const c10::DeviceGuard guard(device);
  Stream stream = 0;
  check(machine().createStream(&stream));
  return c10::Stream(c10::Stream::UNSAFE, device, static_cast<c10::StreamId>(stream));
}

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

  c10::Stream getStream(c10::Device device) const noexcept override { return currentStream(withIndex(device)); }
  c10::Stream getDefaultStream(c10::Device device) const override {
    return c10::Stream(c10::Stream::DEFAULT, withIndex(device));
  }
  c10::Stream getStreamFromGlobalPool(c10::Device device, bool) const override { return newStream(withIndex(device)); }
  c10::Stream exchangeStream(c10::Stream stream) const noexcept override { return setCurrentStream(stream); }
  bool queryStream(const c10::Stream &) const override { return true; }
  void synchronizeStream(const c10::Stream &stream) const override {
    machine().synchronize(stream.device_index(), static_cast<Stream>(stream.id()));
  }

  void synchronizeDevice(const c10::DeviceIndex device) const OVERRIDES_SINCE_2 { machine().synchronize(device); }
  c10::Stream getNewStream(c10::Device device, int) const OVERRIDES_SINCE_2 { return newStream(withIndex(device)); }

  void record(void **, const c10::Stream &, const c10::DeviceIndex, const c10::EventFlag) const override {}
  void block(void *, const c10::Stream &) const override {}
  bool queryEvent(void *) const override { return true; }
  void synchronizeEvent(void *) const OVERRIDES_SINCE_2 {}
  double elapsedTime(void *, void *, const c10::DeviceIndex) const OVERRIDES_SINCE_2 { return 0; }
  void destroyEvent(void *, const c10::DeviceIndex) const noexcept override {}
};
C10_REGISTER_GUARD_IMPL(CUDA, Guard);

struct Start {
  Start() {
    installTerminateReport();
    registerKernels();
  }
} start;

} // namespace

} // namespace samedevice::runtime::pretend
