#pragma once

#include <torch/extension.h>

#include <map>

// An operation has one implementation for each kind of device, which the files that have them bring along.
template <typename Signature> class Implementations;

template <typename Result, typename... Arguments> class Implementations<Result(Arguments...)> {
public:
  using Function = Result (*)(Arguments...);

  void add(c10::DeviceType type, Function function) { functions_[type] = function; }

  Function of(const at::Tensor &x) const {
    const auto found = functions_.find(x.device().type());
    TORCH_CHECK(found != functions_.end(), "not implemented on ", x.device());
    return found->second;
  }

private:
  std::map<c10::DeviceType, Function> functions_;
};

using Gather = void(const at::Tensor &points, const at::Tensor &index, at::Tensor out);
Implementations<Gather> &gather_implementations();

#define REGISTER_IMPLEMENTATION(table, type, function)                                                                 \
  static const bool registered_##function = (table().add(type, function), true)
