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
  explicit List(ArrayRef<T> values) : values_(std::make_shared<std::vector<T>>(values.begin(), values.end())) {}
  List(std::initializer_list<T> values) : values_(std::make_shared<std::vector<T>>(values)) {}
  explicit List(std::vector<T> values) : values_(std::make_shared<std::vector<T>>(std::move(values))) {}
  T get(size_t pos) const { return values_->at(pos); }
  void set(size_t pos, T value) const { values_->at(pos) = std::move(value); }
  T operator[](size_t pos) const { return get(pos); }
  void push_back(T value) const { values_->push_back(std::move(value)); }
  template <class... Args> void emplace_back(Args &&...args) const {
    values_->emplace_back(std::forward<Args>(args)...);
  }
  void reserve(size_t n) const { values_->reserve(n); }
  void clear() const { values_->clear(); }
  size_t size() const { return values_->size(); }
  bool empty() const { return values_->empty(); }
  auto begin() const { return values_->begin(); }
  auto end() const { return values_->end(); }
  const std::vector<T> &vec() const { return *values_; }

private:
  std::shared_ptr<std::vector<T>> values_ = std::make_shared<std::vector<T>>();
};

/// Keeps the order of insertion.
template <class Key, class Value> class Dict {
public:
  struct Entry {
    Key first;
    Value second;
    const Key &key() const { return first; }
    const Value &value() const { return second; }
  };
  bool insert(Key key, Value value) const {
    if (contains(key))
      return false;
    entries_->push_back({std::move(key), std::move(value)});
    return true;
  }
  void insert_or_assign(Key key, Value value) const {
    for (Entry &entry : *entries_)
      if (entry.first == key) {
        entry.second = std::move(value);
        return;
      }
    insert(std::move(key), std::move(value));
  }
  bool contains(const Key &key) const {
    for (const Entry &entry : *entries_)
      if (entry.first == key)
        return true;
    return false;
  }
  Value at(const Key &key) const {
    for (const Entry &entry : *entries_)
      if (entry.first == key)
        return entry.second;
    throw std::out_of_range("Argument passed to at() was not in the map.");
  }
  size_t size() const { return entries_->size(); }
  bool empty() const { return entries_->empty(); }
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
