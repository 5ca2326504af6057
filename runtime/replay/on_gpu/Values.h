// What the ids of a witness stand for.
#pragma once

#include "device_rules/DeviceRules.h"
#include "gpu/Backend.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace samedevice::runtime {

/// A piece of memory; every one has the same size.
struct Storage {
  static constexpr std::size_t kElements = 64;
  static constexpr std::size_t kBytes = kElements * sizeof(float);

  void *address = nullptr;
  Memory memory = Memory::Unregistered;
  Device device;                    ///< of device memory
  std::function<void(void *)> free; ///< empty: somebody else's memory
  std::optional<Device> filledBy;   ///< an asynchronous copy from there is still to arrive
  std::optional<Device> readBy;     ///< an asynchronous copy to there still reads it
  std::weak_ptr<Storage> readInto;  ///< the target of that copy
  std::weak_ptr<Storage> viewOf;    ///< fromBlob: whose memory it is
  bool isView = false;

  ~Storage() {
    if (free)
      free(address);
  }
};

/// As a TensorImpl: handles share it, and what is done to it in place is seen through all of them.
struct TensorObject {
  std::shared_ptr<Storage> storage;
  Device device;
  int rank = 2;
};
using TensorValue = std::shared_ptr<TensorObject>;

struct ModuleObject;
using ModuleValue = std::shared_ptr<ModuleObject>;

struct ModuleObject {
  std::string name; ///< of its class
  std::vector<std::pair<std::string, TensorValue>> state;
  std::vector<std::pair<std::string, ModuleValue>> children;
  bool isScript = false;

  /// Every registered tensor, with its path from here.
  using Visit = std::function<void(const std::string &path, const TensorValue &tensor)>;
  void eachTensor(const Visit &visit, const std::string &prefix = {}) const {
    for (const auto &[name, tensor] : state)
      visit(prefix + name, tensor);
    for (const auto &[name, child] : children)
      child->eachTensor(visit, prefix + name + ".");
  }
};

struct OptimizerObject {
  std::vector<TensorValue> parameters;
  std::map<const TensorObject *, Device> state; ///< made by the first step, where the parameter was then
  std::optional<Device> loaded;
};
using OptimizerValue = std::shared_ptr<OptimizerObject>;

struct PointerValue {
  std::weak_ptr<Storage> storage;
};
/// Memory that the program asked for itself.
struct AllocationValue {
  std::shared_ptr<Storage> storage;
};
struct StreamValue {
  Stream stream = 0;
};

using Value = std::variant<TensorValue, ModuleValue, OptimizerValue, PointerValue, AllocationValue, StreamValue>;

} // namespace samedevice::runtime
