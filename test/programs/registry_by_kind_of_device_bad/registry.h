#pragma once

#include <torch/extension.h>

// One registry for each operation, of a place for each kind of device; the files with the implementations fill it.
template <typename F, F operation> class Registry;

template <typename R, typename... Args, R (*operation)(Args...)> class Registry<R (*)(Args...), operation> {
public:
  using Function = R (*)(Args...);

  void add(c10::DeviceType type, Function function) { functions_[int(type)] = function; }
  Function find(c10::DeviceType type) const { return functions_[int(type)]; }

  static Registry &instance() {
    static Registry made;
    return made;
  }

private:
  static constexpr int kKinds = 32;

  Registry() {
    for (int i = 0; i < kKinds; ++i)
      functions_[i] = nullptr;
  }

  Function functions_[kKinds];
};

template <typename Registered, typename... Args> auto dispatch(const Registered &registry, at::Tensor first, Args &&...rest) {
  auto found = registry.find(first.device().type());
  TORCH_CHECK(found != nullptr, "not implemented on ", first.device());
  return found(first, std::forward<Args>(rest)...);
}

#define REGISTRY(operation) Registry<decltype(&operation), operation>::instance()

#define IMPLEMENT(operation, type, function)                                                                           \
  struct function##_registration {                                                                                     \
    function##_registration() { REGISTRY(operation).add(type, function); }                                             \
  };                                                                                                                   \
  static function##_registration registration_of_##function
