// GPUs simulated in host memory. Strict where real ones are merely undefined: what the host does to device
// memory, or to memory that an asynchronous copy still owns, faults at once and always.
#pragma once

#include "Arena.h"
#include "gpu/Backend.h"

#include <set>
#include <vector>

namespace samedevice::runtime {

class SimBackend final : public Backend {
public:
  static constexpr int kMaxDevices = 16;
  static constexpr std::size_t kDefaultCapacity = std::size_t{1} << 32;

  explicit SimBackend(int devices, std::size_t bytesPerDevice = kDefaultCapacity);

  std::string name() const override { return "sim"; }
  std::string deviceName(int device) const override;
  int deviceCount() const override { return static_cast<int>(gpus_.size()); }
  Error setDevice(int device) override;
  int currentDevice() const override;
  Error enablePeer(int peer) override;
  Error allocate(Memory memory, std::size_t bytes, void **address) override;
  Error release(void *address) override;
  Placement placementOf(const void *address) const override;
  Error createStream(Stream *stream) override;
  int deviceOf(Stream stream) const override;
  Error synchronizeStream(Stream stream) override;
  Error synchronizeDevice() override;
  Error copy(void *to, const void *from, std::size_t bytes, CopyKind kind) override;
  Error copyAsync(void *to, const void *from, std::size_t bytes, CopyKind kind, Stream stream) override;
  Error launch(const Kernel &kernel, Stream stream) override;
  Error takeError() override;

  /// Device memory on a device that need not be the current one.
  void *allocateOn(int device, std::size_t bytes);
  /// The same bytes, readable: for code that plays the part of a kernel or of the copy engine.
  void *kernelView(const void *address) const;
  /// The device whose memory has this kernel view (-1: none), and the way back.
  int deviceOfKernelView(const void *address) const;
  void *hostView(const void *kernelAddress) const;
  /// The host may not touch the pinned memory at `address` until `device` has been waited for:
  /// not at all when a copy still fills it, only read it when a copy still reads it.
  void holdUntilSynchronized(const void *address, HostAccess access, int device, Stream stream);
  void synchronize(int device);
  void synchronize(int device, Stream stream);
  /// The caller's own memory as pinned memory, from here to unregistering it.
  Error registerHost(void *address, std::size_t bytes);
  Error unregisterHost(void *address);
  /// What a kernel that gets `address` on the current device runs into; for good if it is an illegal access.
  void useInKernel(const void *address);
  /// What the host runs into at `address`, as a sentence; empty when the simulation has no part in it.
  std::string describeFault(const void *address) const;

private:
  struct Held {
    const void *block;
    HostAccess access;
    int device;
    Stream stream;
  };

  const Arena *arenaOf(const void *address) const;
  Arena *arenaOf(const void *address);
  /// Whether a kernel on `device` reaches `bytes` bytes at `address`.
  bool reaches(int device, const void *address, std::size_t bytes) const;
  bool validCopy(const void *to, const void *from, std::size_t bytes, CopyKind kind) const;
  void runKernel(const Kernel &kernel);
  Error fail(Error error);
  bool isRegistered(const void *address, std::size_t bytes) const;
  template <class Predicate> void letGo(Predicate done);

  std::vector<std::unique_ptr<Arena>> gpus_;
  Arena pinned_;
  Arena managed_;
  std::vector<int> streams_; ///< the device of stream i + 1
  std::set<std::pair<int, int>> peers_;
  std::vector<Held> held_;
  std::map<const char *, std::size_t> registered_;
  Error last_ = Error::None;
  Error sticky_ = Error::None;
  mutable std::recursive_mutex mutex_;
};

} // namespace samedevice::runtime
