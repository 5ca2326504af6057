// The memory of a witness: who may touch it from where, and what is on its way to it.
#pragma once

#include "../StreamOrder.h"
#include "Values.h"

namespace samedevice::runtime {

/// The current device, for as long as this lives.
class OnDevice {
public:
  OnDevice(Backend &backend, Device device) : backend_(backend), before_(backend.currentDevice()) {
    if (device.isCuda())
      backend_.setDevice(device.index);
  }
  ~OnDevice() { backend_.setDevice(before_); }
  OnDevice(const OnDevice &) = delete;

private:
  Backend &backend_;
  int before_;
};

class WitnessMemory {
public:
  explicit WitnessMemory(Backend &backend) : backend_(backend) {}

  std::shared_ptr<Storage> make(Memory memory, Device device);
  /// Over memory that is another's, which may have gone meanwhile.
  std::shared_ptr<Storage> makeView(const std::shared_ptr<Storage> &storage);

  /// The host reads or writes. Faults, or throws StepFailure where a real program would read garbage.
  void touchOnHost(const std::shared_ptr<Storage> &storage, bool write);
  /// A kernel on the current device reads, or is said to write, and its error is fetched.
  void touchOnDevice(const std::vector<std::shared_ptr<Storage>> &storages, Stream stream, bool writes = false);
  /// A kernel of PyTorch's on `device`: out = f(inputs).
  void compute(Device device, const Storage &out, const std::vector<std::shared_ptr<Storage>> &inputs);
  void copy(const std::shared_ptr<Storage> &to, const std::shared_ptr<Storage> &from, CopyKind kind, bool nonBlocking);
  void synchronize();

  void check(Error error) const;
  /// After a kernel: waits for it and fetches its error.
  void checkKernel();

private:
  bool looksUnfilled(const Storage &storage) const;

  Backend &backend_;
  StreamOrder order_;
  std::vector<std::weak_ptr<Storage>> pending_;
};

} // namespace samedevice::runtime
