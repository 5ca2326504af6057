#include "gpu/simulated/SimBackend.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

using namespace samedevice::runtime;

namespace {

constexpr std::size_t kMemory = std::size_t{64} << 20;
constexpr std::size_t kCount = 100, kBytes = kCount * sizeof(float);

class SimulatedGpus : public testing::Test {
protected:
  void TearDown() override { gpus.setDevice(0); }

  float *allocate(Memory memory) {
    void *address = nullptr;
    EXPECT_EQ(gpus.allocate(memory, kBytes, &address), Error::None);
    return static_cast<float *>(address);
  }
  Error launch(Kernel::Kind kind, const float *a, Stream stream = 0) {
    Kernel kernel;
    kernel.kind = kind;
    kernel.a = a;
    kernel.count = kCount;
    return gpus.launch(kernel, stream);
  }
  void fill(float *out, float value) {
    Kernel kernel;
    kernel.kind = Kernel::Fill;
    kernel.out = out;
    kernel.value = value;
    kernel.count = kCount;
    EXPECT_EQ(gpus.launch(kernel, 0), Error::None);
  }
  std::vector<float> download(const float *from) {
    std::vector<float> values(kCount);
    EXPECT_EQ(gpus.copy(values.data(), from, kBytes, CopyKind::DeviceToHost), Error::None);
    return values;
  }

  SimBackend gpus{2, kMemory};
};

/// Death tests run in a copy of the process; a shared simulation must not hear of it.
void readFrom(const float *address) {
  const volatile float value = *address;
  std::exit(value == 0.0f);
}
void writeTo(float *address) {
  *static_cast<volatile float *>(address) = 1;
  std::exit(0);
}

TEST_F(SimulatedGpus, HostCannotTouchDeviceMemory) {
  float *memory = allocate(Memory::Device);
  EXPECT_EXIT(readFrom(memory), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(writeTo(memory), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EQ(gpus.describeFault(memory), "memory of cuda:0");
}

TEST_F(SimulatedGpus, KernelsReachDeviceMemory) {
  float *memory = allocate(Memory::Device);
  fill(memory, 7);
  EXPECT_EQ(download(memory), std::vector<float>(kCount, 7));
}

TEST_F(SimulatedGpus, KernelsReachPinnedAndManagedMemory) {
  for (const Memory kind : {Memory::Pinned, Memory::Managed}) {
    float *memory = allocate(kind);
    fill(memory, 3);
    EXPECT_EQ(memory[kCount - 1], 3);
  }
}

TEST_F(SimulatedGpus, HostPointerInKernelIsAStickyError) {
  std::vector<float> host(kCount);
  EXPECT_EQ(launch(Kernel::Touch, host.data()), Error::None) << "a launch does not wait";
  EXPECT_EQ(gpus.synchronizeDevice(), Error::IllegalAddress);
  EXPECT_EQ(gpus.takeError(), Error::IllegalAddress);
  EXPECT_EQ(gpus.takeError(), Error::IllegalAddress);
  void *address = nullptr;
  EXPECT_EQ(gpus.allocate(Memory::Device, 4, &address), Error::IllegalAddress);
}

TEST_F(SimulatedGpus, AnotherGpusMemoryNeedsPeerAccess) {
  ASSERT_EQ(gpus.setDevice(1), Error::None);
  float *memory = allocate(Memory::Device);
  EXPECT_EQ(gpus.placementOf(memory).device, 1);
  gpus.setDevice(0);
  ASSERT_EQ(gpus.enablePeer(1), Error::None);
  EXPECT_EQ(gpus.enablePeer(1), Error::PeerAlreadyEnabled);
  EXPECT_EQ(launch(Kernel::Touch, memory), Error::None);
  EXPECT_EQ(gpus.synchronizeDevice(), Error::None);
}

TEST_F(SimulatedGpus, AnotherGpusMemoryIsOutOfReach) {
  gpus.setDevice(1);
  float *memory = allocate(Memory::Device);
  gpus.setDevice(0);
  launch(Kernel::Touch, memory);
  EXPECT_EQ(gpus.synchronizeDevice(), Error::IllegalAddress);
}

TEST_F(SimulatedGpus, KernelPastTheEndOfItsBuffer) {
  float *memory = allocate(Memory::Device);
  Kernel kernel;
  kernel.a = memory;
  kernel.count = 1 << 20;
  gpus.launch(kernel, 0);
  EXPECT_EQ(gpus.takeError(), Error::IllegalAddress);
}

TEST_F(SimulatedGpus, StreamBelongsToItsDevice) {
  Stream stream = 0;
  ASSERT_EQ(gpus.createStream(&stream), Error::None);
  EXPECT_EQ(gpus.deviceOf(stream), 0);
  gpus.setDevice(1);
  float *memory = allocate(Memory::Device);
  EXPECT_EQ(launch(Kernel::Touch, memory, stream), Error::InvalidHandle);
  EXPECT_EQ(gpus.takeError(), Error::InvalidHandle);
  EXPECT_EQ(gpus.takeError(), Error::None) << "this error does not stay";
}

TEST_F(SimulatedGpus, UnknownDeviceAndStream) {
  EXPECT_EQ(gpus.setDevice(2), Error::InvalidDevice);
  EXPECT_EQ(gpus.setDevice(-1), Error::InvalidDevice);
  EXPECT_EQ(gpus.synchronizeStream(99), Error::InvalidHandle);
}

TEST_F(SimulatedGpus, CopyKindMustFitItsPointers) {
  std::vector<float> host(kCount);
  float *memory = allocate(Memory::Device);
  EXPECT_EQ(gpus.copy(memory, host.data(), kBytes, CopyKind::HostToDevice), Error::None);
  EXPECT_EQ(gpus.copy(host.data(), memory, kBytes, CopyKind::HostToDevice), Error::InvalidValue);
  EXPECT_EQ(gpus.copy(memory, host.data(), kBytes, CopyKind::DeviceToDevice), Error::InvalidValue);
  EXPECT_EQ(gpus.copy(host.data(), memory, kBytes, CopyKind::HostToHost), Error::InvalidValue);
  EXPECT_EQ(gpus.copy(host.data(), memory, kBytes, CopyKind::Default), Error::None);
  EXPECT_EQ(gpus.copy(memory, host.data(), kMemory, CopyKind::HostToDevice), Error::InvalidValue) << "too long";
}

TEST_F(SimulatedGpus, PinnedTargetIsClosedUntilSynchronized) {
  float *memory = allocate(Memory::Device), *pinned = allocate(Memory::Pinned);
  fill(memory, 5);
  ASSERT_EQ(gpus.copyAsync(pinned, memory, kBytes, CopyKind::DeviceToHost, 0), Error::None);
  EXPECT_EQ(gpus.describeFault(pinned), "pinned memory that a copy from cuda:0 has not filled yet");
  EXPECT_EXIT(readFrom(pinned), testing::KilledBySignal(SIGSEGV), "");
  ASSERT_EQ(gpus.synchronizeStream(0), Error::None);
  EXPECT_EQ(pinned[0], 5);
}

TEST_F(SimulatedGpus, OnlyTheRightStreamOpensIt) {
  float *memory = allocate(Memory::Device), *pinned = allocate(Memory::Pinned);
  Stream one = 0, two = 0;
  gpus.createStream(&one);
  gpus.createStream(&two);
  gpus.copyAsync(pinned, memory, kBytes, CopyKind::DeviceToHost, one);
  gpus.synchronizeStream(two);
  EXPECT_EXIT(readFrom(pinned), testing::KilledBySignal(SIGSEGV), "");
  gpus.synchronizeStream(one);
  EXPECT_EQ(pinned[0], 0);
}

TEST_F(SimulatedGpus, PinnedSourceMayBeReadButNotWritten) {
  float *memory = allocate(Memory::Device), *pinned = allocate(Memory::Pinned);
  pinned[0] = 2;
  gpus.copyAsync(memory, pinned, kBytes, CopyKind::HostToDevice, 0);
  EXPECT_EQ(pinned[0], 2);
  EXPECT_EXIT(writeTo(pinned), testing::KilledBySignal(SIGSEGV), "");
  gpus.synchronizeDevice();
  pinned[0] = 3;
  EXPECT_EQ(download(memory)[0], 2);
}

TEST_F(SimulatedGpus, PageableCopiesAreDoneAtOnce) {
  std::vector<float> host(kCount);
  float *memory = allocate(Memory::Device);
  fill(memory, 4);
  gpus.copyAsync(host.data(), memory, kBytes, CopyKind::DeviceToHost, 0);
  EXPECT_EQ(host[0], 4);
}

TEST_F(SimulatedGpus, ReleasedMemoryFaultsAndComesBackZeroed) {
  float *memory = allocate(Memory::Pinned);
  memory[0] = 9;
  ASSERT_EQ(gpus.release(memory), Error::None);
  EXPECT_EQ(gpus.release(memory), Error::InvalidValue);
  EXPECT_EXIT(readFrom(memory), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EQ(gpus.placementOf(memory).memory, Memory::Unregistered);
  EXPECT_EQ(allocate(Memory::Pinned)[0], 0);
}

TEST_F(SimulatedGpus, RunOutOfMemory) {
  void *address = nullptr;
  EXPECT_EQ(gpus.allocate(Memory::Device, 2 * kMemory, &address), Error::OutOfMemory);
  EXPECT_EQ(address, nullptr);
}

TEST_F(SimulatedGpus, NeighboursMergeWhenTheyAreReleased) {
  std::vector<void *> blocks(8);
  for (void *&block : blocks)
    ASSERT_EQ(gpus.allocate(Memory::Device, kMemory / 8, &block), Error::None);
  for (void *block : {blocks[1], blocks[3], blocks[2], blocks[0], blocks[5], blocks[4], blocks[7], blocks[6]})
    ASSERT_EQ(gpus.release(block), Error::None);
  void *whole = nullptr;
  EXPECT_EQ(gpus.allocate(Memory::Device, kMemory, &whole), Error::None);
}

TEST_F(SimulatedGpus, Kernels) {
  float *a = allocate(Memory::Device), *b = allocate(Memory::Device), *out = allocate(Memory::Device);
  fill(a, 2);
  fill(b, 3);
  Kernel kernel;
  kernel.out = out;
  kernel.a = a;
  kernel.b = b;
  kernel.count = kCount;
  const auto result = [&](Kernel::Kind kind) {
    kernel.kind = kind;
    EXPECT_EQ(gpus.launch(kernel, 0), Error::None);
    EXPECT_EQ(gpus.takeError(), Error::None);
    return download(out)[0];
  };
  EXPECT_EQ(result(Kernel::Copy), 2);
  EXPECT_EQ(result(Kernel::Add), 5);
  EXPECT_EQ(result(Kernel::Multiply), 6);
  EXPECT_EQ(result(Kernel::Sum), 2 * kCount);
  kernel.rows = kernel.inner = kernel.columns = 10;
  EXPECT_EQ(result(Kernel::MatMul), 60);
  void *indices = nullptr;
  gpus.allocate(Memory::Managed, kCount * sizeof(std::int64_t), &indices);
  kernel.index = static_cast<std::int64_t *>(indices);
  kernel.rows = kCount;
  EXPECT_EQ(result(Kernel::Gather), 2);
  EXPECT_EQ(result(Kernel::Scatter), 2);
}

TEST_F(SimulatedGpus, IndexOutOfRangeFailsTheLaunch) {
  float *a = allocate(Memory::Device), *out = allocate(Memory::Device);
  void *indices = nullptr;
  gpus.allocate(Memory::Managed, kCount * sizeof(std::int64_t), &indices);
  static_cast<std::int64_t *>(indices)[3] = 1000;
  Kernel kernel;
  kernel.kind = Kernel::Gather;
  kernel.out = out;
  kernel.a = a;
  kernel.index = static_cast<std::int64_t *>(indices);
  kernel.count = kernel.rows = kCount;
  gpus.launch(kernel, 0);
  EXPECT_EQ(gpus.takeError(), Error::LaunchFailure);
}

} // namespace
