// The operators that have a CUDA kernel in PyTorch, and the same-device check that PyTorch generates for each: of the
// version that is installed, or of 1.13.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace samedevice::runtime {

class KernelTable {
public:
  static const KernelTable &get();

  /// `kernel` is the operator's name, with the overload behind a dot. The arguments of its generated check, in order;
  /// null when there is no CUDA kernel.
  const std::vector<std::string> *checked(const std::string &kernel) const;
  /// Its CUDA kernel shares no code with the CPU's.
  bool hasOwnBody(const std::string &kernel) const { return ownBodies_.count(kernel) != 0; }
  /// What error messages call the function around the kernel. `isOut`: writes into an argument named out or the like.
  std::string wrapper(const std::string &kernel, bool isOut) const;
  const std::unordered_map<std::string, std::vector<std::string>> &all() const { return checked_; }

private:
  KernelTable();

  std::unordered_map<std::string, std::vector<std::string>> checked_;
  std::unordered_set<std::string> ownBodies_;
  std::unordered_set<std::string> structured_;
  std::string prefix_; ///< of the functions around kernels
};

} // namespace samedevice::runtime
