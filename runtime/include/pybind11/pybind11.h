// As much of pybind11 as extensions name. There is no Python behind it: an object keeps the tensor it was made of.
#pragma once
#pragma GCC system_header

#include "ATen/ATen.h"

#include <any>
#include <string>
#include <utility>

namespace pybind11 {
namespace detail {
template <class T> struct type_caster;
}

using ssize_t = std::ptrdiff_t;

class handle {};

class error_already_set : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class object : public handle {
public:
  object() = default;
  explicit object(std::any value) : value_(std::move(value)) {}

  class Attribute {
  public:
    Attribute(const object &owner, std::string name) : owner_(owner), name_(std::move(name)) {}
    template <class... Args> object operator()(Args &&...) const {
      if (name_ == "numpy")
        if (const at::Tensor *tensor = std::any_cast<at::Tensor>(&owner_.value_); tensor && !tensor->is_cpu())
          throw error_already_set(
              "TypeError: can't convert " + tensor->device().str() +
              " device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.");
      return owner_;
    }

  private:
    const object &owner_;
    std::string name_;
  };
  Attribute attr(const char *name) const { return Attribute(*this, name); }
  template <class T> T cast() const { return std::any_cast<T>(value_); }
  bool is_none() const { return !value_.has_value(); }

private:
  std::any value_;
};

template <class T> object cast(const T &value) { return object(std::any(value)); }
template <class T> T cast(const object &value) { return value.template cast<T>(); }

struct arg {
  explicit constexpr arg(const char *name) : name(name) {}
  template <class T> arg operator=(T &&) const { return *this; }
  const char *name;
};
namespace literals {
constexpr arg operator"" _a(const char *name, size_t) { return arg(name); }
} // namespace literals

template <class... Args> struct init_tag {};
template <class... Args> init_tag<Args...> init() { return {}; }
struct gil_scoped_release {
  ~gil_scoped_release() {}
};
struct gil_scoped_acquire {
  ~gil_scoped_acquire() {}
};
template <class... T> struct call_guard {};

class module_ {
public:
  template <class Func, class... Extra> module_ &def(const char *, Func &&, const Extra &...) { return *this; }
};
using module = module_;

template <class T, class... Options> class class_ {
public:
  class_(module_ &, const char *) {}
  template <class... Args> class_ &def(const Args &...) { return *this; }
  template <class... Args> class_ &def_readwrite(const Args &...) { return *this; }
};

template <class T> class array_t : public object {
public:
  array_t() = default;
  array_t(std::vector<int64_t> shape, const T *data) : shape_(std::move(shape)) {
    size_t count = 1;
    for (const int64_t n : shape_)
      count *= static_cast<size_t>(n);
    values_.assign(data, data + count);
  }
  array_t(int64_t count, const T *data) : array_t(std::vector<int64_t>{count}, data) {}
  const T *data() const { return values_.data(); }
  T *mutable_data() { return values_.data(); }
  int64_t size() const { return static_cast<int64_t>(values_.size()); }

private:
  std::vector<int64_t> shape_;
  std::vector<T> values_;
};

} // namespace pybind11

namespace py = pybind11;

#define PYBIND11_MODULE(name, variable)                                                                                \
  static void SD_PYBIND_NAME(pybind11_init_, name)(::pybind11::module_ & variable);                                    \
  [[maybe_unused]] static auto SD_PYBIND_NAME(pybind11_used_, name) = &SD_PYBIND_NAME(pybind11_init_, name);           \
  void SD_PYBIND_NAME(pybind11_init_, name)(::pybind11::module_ & variable)
#define SD_PYBIND_NAME_(prefix, name) prefix##name
#define SD_PYBIND_NAME(prefix, name) SD_PYBIND_NAME_(prefix, name)
