// What every machine with GPUs does alike: the simulated one, and a real one where there is one. Each check runs in a
// process of its own, since some end in an error that stays, and since CUDA does not survive a fork.
#include "gpu/Backend.h"
#include "replay/ChildProcess.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace samedevice::runtime;

namespace {

constexpr std::size_t kCount = 1000, kBytes = kCount * sizeof(float);

struct Broken {
  std::string what;
};

void expect(bool holds, const std::string &what) {
  if (!holds)
    throw Broken{what};
}
void expect(Error error, Error wanted, const std::string &what) {
  expect(error == wanted, what + ": " + errorText(error));
}

float *allocated(Backend &gpus, Memory memory) {
  void *address = nullptr;
  expect(gpus.allocate(memory, kBytes, &address), Error::None, "allocate");
  return static_cast<float *>(address);
}

float *uploaded(Backend &gpus, const std::vector<float> &values) {
  float *memory = allocated(gpus, Memory::Device);
  expect(gpus.copy(memory, values.data(), values.size() * sizeof(float), CopyKind::HostToDevice), Error::None,
         "upload");
  return memory;
}

std::vector<float> downloaded(Backend &gpus, const float *from, std::size_t count) {
  std::vector<float> values(count);
  expect(gpus.copy(values.data(), from, count * sizeof(float), CopyKind::DeviceToHost), Error::None, "download");
  return values;
}

void run(Backend &gpus, const Kernel &kernel, Stream stream = 0) {
  expect(gpus.launch(kernel, stream), Error::None, "launch");
  expect(gpus.synchronizeDevice(), Error::None, "synchronize");
  expect(gpus.takeError(), Error::None, "last error");
}

Error touch(Backend &gpus, const float *address, Stream stream = 0) {
  Kernel kernel;
  kernel.a = address;
  kernel.count = kCount;
  const Error launched = gpus.launch(kernel, stream);
  const Error finished = gpus.synchronizeDevice();
  return launched != Error::None ? launched : finished;
}

void computes(Backend &gpus) {
  const float *a = uploaded(gpus, {1, 2, 3, 4}), *b = uploaded(gpus, {5, 6, 7, 8});
  const std::vector<std::int64_t> order = {3, 0, 1, 2};
  void *index = nullptr;
  expect(gpus.allocate(Memory::Device, sizeof(std::int64_t) * 4, &index), Error::None, "allocate");
  expect(gpus.copy(index, order.data(), sizeof(std::int64_t) * 4, CopyKind::HostToDevice), Error::None, "upload");
  float *out = allocated(gpus, Memory::Device);
  const auto result = [&](Kernel::Kind kind, std::size_t count = 4) {
    Kernel kernel;
    kernel.kind = kind;
    kernel.out = out, kernel.a = a, kernel.b = b, kernel.index = static_cast<std::int64_t *>(index);
    kernel.count = 4, kernel.value = 9;
    kernel.rows = kernel.inner = kernel.columns = 2;
    if (kind == Kernel::Gather || kind == Kernel::Scatter)
      kernel.rows = 4;
    run(gpus, kernel);
    return downloaded(gpus, out, count);
  };
  using Values = std::vector<float>;
  expect(result(Kernel::Fill) == Values{9, 9, 9, 9}, "fill");
  expect(result(Kernel::Copy) == Values{1, 2, 3, 4}, "copy");
  expect(result(Kernel::Add) == Values{6, 8, 10, 12}, "add");
  expect(result(Kernel::Multiply) == Values{5, 12, 21, 32}, "multiply");
  expect(result(Kernel::MatMul) == Values{19, 22, 43, 50}, "matrix product");
  expect(result(Kernel::Gather) == Values{4, 1, 2, 3}, "gather");
  expect(result(Kernel::Scatter) == Values{2, 3, 4, 1}, "scatter");
  expect(result(Kernel::Sum, 1) == Values{10}, "sum");
}

void knowsWhereMemoryIs(Backend &gpus) {
  float onHost = 0;
  float *device = allocated(gpus, Memory::Device), *pinned = allocated(gpus, Memory::Pinned),
        *managed = allocated(gpus, Memory::Managed);
  expect(gpus.placementOf(device + 1).memory == Memory::Device, "device memory");
  expect(gpus.placementOf(device).device == 0, "its device");
  expect(gpus.placementOf(pinned).memory == Memory::Pinned, "pinned memory");
  expect(gpus.placementOf(managed).memory == Memory::Managed, "managed memory");
  expect(gpus.placementOf(&onHost).memory == Memory::Unregistered, "the host's own memory");
  for (float *address : {device, pinned, managed})
    expect(gpus.release(address), Error::None, "release");
}

void reachesPinnedAndManagedMemory(Backend &gpus) {
  for (const Memory memory : {Memory::Pinned, Memory::Managed}) {
    float *values = allocated(gpus, memory);
    Kernel kernel;
    kernel.kind = Kernel::Fill;
    kernel.out = values, kernel.count = kCount, kernel.value = 3;
    run(gpus, kernel);
    expect(std::count(values, values + kCount, 3.0f) == kCount, memoryName(memory));
  }
}

void hostPointerIsAnErrorThatStays(Backend &gpus) {
  const std::vector<float> values(kCount);
  if (gpus.reachesHostMemory())
    return expect(touch(gpus, values.data()), Error::None, "host memory that can be reached");
  expect(touch(gpus, values.data()), Error::IllegalAddress, "host pointer");
  gpus.takeError();
  void *address = nullptr;
  expect(gpus.allocate(Memory::Device, kBytes, &address), Error::IllegalAddress, "everything after it");
}

void hostCannotReadDeviceMemory(Backend &gpus) {
  reportFromChild("reads");
  const volatile float value = *allocated(gpus, Memory::Device);
  static_cast<void>(value);
  throw Broken{"the host reads device memory"};
}

void wrongKindOfCopyIsRefused(Backend &gpus) {
  float *device = allocated(gpus, Memory::Device);
  std::vector<float> host(kCount);
  expect(gpus.copy(host.data(), device, kBytes, CopyKind::HostToDevice), Error::InvalidValue, "down as up");
  gpus.takeError();
  expect(gpus.copy(host.data(), device, kBytes, CopyKind::Default), Error::None, "default");
}

void copiesWaitForTheirStream(Backend &gpus) {
  Stream stream = 0;
  expect(gpus.createStream(&stream), Error::None, "stream");
  float *device = uploaded(gpus, std::vector<float>(kCount, 5)), *pinned = allocated(gpus, Memory::Pinned);
  expect(gpus.copyAsync(pinned, device, kBytes, CopyKind::DeviceToHost, stream), Error::None, "copy");
  expect(gpus.synchronizeStream(stream), Error::None, "synchronize");
  expect(pinned[kCount - 1] == 5, "what was copied");
}

void unknownDevicesAndStreamsAreRefused(Backend &gpus) {
  expect(gpus.setDevice(gpus.deviceCount()), Error::InvalidDevice, "one too many");
  expect(gpus.setDevice(-1), Error::InvalidDevice, "none");
  gpus.takeError();
  expect(gpus.synchronizeStream(99), Error::InvalidHandle, "a stream that nobody made");
  expect(gpus.currentDevice() == 0, "the device stays");
}

void streamBelongsToItsDevice(Backend &gpus) {
  Stream stream = 0;
  expect(gpus.createStream(&stream), Error::None, "stream");
  gpus.setDevice(1);
  expect(touch(gpus, allocated(gpus, Memory::Device), stream), Error::InvalidHandle, "launch");
  expect(gpus.takeError(), Error::InvalidHandle, "last error");
  expect(gpus.takeError(), Error::None, "it does not stay");
}

void anotherGpusMemoryIsOutOfReach(Backend &gpus) {
  gpus.setDevice(1);
  const float *there = allocated(gpus, Memory::Device);
  expect(gpus.placementOf(there).device == 1, "where it is");
  gpus.setDevice(0);
  expect(touch(gpus, there), Error::IllegalAddress, "without peer access");
}

void peersReachEachOther(Backend &gpus) {
  gpus.setDevice(1);
  const float *there = allocated(gpus, Memory::Device);
  gpus.setDevice(0);
  if (gpus.enablePeer(1) != Error::None)
    return; // not every two GPUs can
  expect(gpus.enablePeer(1), Error::PeerAlreadyEnabled, "twice");
  gpus.takeError();
  expect(touch(gpus, there), Error::None, "with peer access");
}

struct Check {
  const char *name;
  void (*check)(Backend &);
  int devices = 1;
  const char *ending = ""; ///< what it reports; empty when it comes to its end
};

const Check kChecks[] = {
    {"Computes", computes},
    {"KnowsWhereMemoryIs", knowsWhereMemoryIs},
    {"ReachesPinnedAndManagedMemory", reachesPinnedAndManagedMemory},
    {"HostPointerIsAnErrorThatStays", hostPointerIsAnErrorThatStays},
    {"HostCannotReadDeviceMemory", hostCannotReadDeviceMemory, 1, "reads"},
    {"WrongKindOfCopyIsRefused", wrongKindOfCopyIsRefused},
    {"CopiesWaitForTheirStream", copiesWaitForTheirStream},
    {"UnknownDevicesAndStreamsAreRefused", unknownDevicesAndStreamsAreRefused},
    {"StreamBelongsToItsDevice", streamBelongsToItsDevice, 2},
    {"AnotherGpusMemoryIsOutOfReach", anotherGpusMemoryIsOutOfReach, 2},
    {"PeersReachEachOther", peersReachEachOther, 2},
};

class EveryBackend : public testing::TestWithParam<std::tuple<const char *, Check>> {};

TEST_P(EveryBackend, Agrees) {
  const auto &[backend, check] = GetParam();
  const bool isReal = std::string(backend) == "cuda";
  constexpr char kSkip = '?';
  const auto work = [&, check = check] {
    std::string problem;
    const auto gpus = isReal ? makeCudaBackend(problem) : makeSimBackend(2);
    if (!gpus)
      return reportFromChild(kSkip + problem);
    if (gpus->deviceCount() < check.devices)
      return reportFromChild(kSkip + std::string("there is one GPU"));
    try {
      check.check(*gpus);
    } catch (const Broken &broken) {
      reportFromChild(broken.what);
    }
  };
  const ChildResult result = runInChild(work, 60, false);
  if (!result.text.empty() && result.text[0] == kSkip)
    GTEST_SKIP() << result.text.substr(1);
  EXPECT_EQ(result.text, check.ending);
  EXPECT_EQ(result.signal, *check.ending ? SIGSEGV : 0);
}

INSTANTIATE_TEST_SUITE_P(On, EveryBackend, testing::Combine(testing::Values("sim", "cuda"), testing::ValuesIn(kChecks)),
                         [](const auto &test) {
                           return std::get<0>(test.param) + std::string("_") + std::get<1>(test.param).name;
                         });

} // namespace
