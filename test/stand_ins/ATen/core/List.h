// Shared lists and dictionaries, as TorchScript has them.
#pragma once
#pragma GCC system_header

#include "c10/util/ArrayRef.h"

#include <memory>
#include <stdexcept>
#include <utility>

namespace c10 {

template <class T> class List {
public:
  using value_type = T;
  List() = default;
  explicit List(ArrayRef<T> values);
  List(std::initializer_list<T> values);
  explicit List(std::vector<T> values);
  T get(size_t pos) const;
  void set(size_t pos, T value) const;
  T operator[](size_t pos) const;
  void push_back(T value) const;
  template <class... Args> void emplace_back(Args &&...args) const;
  void reserve(size_t n) const;
  void clear() const;
  size_t size() const;
  bool empty() const;
  auto begin() const { return values_->begin(); }
  auto end() const { return values_->end(); }
  const std::vector<T> &vec() const;

private:
  std::shared_ptr<std::vector<T>> values_ = std::make_shared<std::vector<T>>();
};

/// Keeps the order of insertion.
template <class Key, class Value> class Dict {
public:
  struct Entry {
    Key first;
    Value second;
    const Key &key() const;
    const Value &value() const;
  };
  bool insert(Key key, Value value) const;
  void insert_or_assign(Key key, Value value) const;
  bool contains(const Key &key) const;
  Value at(const Key &key) const;
  size_t size() const;
  bool empty() const;
  auto begin() const { return entries_->begin(); }
  auto end() const { return entries_->end(); }

private:
  std::shared_ptr<std::vector<Entry>> entries_ = std::make_shared<std::vector<Entry>>();
};

} // namespace c10

namespace torch {
template <class T> using List = c10::List<T>;
template <class K, class V> using Dict = c10::Dict<K, V>;
} // namespace torch
