// CUDA tensors as CPU kernels can work on them: other tensors over the same bytes.
#pragma once

#include "Pretend.h"

#include <utility>
#include <vector>

namespace samedevice::runtime::pretend {

/// The tensors of one operator call, each with its twin.
class Aliases {
public:
  /// Twins are CPU tensors for a kernel that is to run; for one that is only to check its arguments they keep
  /// their device, in memory that can be read.
  enum class Twins { OnCpu, SameDevice };

  Aliases(Twins twins, c10::Device results) : twins_(twins), results_(results) {}

  /// The arguments with every tensor, storage, device and generator replaced.
  c10::IValue toTwin(const c10::IValue &value);
  /// Results: twins become what they stand for, new tensors become CUDA tensors.
  c10::IValue fromTwin(const c10::IValue &value);
  /// Carries over what an operator like resize_ or set_ did to a twin itself.
  void writeBack();

private:
  at::Tensor twinOf(const at::Tensor &tensor);
  at::Tensor originalOf(const at::Tensor &tensor);
  c10::Storage twinOf(const c10::Storage &storage);
  c10::Storage onDevice(const c10::Storage &storage);
  c10::Storage toDevice(const c10::Storage &storage);

  Twins twins_;
  c10::Device results_;
  std::vector<std::pair<at::Tensor, at::Tensor>> tensors_;      ///< original, twin
  std::vector<std::pair<c10::Storage, c10::Storage>> storages_; ///< original, twin
};

/// Every defined tensor in an argument: itself, or the elements of a list.
std::vector<at::Tensor> tensorsIn(const c10::IValue &value);

} // namespace samedevice::runtime::pretend
