// An ordered map whose copies share structure. States are copied at every branch and joined at every merge;
// with a treap whose shape depends on its keys alone, copies are free and joins look only at what differs.
//
// Each node knows two things of all that is below it: a number that stands for what it means (`meaningOf` of its
// values), so that what was made twice, in the same way, is told to be the same without being looked at; and a set of
// bits for what its values mention (`mentionsOf`), so that what mentions something is found without a walk.
#pragma once

#include <cstdint>
#include <optional>
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

  /// Calls visit(key, value) in key order for every value that may mention what has these bits.
  template <typename Visit> void forMentions(std::uint64_t bits, Visit &&visit) const {
    walkMentions(root_, bits, visit);
  }

  /// Whether both have the same keys, with values of the same meaning.
  bool means(const PersistentMap &other) const { return areAlike(root_, other.root_); }

  /// Keeps the keys both maps have; where values differ in meaning, combine(key, a, b) says what stays (or that none
  /// does).
  template <typename Combine>
  static PersistentMap join(const PersistentMap &a, const PersistentMap &b, Combine &&combine) {
    PersistentMap result;
    result.root_ = joined(a.root_, b.root_, combine);
    return result;
  }

  /// Calls visit(key, a's value or null, b's value or null) wherever the two differ in meaning; stops when it returns
  /// false.
  template <typename Visit> static bool forDifferences(const PersistentMap &a, const PersistentMap &b, Visit &&visit) {
    return differ(a.root_, b.root_, Range{}, visit);
  }

private:
  struct Node {
    Key key;
    Value value;
    Node *left;
    Node *right;
    std::uint64_t own;      ///< for the key and what the value means
    std::uint64_t meaning;  ///< for that and all below
    std::uint64_t mentions; ///< by the value and all below
    std::uint32_t references = 1;

    Node(Key k, const Value &v, std::uint64_t o, Node *l, Node *r)
        : key(k), value(v), left(l), right(r), own(o),
          meaning(scrambled(own ^ scrambled(meaningBelow(l) + 1) ^ scrambled(meaningBelow(r) + 2))),
          mentions(mentionsOf(v) | (l ? l->mentions : 0) | (r ? r->mentions : 0)) {}

    static std::uint64_t meaningBelow(const Node *node) { return node ? node->meaning : 0; }
  };

  static std::uint64_t scrambled(std::uint64_t bits) {
    bits ^= bits >> 33;
    bits *= 0xff51afd7ed558ccdULL;
    bits ^= bits >> 33;
    bits *= 0xc4ceb9fe1a85ec53ULL;
    return bits ^ (bits >> 33);
  }
  /// Heap priority: a hash of the key, so that equal key sets have equal shapes.
  static std::uint64_t priority(Key key) { return scrambled(key); }
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
  static Node *make(Key key, const Value &value, Node *left, Node *right) {
    return new Node(key, value, scrambled(key) ^ meaningOf(value), left, right);
  }
  /// The same, with other nodes below it.
  static Node *moved(const Node *node, Node *left, Node *right) {
    return new Node(node->key, node->value, node->own, left, right);
  }
  static bool areAlike(const Node *a, const Node *b) { return a == b || (a && b && a->meaning == b->meaning); }

  static Node *replaced(Node *node, Key key, const Value &value) {
    if (key == node->key)
      return make(key, value, retain(node->left), retain(node->right));
    if (key < node->key)
      return moved(node, replaced(node->left, key, value), retain(node->right));
    return moved(node, retain(node->left), replaced(node->right, key, value));
  }

  static Node *inserted(Node *node, Key key, const Value &value) {
    if (!node || above(key, node->key)) {
      const Parts parts(node, key);
      return make(key, value, retain(parts.below), retain(parts.rest));
    }
    if (key < node->key)
      return moved(node, inserted(node->left, key, value), retain(node->right));
    return moved(node, retain(node->left), inserted(node->right, key, value));
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
        below = moved(node, retain(node->left), below);
      } else {
        split(node->left, key);
        rest = moved(node, rest, retain(node->right));
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
      return moved(a, retain(a->left), merged(a->right, b));
    return moved(b, merged(a, b->left), retain(b->right));
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

  template <typename Visit> static void walkMentions(const Node *node, std::uint64_t bits, Visit &visit) {
    if (!node || !(node->mentions & bits))
      return;
    walkMentions(node->left, bits, visit);
    if (mentionsOf(node->value) & bits)
      visit(node->key, node->value);
    walkMentions(node->right, bits, visit);
  }

  template <typename Combine> static Node *joined(Node *a, Node *b, Combine &combine) {
    if (areAlike(a, b))
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
    if (a->own == b->own || combine(a->key, a->value, b->value, value)) {
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

  /// What there is of a map between two keys, both left out.
  struct Range {
    std::optional<Key> above, below;

    const Node *topOf(const Node *node) const {
      while (node)
        if (above && node->key <= *above)
          node = node->right;
        else if (below && node->key >= *below)
          node = node->left;
        else
          break;
      return node;
    }
  };

  /// Of two whole maps, as far as they lie in the range: nothing is cut, or made.
  template <typename Visit> static bool differ(const Node *a, const Node *b, const Range &range, Visit &visit) {
    if (areAlike(a, b))
      return true;
    a = range.topOf(a);
    b = range.topOf(b);
    if (areAlike(a, b))
      return true;
    const Node *top = !b || (a && (a->key == b->key || above(a->key, b->key))) ? a : b;
    const Node *x = a && a->key == top->key ? a : nullptr, *y = b && b->key == top->key ? b : nullptr;
    return differ(x ? x->left : a, y ? y->left : b, {range.above, top->key}, visit) &&
           ((x && y && x->own == y->own) || visit(top->key, x ? &x->value : nullptr, y ? &y->value : nullptr)) &&
           differ(x ? x->right : a, y ? y->right : b, {top->key, range.below}, visit);
  }

  Node *root_ = nullptr;
};

} // namespace samedevice::analysis
