// A dictionary that keeps the order of insertion.
#pragma once
#pragma GCC system_header

#include "torch/types.h"

#include <string>
#include <unordered_map>
#include <utility>

namespace torch {

template <class Key, class Value> class OrderedDict {
public:
  class Item {
  public:
    Item(Key key, Value value) : pair_(std::move(key), std::move(value)) {}
    const Key &key() const noexcept { return pair_.first; }
    Value &value() noexcept { return pair_.second; }
    const Value &value() const noexcept { return pair_.second; }
    Value &operator*() { return value(); }
    const Value &operator*() const { return value(); }
    Value *operator->() { return &value(); }
    const Value *operator->() const { return &value(); }
    const std::pair<Key, Value> &pair() const { return pair_; }

  private:
    std::pair<Key, Value> pair_;
    template <size_t I> friend auto &get(Item &item) { return std::get<I>(item.pair_); }
    template <size_t I> friend const auto &get(const Item &item) { return std::get<I>(item.pair_); }
  };
  using Iterator = typename std::vector<Item>::iterator;
  using ConstIterator = typename std::vector<Item>::const_iterator;

  explicit OrderedDict(std::string key_description = "Key") : key_description_(std::move(key_description)) {}
  OrderedDict(std::initializer_list<Item> items) : items_(items), key_description_("Key") {}

  Iterator begin() { return items_.begin(); }
  ConstIterator begin() const { return items_.begin(); }
  Iterator end() { return items_.end(); }
  ConstIterator end() const { return items_.end(); }
  size_t size() const noexcept { return items_.size(); }
  bool is_empty() const noexcept { return items_.empty(); }
  Item &front() { return items_.front(); }
  const Item &front() const { return items_.front(); }
  Item &back() { return items_.back(); }
  const Item &back() const { return items_.back(); }
  const std::vector<Item> &items() const noexcept { return items_; }
  const std::string &key_description() const noexcept { return key_description_; }

  Value *find(const Key &key) noexcept {
    for (Item &item : items_)
      if (item.key() == key)
        return &item.value();
    return nullptr;
  }
  const Value *find(const Key &key) const noexcept { return const_cast<OrderedDict *>(this)->find(key); }
  bool contains(const Key &key) const noexcept { return find(key) != nullptr; }
  Value &operator[](const Key &key) {
    Value *value = find(key);
    TORCH_CHECK(value, key_description_, " '", key, "' is not defined");
    return *value;
  }
  const Value &operator[](const Key &key) const { return (*const_cast<OrderedDict *>(this))[key]; }
  Item &operator[](size_t index) { return items_.at(index); }
  const Item &operator[](size_t index) const { return items_.at(index); }

  template <class K, class V> Value &insert(K &&key, V &&value) {
    TORCH_CHECK(!contains(key), key_description_, " '", key, "' already defined");
    items_.emplace_back(std::forward<K>(key), std::forward<V>(value));
    return items_.back().value();
  }
  void update(const OrderedDict &other) {
    for (const Item &item : other)
      insert(item.key(), item.value());
  }
  void erase(const Key &key) {
    for (auto it = items_.begin(); it != items_.end(); ++it)
      if (it->key() == key) {
        items_.erase(it);
        return;
      }
    TORCH_CHECK(false, "Key '", key, "' doesn't exist");
  }
  void clear() { items_.clear(); }
  void reserve(size_t n) { items_.reserve(n); }
  std::vector<Key> keys() const {
    std::vector<Key> keys;
    for (const Item &item : items_)
      keys.push_back(item.key());
    return keys;
  }
  std::vector<Value> values() const {
    std::vector<Value> values;
    for (const Item &item : items_)
      values.push_back(item.value());
    return values;
  }
  std::vector<std::pair<Key, Value>> pairs() const {
    std::vector<std::pair<Key, Value>> pairs;
    for (const Item &item : items_)
      pairs.push_back(item.pair());
    return pairs;
  }

private:
  std::vector<Item> items_;
  std::string key_description_;
};

} // namespace torch
