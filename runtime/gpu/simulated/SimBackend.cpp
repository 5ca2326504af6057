#include "SimBackend.h"

#include "SimKernels.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace samedevice::runtime {

namespace {

thread_local int currentDeviceOfThread = 0;

using Lock = std::lock_guard<std::recursive_mutex>;

} // namespace

SimBackend::SimBackend(int devices, std::size_t bytesPerDevice)
    : pinned_(bytesPerDevice, HostAccess::ReadWrite), managed_(bytesPerDevice, HostAccess::ReadWrite) {
  if (devices < 0 || devices > kMaxDevices)
    throw std::invalid_argument("a simulation has at most " + std::to_string(kMaxDevices) + " GPUs");
  for (int i = 0; i < devices; ++i)
    gpus_.push_back(std::make_unique<Arena>(bytesPerDevice, HostAccess::None));
}

std::string SimBackend::deviceName(int) const { return "simulated GPU"; }

Error SimBackend::fail(Error error) {
  last_ = error;
  return error;
}

Error SimBackend::setDevice(int device) {
  Lock lock(mutex_);
  if (sticky_ != Error::None)
    return sticky_;
  if (device < 0 || device >= deviceCount())
    return fail(Error::InvalidDevice);
  currentDeviceOfThread = device;
  return Error::None;
}

int SimBackend::currentDevice() const { return currentDeviceOfThread; }

Error SimBackend::enablePeer(int peer) {
  Lock lock(mutex_);
  if (peer < 0 || peer >= deviceCount() || peer == currentDevice())
    return fail(Error::InvalidDevice);
  return peers_.emplace(currentDevice(), peer).second ? Error::None : fail(Error::PeerAlreadyEnabled);
}

void *SimBackend::allocateOn(int device, std::size_t bytes) {
  return gpus_.at(static_cast<std::size_t>(device))->allocate(bytes);
}

Error SimBackend::allocate(Memory memory, std::size_t bytes, void **address) {
  Lock lock(mutex_);
  *address = nullptr;
  if (sticky_ != Error::None)
    return sticky_;
  switch (memory) {
  case Memory::Unregistered:
    return fail(Error::InvalidValue);
  case Memory::Pinned:
    *address = pinned_.allocate(bytes);
    break;
  case Memory::Managed:
    *address = managed_.allocate(bytes);
    break;
  case Memory::Device:
    if (gpus_.empty())
      return fail(Error::InvalidDevice);
    *address = allocateOn(currentDevice(), bytes);
    break;
  }
  return *address ? Error::None : fail(Error::OutOfMemory);
}

const Arena *SimBackend::arenaOf(const void *address) const {
  if (pinned_.contains(address))
    return &pinned_;
  if (managed_.contains(address))
    return &managed_;
  for (const auto &gpu : gpus_)
    if (gpu->contains(address))
      return gpu.get();
  return nullptr;
}

Arena *SimBackend::arenaOf(const void *address) {
  return const_cast<Arena *>(static_cast<const SimBackend *>(this)->arenaOf(address));
}

Error SimBackend::release(void *address) {
  Lock lock(mutex_);
  if (!address)
    return Error::None;
  Arena *arena = arenaOf(address);
  // A block with copies on their way is waited for, as cudaFree does.
  letGo([&](const Held &held) { return held.block == address; });
  return arena && arena->release(address) ? Error::None : fail(Error::InvalidValue);
}

Placement SimBackend::placementOf(const void *address) const {
  if (pinned_.bytesFrom(address) != 0)
    return {Memory::Pinned, -1};
  if (managed_.bytesFrom(address) != 0)
    return {Memory::Managed, -1};
  for (int i = 0; i < deviceCount(); ++i)
    if (gpus_[static_cast<std::size_t>(i)]->bytesFrom(address) != 0)
      return {Memory::Device, i};
  return {isRegistered(address, 1) ? Memory::Pinned : Memory::Unregistered, -1};
}

bool SimBackend::isRegistered(const void *address, std::size_t bytes) const {
  Lock lock(mutex_);
  const auto *byte = static_cast<const char *>(address);
  auto range = registered_.upper_bound(byte);
  if (range == registered_.begin())
    return false;
  --range;
  return byte + bytes <= range->first + range->second;
}

Error SimBackend::registerHost(void *address, std::size_t bytes) {
  Lock lock(mutex_);
  if (!address || bytes == 0 || placementOf(address).memory != Memory::Unregistered)
    return fail(Error::InvalidValue);
  registered_[static_cast<char *>(address)] = bytes;
  return Error::None;
}

Error SimBackend::unregisterHost(void *address) {
  Lock lock(mutex_);
  return registered_.erase(static_cast<char *>(address)) != 0 ? Error::None : fail(Error::InvalidValue);
}

Error SimBackend::createStream(Stream *stream) {
  Lock lock(mutex_);
  if (sticky_ != Error::None)
    return sticky_;
  streams_.push_back(currentDevice());
  *stream = static_cast<Stream>(streams_.size());
  return Error::None;
}

int SimBackend::deviceOf(Stream stream) const {
  Lock lock(mutex_);
  if (stream == 0)
    return currentDevice();
  return stream <= streams_.size() ? streams_[stream - 1] : -1;
}

template <class Predicate> void SimBackend::letGo(Predicate done) {
  std::vector<const void *> blocks;
  const auto rest = std::remove_if(held_.begin(), held_.end(), [&](const Held &held) {
    const bool gone = done(held);
    if (gone)
      blocks.push_back(held.block);
    return gone;
  });
  held_.erase(rest, held_.end());
  for (const void *block : blocks) {
    HostAccess access = HostAccess::ReadWrite;
    for (const Held &held : held_)
      if (held.block == block)
        access = std::min(access, held.access);
    pinned_.setHostAccess(block, access);
  }
}

void SimBackend::holdUntilSynchronized(const void *address, HostAccess access, int device, Stream stream) {
  Lock lock(mutex_);
  const void *block = pinned_.blockOf(address);
  if (!block)
    return;
  HostAccess strictest = access;
  for (const Held &held : held_)
    if (held.block == block)
      strictest = std::min(strictest, held.access);
  held_.push_back({block, access, device, stream});
  pinned_.setHostAccess(block, strictest);
}

Error SimBackend::synchronizeStream(Stream stream) {
  Lock lock(mutex_);
  const int device = deviceOf(stream);
  if (device < 0)
    return fail(Error::InvalidHandle);
  synchronize(device, stream);
  return sticky_;
}

void SimBackend::synchronize(int device, Stream stream) {
  Lock lock(mutex_);
  letGo([&](const Held &held) { return held.device == device && held.stream == stream; });
}

void SimBackend::synchronize(int device) {
  Lock lock(mutex_);
  letGo([&](const Held &held) { return held.device == device; });
}

Error SimBackend::synchronizeDevice() {
  synchronize(currentDevice());
  return sticky_;
}

bool SimBackend::validCopy(const void *to, const void *from, std::size_t bytes, CopyKind kind) const {
  const Memory target = placementOf(to).memory, source = placementOf(from).memory;
  const Arena *targetArena = arenaOf(to), *sourceArena = arenaOf(from);
  if ((targetArena && targetArena->bytesFrom(to) < bytes) || (sourceArena && sourceArena->bytesFrom(from) < bytes))
    return false;
  const auto onHost = [](Memory memory) { return memory != Memory::Device; };
  const auto onDevice = [](Memory memory) { return memory == Memory::Device || memory == Memory::Managed; };
  switch (kind) {
  case CopyKind::HostToHost:
    return onHost(target) && onHost(source);
  case CopyKind::HostToDevice:
    return onDevice(target) && onHost(source);
  case CopyKind::DeviceToHost:
    return onHost(target) && onDevice(source);
  case CopyKind::DeviceToDevice:
    return onDevice(target) && onDevice(source);
  case CopyKind::Default:
    return true;
  }
  return false;
}

Error SimBackend::copy(void *to, const void *from, std::size_t bytes, CopyKind kind) {
  const Error error = copyAsync(to, from, bytes, kind, 0);
  if (error == Error::None)
    synchronizeStream(0);
  return error;
}

Error SimBackend::copyAsync(void *to, const void *from, std::size_t bytes, CopyKind kind, Stream stream) {
  Lock lock(mutex_);
  if (sticky_ != Error::None)
    return sticky_;
  const int device = deviceOf(stream);
  if (device < 0)
    return fail(Error::InvalidHandle);
  if (bytes == 0)
    return Error::None;
  if (!to || !from || !validCopy(to, from, bytes, kind))
    return fail(Error::InvalidValue);
  std::memmove(kernelView(to), kernelView(from), bytes);
  // For other work on the device the bytes have arrived; the host is kept out until it has waited. Copies
  // from and to pageable memory are done when CUDA returns from them.
  const Memory target = placementOf(to).memory, source = placementOf(from).memory;
  if (source == Memory::Device && target == Memory::Pinned)
    holdUntilSynchronized(to, HostAccess::None, device, stream);
  if (source == Memory::Pinned && target == Memory::Device)
    holdUntilSynchronized(from, HostAccess::Read, device, stream);
  return Error::None;
}

void *SimBackend::kernelView(const void *address) const {
  const Arena *arena = arenaOf(address);
  return arena ? arena->kernelView(address) : const_cast<void *>(address);
}

int SimBackend::deviceOfKernelView(const void *address) const {
  for (int i = 0; i < deviceCount(); ++i)
    if (gpus_[static_cast<std::size_t>(i)]->containsKernelView(address))
      return i;
  return -1;
}

void *SimBackend::hostView(const void *kernelAddress) const {
  const int device = deviceOfKernelView(kernelAddress);
  return device < 0 ? const_cast<void *>(kernelAddress)
                    : gpus_[static_cast<std::size_t>(device)]->hostView(kernelAddress);
}

bool SimBackend::reaches(int device, const void *address, std::size_t bytes) const {
  const Placement placement = placementOf(address);
  if (placement.memory == Memory::Unregistered)
    return false;
  const Arena *arena = arenaOf(address);
  if (arena ? arena->bytesFrom(address) < bytes : !isRegistered(address, bytes))
    return false;
  return placement.memory != Memory::Device || placement.device == device ||
         peers_.count({device, placement.device}) != 0;
}

Error SimBackend::launch(const Kernel &kernel, Stream stream) {
  Lock lock(mutex_);
  if (sticky_ != Error::None)
    return sticky_;
  if (deviceOf(stream) != currentDevice() || gpus_.empty())
    return fail(Error::InvalidHandle);
  const int device = currentDevice();
  for (const KernelBuffer &buffer : buffersOf(kernel)) {
    if (!reaches(device, buffer.address, buffer.bytes)) {
      // The launch itself succeeds: a GPU finds out while it runs, and then for good.
      sticky_ = Error::IllegalAddress;
      return Error::None;
    }
  }
  runKernel(kernel);
  return Error::None;
}

void SimBackend::useInKernel(const void *address) {
  Lock lock(mutex_);
  if (!reaches(currentDevice(), address, 1))
    sticky_ = Error::IllegalAddress;
}

void SimBackend::runKernel(const Kernel &kernel) {
  Kernel seen = kernel;
  seen.out = static_cast<float *>(kernelView(kernel.out));
  seen.a = static_cast<const float *>(kernelView(kernel.a));
  seen.b = static_cast<const float *>(kernelView(kernel.b));
  seen.index = static_cast<const std::int64_t *>(kernelView(kernel.index));
  if (!run(seen))
    sticky_ = Error::LaunchFailure;
}

Error SimBackend::takeError() {
  Lock lock(mutex_);
  const Error error = sticky_ != Error::None ? sticky_ : last_;
  last_ = Error::None;
  return error;
}

std::string SimBackend::describeFault(const void *address) const {
  for (int i = 0; i < deviceCount(); ++i) {
    const Arena &gpu = *gpus_[static_cast<std::size_t>(i)];
    if (!gpu.contains(address))
      continue;
    return std::string(gpu.bytesFrom(address) != 0 ? "memory" : "freed memory") + " of cuda:" + std::to_string(i);
  }
  if (!pinned_.contains(address))
    return {};
  const void *block = pinned_.blockOf(address);
  if (!block)
    return "freed pinned memory";
  for (const Held &held : held_)
    if (held.block == block)
      return (held.access == HostAccess::None ? "pinned memory that a copy from cuda:"
                                              : "pinned memory that a copy to cuda:") +
             std::to_string(held.device) + (held.access == HostAccess::None ? " has not filled yet" : " still reads");
  return {};
}

std::unique_ptr<Backend> makeSimBackend(int devices) { return std::make_unique<SimBackend>(devices); }

} // namespace samedevice::runtime
