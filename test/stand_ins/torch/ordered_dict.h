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
    Item(Key key, Value value);
    const Key &key() const noexcept;
    Value &value() noexcept;
    const Value &value() const noexcept;
    Value &operator*();
    const Value &operator*() const;
    Value *operator->();
    const Value *operator->() const;
    const std::pair<Key, Value> &pair() const;

  private:
    std::pair<Key, Value> pair_;
    template <size_t I> friend auto &get(Item &item) { return std::get<I>(item.pair_); }
    template <size_t I> friend const auto &get(const Item &item) { return std::get<I>(item.pair_); }
  };
  using Iterator = typename std::vector<Item>::iterator;
  using ConstIterator = typename std::vector<Item>::const_iterator;

  explicit OrderedDict(std::string key_description = "Key");
  OrderedDict(std::initializer_list<Item> items);

  Iterator begin();
  ConstIterator begin() const;
  Iterator end();
  ConstIterator end() const;
  size_t size() const noexcept;
  bool is_empty() const noexcept;
  Item &front();
  const Item &front() const;
  Item &back();
  const Item &back() const;
  const std::vector<Item> &items() const noexcept;
  const std::string &key_description() const noexcept;

  Value *find(const Key &key) noexcept;
  const Value *find(const Key &key) const noexcept;
  bool contains(const Key &key) const noexcept;
  Value &operator[](const Key &key);
  const Value &operator[](const Key &key) const;
  Item &operator[](size_t index);
  const Item &operator[](size_t index) const;

  template <class K, class V> Value &insert(K &&key, V &&value);
  void update(const OrderedDict &other);
  void erase(const Key &key);
  void clear();
  void reserve(size_t n);
  std::vector<Key> keys() const;
  std::vector<Value> values() const;
  std::vector<std::pair<Key, Value>> pairs() const;

private:
  std::vector<Item> items_;
  std::string key_description_;
};

} // namespace torch
