// Errors and the check macros that raise them.
#pragma once
#pragma GCC system_header

#include "c10/macros.h"

#include <exception>
#include <sstream>
#include <string>

namespace c10 {

class Error : public std::exception {
public:
  explicit Error(std::string msg);
  const char *what() const noexcept override;
  const char *what_without_backtrace() const noexcept;
  const std::string &msg() const;

private:
  std::string msg_;
};
struct IndexError : Error {
  using Error::Error;
};
struct ValueError : Error {
  using Error::Error;
};
struct TypeError : Error {
  using Error::Error;
};
struct NotImplementedError : Error {
  using Error::Error;
};
struct OutOfMemoryError : Error {
  using Error::Error;
};
struct CUDAError : Error {
  using Error::Error;
};

template <class... Args> std::string str(const Args &...args);

class Warning {
public:
  class UserWarning {};
};

namespace detail {
template <class E>
[[noreturn]] inline void torchCheckFail(const char *, const char *, uint32_t, const std::string &msg);
std::string torchCheckMsgImpl(const char *msg);
template <class... Args> std::string torchCheckMsgImpl(const char *, const Args &...args);
void warn(const std::string &msg);
} // namespace detail

} // namespace c10

#define SD_CHECK_WITH(error, cond, ...)                                                                                \
  if (C10_UNLIKELY(!(cond))) {                                                                                         \
    ::c10::detail::torchCheckFail<::c10::error>(                                                                       \
        __func__, __FILE__, static_cast<uint32_t>(__LINE__),                                                           \
        ::c10::detail::torchCheckMsgImpl("Expected " #cond " to be true, but got false.  (Could this error message "   \
                                         "be improved?  If so, please report an enhancement request to PyTorch.)",     \
                                         ##__VA_ARGS__));                                                              \
  }
#define TORCH_CHECK(cond, ...) SD_CHECK_WITH(Error, cond, ##__VA_ARGS__)
#define TORCH_CHECK_INDEX(cond, ...) SD_CHECK_WITH(IndexError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_VALUE(cond, ...) SD_CHECK_WITH(ValueError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_TYPE(cond, ...) SD_CHECK_WITH(TypeError, cond, ##__VA_ARGS__)
#define TORCH_CHECK_NOT_IMPLEMENTED(cond, ...) SD_CHECK_WITH(NotImplementedError, cond, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(cond, ...) SD_CHECK_WITH(Error, cond, ##__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT_DEBUG_ONLY(cond, ...) TORCH_INTERNAL_ASSERT(cond, ##__VA_ARGS__)
#define AT_ASSERT(cond) TORCH_INTERNAL_ASSERT(cond)
#define AT_ASSERTM(cond, ...) TORCH_CHECK(cond, ##__VA_ARGS__)
#define AT_ERROR(...)                                                                                                  \
  do {                                                                                                                 \
    ::c10::detail::torchCheckFail<::c10::Error>(__func__, __FILE__, static_cast<uint32_t>(__LINE__),                   \
                                                ::c10::str(__VA_ARGS__));                                              \
  } while (false)
#define TORCH_WARN(...) ::c10::detail::warn(::c10::str(__VA_ARGS__))
#define TORCH_WARN_ONCE(...) TORCH_WARN(__VA_ARGS__)
