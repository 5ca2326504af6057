// An option: a private member with a setter that chains and two getters.
#pragma once
#pragma GCC system_header

#define TORCH_ARG(T, name)                                                                                             \
public:                                                                                                                \
  auto name(const T &new_##name) -> decltype(*this);                                                                   \
  auto name(T &&new_##name) -> decltype(*this);                                                                        \
  const T &name() const noexcept;                                                                                      \
  T &name() noexcept;                                                                                                  \
                                                                                                                       \
private:                                                                                                               \
  T name##_
