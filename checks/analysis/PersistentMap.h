// An ordered map whose copies share structure. States are copied at every branch and joined at every merge;
// with a treap whose shape depends on its keys alone, copies are free and joins look only at what differs.
#pragma once

#include <cstdint>
#include <utility>

namespace samedevice::analysis {

template <typename Value> class PersistentMap {
public:
  using Key = std::uint64_t;

  PersistentMap() = default;
  PersistentMap(const PersistentMap &other) : root_(retain(other.root_)) {}
  PersistentMap(PersistentMap &&other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
  PersistentMap &operator=(PersistentMap other) noexcept {
    std::swap(root_, other.root_);
    return *this;
  }
  ~PersistentMap() { release(root_); }

  const Value *find(Key key) const {
    for (const Node *node = root_; node;) {
      if (key == node->key)
        return &node->value;
      node = key < node->key ? node->left : node->right;
    }
    return nullptr;
  }

  void set(Key key, const Value &value) {
    const Value *old = find(key);
    if (old && identical(*old, value))
      return;
    Node *updated = old ? replaced(root_, key, value) : inserted(root_, key, value);
    release(root_);
    root_ = updated;
  }

  void erase(Key key) {
    if (find(key))
      eraseRange(key, key);
  }

  /// Removes every key in [first, last].
  void eraseRange(Key first, Key last) {
    const Parts parts(root_, first);
    const Parts inner(last != ~Key{0} ? parts.rest : nullptr, last + 1);
    Node *joined = merged(parts.below, inner.rest);
    release(root_);
    root_ = joined;
  }

  /// Whether there is any key in [first, last].
  bool holdsAnyOf(Key first, Key last) const {
    for (const Node *node = root_; node; node = node->key < first ? node->right : node->left)
      if (first <= node->key && node->key <= last)
        return true;
    return false;
  }

  /// Calls visit(key, value) in key order for every key in [first, last].
  template <typename Visit> void forRange(Key first, Key last, Visit &&visit) const { walk(root_, first, last, visit); }

  /// Keeps the keys both maps have; where values differ, combine(key, a, b) says what stays (or that none does).
  template <typename Combine>
  static PersistentMap join(const PersistentMap &a, const PersistentMap &b, Combine &&combine) {
    PersistentMap result;
    result.root_ = joined(a.root_, b.root_, combine);
    return result;
  }

  /// Calls visit(key, a's value or null, b's value or null) wherever the two differ; stops when it returns false.
  template <typename Visit> static bool forDifferences(const PersistentMap &a, const PersistentMap &b, Visit &&visit) {
    return differ(a.root_, b.root_, visit);
  }

  bool sharesAllWith(const PersistentMap &other) const { return root_ == other.root_; }

private:
  struct Node {
    Key key;
    Value value;
    std::uint32_t references;
    Node *left;
    Node *right;

    Node(Key k, const Value &v, Node *l, Node *r) : key(k), value(v), references(1), left(l), right(r) {}
  };

  /// Heap priority: a hash of the key, so that equal key sets have equal shapes.
  static std::uint64_t priority(Key key) {
    key ^= key >> 33;
    key *= 0xff51afd7ed558ccdULL;
    key ^= key >> 33;
    key *= 0xc4ceb9fe1a85ec53ULL;
    return key ^ (key >> 33);
  }
  static bool above(Key a, Key b) {
    std::uint64_t pa = priority(a), pb = priority(b);
    return pa != pb ? pa > pb : a > b;
  }

  static Node *retain(Node *node) {
    if (node)
      ++node->references;
    return node;
  }
  static void release(Node *node) {
    while (node && --node->references == 0) {
      release(node->left);
      Node *right = node->right;
      delete node;
      node = right;
    }
  }
  /// Takes over the references to left and right.
  static Node *make(Key key, const Value &value, Node *left, Node *right) { return new Node(key, value, left, right); }

  static Node *replaced(Node *node, Key key, const Value &value) {
    if (key == node->key)
      return make(key, value, retain(node->left), retain(node->right));
    if (key < node->key)
      return make(node->key, node->value, replaced(node->left, key, value), retain(node->right));
    return make(node->key, node->value, retain(node->left), replaced(node->right, key, value));
  }

  static Node *inserted(Node *node, Key key, const Value &value) {
    if (!node || above(key, node->key)) {
      const Parts parts(node, key);
      return make(key, value, retain(parts.below), retain(parts.rest));
    }
    if (key < node->key)
      return make(node->key, node->value, inserted(node->left, key, value), retain(node->right));
    return make(node->key, node->value, retain(node->left), inserted(node->right, key, value));
  }

  /// The parts of a map below `key`, and from `key` on.
  struct Parts {
    Node *below = nullptr;
    Node *rest = nullptr;

    Parts(Node *whole, Key key) { split(whole, key); }
    Parts(const Parts &) = delete;
    Parts &operator=(const Parts &) = delete;
    ~Parts() {
      release(below);
      release(rest);
    }

    void split(Node *node, Key key) {
      if (!node)
        return;
      if (node->key < key) {
        split(node->right, key);
        below = make(node->key, node->value, retain(node->left), below);
      } else {
        split(node->left, key);
        rest = make(node->key, node->value, rest, retain(node->right));
      }
    }
  };

  /// All of a, then all of b (whose keys are greater).
  static Node *merged(Node *a, Node *b) {
    if (!a)
      return retain(b);
    if (!b)
      return retain(a);
    if (above(a->key, b->key))
      return make(a->key, a->value, retain(a->left), merged(a->right, b));
    return make(b->key, b->value, merged(a, b->left), retain(b->right));
  }

  template <typename Visit> static void walk(const Node *node, Key first, Key last, Visit &visit) {
    if (!node)
      return;
    if (first < node->key)
      walk(node->left, first, last, visit);
    if (first <= node->key && node->key <= last)
      visit(node->key, node->value);
    if (node->key < last)
      walk(node->right, first, last, visit);
  }

  template <typename Combine> static Node *joined(Node *a, Node *b, Combine &combine) {
    if (a == b)
      return retain(a);
    if (!a || !b)
      return nullptr;
    if (a->key != b->key) {
      // The root of one is missing in the other: it goes; look on below it.
      bool takeA = above(a->key, b->key);
      Node *top = takeA ? a : b;
      Node *other = takeA ? b : a;
      const Parts parts(other, top->key);
      Node *left = takeA ? joined(top->left, parts.below, combine) : joined(parts.below, top->left, combine);
      Node *right = takeA ? joined(top->right, parts.rest, combine) : joined(parts.rest, top->right, combine);
      Node *result = merged(left, right);
      release(left);
      release(right);
      return result;
    }
    Node *left = joined(a->left, b->left, combine);
    Node *right = joined(a->right, b->right, combine);
    Value value = a->value;
    if (identical(a->value, b->value) || combine(a->key, a->value, b->value, value)) {
      if (left == a->left && right == a->right && identical(value, a->value)) {
        release(left);
        release(right);
        return retain(a);
      }
      return make(a->key, value, left, right);
    }
    Node *result = merged(left, right);
    release(left);
    release(right);
    return result;
  }

  template <typename Visit> static bool differ(Node *a, Node *b, Visit &visit) {
    if (a == b)
      return true;
    if (!a)
      return differ(nullptr, b->left, visit) && visit(b->key, nullptr, &b->value) && differ(nullptr, b->right, visit);
    if (!b)
      return differ(a->left, nullptr, visit) && visit(a->key, &a->value, nullptr) && differ(a->right, nullptr, visit);
    if (a->key == b->key)
      return differ(a->left, b->left, visit) &&
             (identical(a->value, b->value) || visit(a->key, &a->value, &b->value)) &&
             differ(a->right, b->right, visit);
    bool takeA = above(a->key, b->key);
    Node *top = takeA ? a : b;
    const Parts parts(takeA ? b : a, top->key);
    return takeA ? differ(top->left, parts.below, visit) && visit(top->key, &top->value, nullptr) &&
                       differ(top->right, parts.rest, visit)
                 : differ(parts.below, top->left, visit) && visit(top->key, nullptr, &top->value) &&
                       differ(parts.rest, top->right, visit);
  }

  Node *root_ = nullptr;
};

} // namespace samedevice::analysis
