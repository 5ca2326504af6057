// A value of any type, as TorchScript passes them.
#pragma once
#pragma GCC system_header

#include "ATen/core/List.h"
#include "ATen/core/Tensor.h"

#include <variant>

namespace c10 {

using std::make_shared;
template <class T> using intrusive_ptr = std::shared_ptr<T>;
template <class T, class... Args> intrusive_ptr<T> make_intrusive(Args &&...args);

struct IValue;
namespace ivalue {
struct Tuple {
  explicit Tuple(std::vector<IValue> elements);
  static intrusive_ptr<Tuple> create(std::vector<IValue> elements);
  const std::vector<IValue> &elements() const;
  size_t size() const;

private:
  std::vector<IValue> elements_;
};
struct Object;
} // namespace ivalue

struct IValue final {
  IValue() = default;
  IValue(at::Tensor t);
  IValue(double d);
  IValue(int64_t i);
  IValue(int32_t i);
  template <class T, std::enable_if_t<std::is_same_v<T, bool>, int> = 0> IValue(T b);
  IValue(std::string s);
  IValue(const char *s);
  IValue(Device d);
  IValue(intrusive_ptr<ivalue::Tuple> t);
  IValue(intrusive_ptr<ivalue::Object> o);
  IValue(List<IValue> l);
  IValue(Dict<IValue, IValue> d);
  template <class Key, class Value> IValue(const Dict<Key, Value> &dict);
  template <class T, std::enable_if_t<std::is_constructible_v<IValue, T>, int> = 0> IValue(std::vector<T> values);
  template <class T> IValue(optional<T> v);
  template <class... Args> IValue(std::tuple<Args...> t);

  bool isNone() const;
  bool isTensor() const;
  bool isDouble() const;
  bool isInt() const;
  bool isBool() const;
  bool isString() const;
  bool isDevice() const;
  bool isTuple() const;
  bool isObject() const;
  bool isList() const;
  bool isTensorList() const;
  bool isGenericDict() const;

  at::Tensor toTensor() const;
  double toDouble() const;
  int64_t toInt() const;
  bool toBool() const;
  const std::string &toStringRef() const;
  Device toDevice() const;
  intrusive_ptr<ivalue::Tuple> toTuple() const;
  const ivalue::Tuple &toTupleRef() const;
  intrusive_ptr<ivalue::Object> toObject() const;
  List<IValue> toList() const;
  const std::vector<IValue> &toListRef() const;
  std::vector<at::Tensor> toTensorVector() const;
  List<at::Tensor> toTensorList() const;
  Dict<IValue, IValue> toGenericDict() const;
  template <class T> T to() const;
  bool operator==(const IValue &other) const;

private:
  template <class T> bool holds() const;
  template <class T> const T &get(const char *wanted) const;
  std::variant<std::monostate, at::Tensor, double, int64_t, bool, std::string, Device, intrusive_ptr<ivalue::Tuple>,
               intrusive_ptr<ivalue::Object>, List<IValue>, Dict<IValue, IValue>>
      value_;
};

} // namespace c10

namespace at {
using c10::IValue;
}
namespace torch {
using c10::IValue;
}
