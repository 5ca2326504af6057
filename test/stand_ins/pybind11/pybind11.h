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
  explicit object(std::any value);

  class Attribute {
  public:
    Attribute(const object &owner, std::string name);
    template <class... Args> object operator()(Args &&...) const;

  private:
    const object &owner_;
    std::string name_;
  };
  Attribute attr(const char *name) const;
  template <class T> T cast() const;
  bool is_none() const;

private:
  std::any value_;
};

template <class T> object cast(const T &value);
template <class T> T cast(const object &value);

struct arg {
  explicit constexpr arg(const char *name) : name(name) {}
  template <class T> arg operator=(T &&) const;
  const char *name;
};
namespace literals {
constexpr arg operator"" _a(const char *name, size_t) { return arg(name); }
} // namespace literals

template <class... Args> struct init_tag {};
template <class... Args> init_tag<Args...> init();
struct gil_scoped_release {
  ~gil_scoped_release();
};
struct gil_scoped_acquire {
  ~gil_scoped_acquire();
};
template <class... T> struct call_guard {};

class module_ {
public:
  template <class Func, class... Extra> module_ &def(const char *, Func &&, const Extra &...);
};
using module = module_;

template <class T, class... Options> class class_ {
public:
  class_(module_ &, const char *);
  template <class... Args> class_ &def(const Args &...);
  template <class... Args> class_ &def_readwrite(const Args &...);
};

template <class T> class array_t : public object {
public:
  array_t() = default;
  array_t(std::vector<int64_t> shape, const T *data);
  array_t(int64_t count, const T *data);
  const T *data() const;
  T *mutable_data();
  int64_t size() const;

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
