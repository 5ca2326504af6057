// A value of any type, as TorchScript passes them.
#pragma once
#pragma GCC system_header

#include "ATen/core/List.h"
#include "ATen/core/Tensor.h"

#include <variant>

namespace c10 {

using std::make_shared;
template <class T> using intrusive_ptr = std::shared_ptr<T>;
template <class T, class... Args> intrusive_ptr<T> make_intrusive(Args &&...args) {
  return std::make_shared<T>(std::forward<Args>(args)...);
}

struct IValue;
namespace ivalue {
struct Tuple {
  explicit Tuple(std::vector<IValue> elements) : elements_(std::move(elements)) {}
  static intrusive_ptr<Tuple> create(std::vector<IValue> elements) {
    return std::make_shared<Tuple>(std::move(elements));
  }
  const std::vector<IValue> &elements() const { return elements_; }
  size_t size() const;

private:
  std::vector<IValue> elements_;
};
struct Object;
} // namespace ivalue

struct IValue final {
  IValue() = default;
  IValue(at::Tensor t) : value_(std::move(t)) {}
  IValue(double d) : value_(d) {}
  IValue(int64_t i) : value_(i) {}
  IValue(int32_t i) : value_(static_cast<int64_t>(i)) {}
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0> IValue(T b) : value_(b) {}
  IValue(std::string s) : value_(std::move(s)) {}
  IValue(const char *s) : value_(std::string(s)) {}
  IValue(Device d) : value_(d) {}
  IValue(intrusive_ptr<ivalue::Tuple> t) : value_(std::move(t)) {}
  IValue(intrusive_ptr<ivalue::Object> o) : value_(std::move(o)) {}
  IValue(List<IValue> l) : value_(std::move(l)) {}
  IValue(Dict<IValue, IValue> d) : value_(std::move(d)) {}
  template <class Key, class Value> IValue(const Dict<Key, Value> &dict) {
    Dict<IValue, IValue> generic;
    for (const auto &entry : dict)
      generic.insert(IValue(entry.key()), IValue(entry.value()));
    value_ = std::move(generic);
  }
  template <class T, std::enable_if_t<std::is_constructible_v<IValue, T>, int> = 0> IValue(std::vector<T> values) {
    value_ = List<IValue>(std::vector<IValue>(values.begin(), values.end()));
  }
  template <class T> IValue(optional<T> v) {
    if (v)
      *this = IValue(*v);
  }
  template <class... Args> IValue(std::tuple<Args...> t) {
    std::apply([this](auto &...v) { value_ = ivalue::Tuple::create({IValue(v)...}); }, t);
  }

  bool isNone() const { return holds<std::monostate>(); }
  bool isTensor() const { return holds<at::Tensor>(); }
  bool isDouble() const { return holds<double>(); }
  bool isInt() const { return holds<int64_t>(); }
  bool isBool() const { return holds<bool>(); }
  bool isString() const { return holds<std::string>(); }
  bool isDevice() const { return holds<Device>(); }
  bool isTuple() const { return holds<intrusive_ptr<ivalue::Tuple>>(); }
  bool isObject() const { return holds<intrusive_ptr<ivalue::Object>>(); }
  bool isList() const { return holds<List<IValue>>(); }
  bool isTensorList() const { return isList() && (toListRef().empty() || toListRef().front().isTensor()); }
  bool isGenericDict() const { return holds<Dict<IValue, IValue>>(); }

  at::Tensor toTensor() const { return get<at::Tensor>("Tensor"); }
  double toDouble() const { return isInt() ? static_cast<double>(toInt()) : get<double>("Double"); }
  int64_t toInt() const { return get<int64_t>("Int"); }
  bool toBool() const { return get<bool>("Bool"); }
  const std::string &toStringRef() const { return get<std::string>("String"); }
  Device toDevice() const { return get<Device>("Device"); }
  intrusive_ptr<ivalue::Tuple> toTuple() const { return get<intrusive_ptr<ivalue::Tuple>>("Tuple"); }
  const ivalue::Tuple &toTupleRef() const { return *get<intrusive_ptr<ivalue::Tuple>>("Tuple"); }
  intrusive_ptr<ivalue::Object> toObject() const { return get<intrusive_ptr<ivalue::Object>>("Object"); }
  List<IValue> toList() const { return get<List<IValue>>("GenericList"); }
  const std::vector<IValue> &toListRef() const { return get<List<IValue>>("GenericList").vec(); }
  std::vector<at::Tensor> toTensorVector() const {
    std::vector<at::Tensor> tensors;
    for (const IValue &v : toListRef())
      tensors.push_back(v.toTensor());
    return tensors;
  }
  List<at::Tensor> toTensorList() const { return List<at::Tensor>(toTensorVector()); }
  Dict<IValue, IValue> toGenericDict() const { return get<Dict<IValue, IValue>>("GenericDict"); }
  template <class T> T to() const {
    if constexpr (std::is_same_v<T, at::Tensor>)
      return toTensor();
    else if constexpr (std::is_same_v<T, bool>)
      return toBool();
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(toInt());
    else if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(toDouble());
    else if constexpr (std::is_same_v<T, std::string>)
      return toStringRef();
    else
      return get<T>("requested type");
  }
  bool operator==(const IValue &other) const {
    return (isString() && other.isString() && toStringRef() == other.toStringRef()) ||
           (isInt() && other.isInt() && toInt() == other.toInt());
  }

private:
  template <class T> bool holds() const { return std::holds_alternative<T>(value_); }
  template <class T> const T &get(const char *wanted) const {
    const T *value = std::get_if<T>(&value_);
    TORCH_CHECK(value, "Expected ", wanted, " but got another type of IValue");
    return *value;
  }
  std::variant<std::monostate, at::Tensor, double, int64_t, bool, std::string, Device, intrusive_ptr<ivalue::Tuple>,
               intrusive_ptr<ivalue::Object>, List<IValue>, Dict<IValue, IValue>>
      value_;
};

inline size_t ivalue::Tuple::size() const { return elements_.size(); }

} // namespace c10

namespace at {
using c10::IValue;
}
namespace torch {
using c10::IValue;
}
