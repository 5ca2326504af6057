// Names for what is unknown but fixed: "the device of x", "the value of use_cuda". Interned, so that two uses of
// one symbol are equal; also interns field names, frames and objects, and events.
#pragma once

#include "../facts/Names.h"
#include "Limits.h"
#include "Value.h"

#include <deque>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace samedevice::analysis {

struct Symbol {
  enum Kind : std::uint8_t {
    Chosen,     ///< a Device, options or string that someone picks: it may be CUDA
    FromCaller, ///< the device of a tensor or module that the caller brings
    Index,      ///< the index of a CUDA device that someone picks
    Recorded,   ///< whatever device a file was saved from
    Plain,      ///< a bool, an int, a string; or a device nothing is known of
  };
  Kind kind = Plain;
  SourceId source = 0;                  ///< the parameter, member or expression it stands for
  std::string name;                     ///< what the user calls it
  bool isJoined = false;                ///< one path's device or the other's, where two paths meet
  facts::Mode part = facts::Mode::None; ///< of a longer condition: what it says of that
  bool isOwners = false;                ///< where the owner of a class's objects moved them: `name` is the class
};

class Symbols {
public:
  /// Whether this machine has CUDA.
  static constexpr SymbolId kAvailable = 1;
  /// Whether PyTorch's current stream is CUDA's default one, and whether it has done its work.
  static constexpr SymbolId kDefaultIsCurrent = 2, kSettled = 3;

  Symbols() : symbols_(4) {}

  /// The symbol for `key`; made on first use.
  SymbolId intern(const std::string &key, Symbol::Kind kind, SourceId source = 0, const std::string &name = {}) {
    auto [it, added] = ids_.emplace(key, static_cast<SymbolId>(symbols_.size()));
    if (added)
      symbols_.push_back({.kind = kind, .source = source, .name = name});
    return it->second;
  }
  SymbolId joined(const std::string &key, Symbol::Kind kind) {
    SymbolId id = intern("joined " + std::to_string(kind) + ' ' + key, kind);
    symbols_[id].isJoined = true;
    return id;
  }
  /// A condition of which a part says this.
  SymbolId partOf(SourceId whole, facts::Mode part) {
    const SymbolId id =
        intern("part of " + std::to_string(whole) + ' ' + std::string(facts::name(part)), Symbol::Plain, whole);
    symbols_[id].part = part;
    return id;
  }
  /// How many elements a list has of which nobody knows.
  SymbolId sizeOf(ObjectId list) { return intern("size of " + std::to_string(list), Symbol::Plain); }
  /// Whether it has none: the test of that size.
  SymbolId emptiness(ObjectId list) {
    return intern(testOf(side(std::int64_t{0}), facts::Mode::Equal, side(sizeOf(list))), Symbol::Plain);
  }
  void markOwners(SymbolId id) { symbols_[id].isOwners = true; }
  /// A side of a test: what stands for a number or a text.
  static std::string side(std::int64_t known) { return "=" + std::to_string(known); }
  static std::string side(SymbolId unknown) { return "s" + std::to_string(unknown); }
  /// A test of a number or a text: once that is another one, the answer is open again.
  SymbolId test(const std::string &left, facts::Mode how, const std::string &right, SourceId source,
                std::initializer_list<SymbolId> tested) {
    const SymbolId id = intern(testOf(left, how, right), Symbol::Plain, source);
    for (SymbolId of : tested)
      if (of)
        tests_[of].insert(id);
    return id;
  }
  const std::set<SymbolId> &testsOf(SymbolId id) const {
    static const std::set<SymbolId> none;
    const auto found = tests_.find(id);
    return found == tests_.end() ? none : found->second;
  }
  const Symbol &operator[](SymbolId id) const { return symbols_[id]; }
  void nameOnce(SymbolId id, const std::string &name) {
    if (symbols_[id].name.empty())
      symbols_[id].name = name;
  }
  bool mayBeCuda(SymbolId id) const { return symbols_[id].kind == Symbol::Chosen; }

private:
  static std::string testOf(const std::string &left, facts::Mode how, const std::string &right) {
    return "test " + left + std::string(facts::name(how)) + right;
  }

  std::unordered_map<std::string, SymbolId> ids_;
  std::unordered_map<SymbolId, std::set<SymbolId>> tests_;
  std::deque<Symbol> symbols_;
};

class Names {
public:
  std::uint32_t id(std::string_view text) {
    auto it = ids_.find(std::string(text));
    if (it != ids_.end())
      return it->second;
    texts_.emplace_back(text);
    ids_.emplace(texts_.back(), static_cast<std::uint32_t>(texts_.size() - 1));
    return static_cast<std::uint32_t>(texts_.size() - 1);
  }
  /// What it is called by, if it ever was; else nothing is.
  std::uint32_t known(const std::string &text) const {
    auto found = ids_.find(text);
    return found == ids_.end() ? 0x0fffffffu : found->second;
  }
  const std::string &text(std::uint32_t id) const { return texts_[id]; }

private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::deque<std::string> texts_;
};

class Events {
public:
  const Event *intern(Event event) {
    Key key{event.kind,          event.at,       event.subject, event.target, event.device.kind, event.device.index,
            event.device.symbol, event.previous, event.function};
    auto it = known_.find(key);
    if (it != known_.end())
      return it->second;
    event.order = static_cast<std::uint32_t>(events_.size());
    events_.push_back(event);
    return known_[key] = &events_.back();
  }
  /// Up to Limits::story, at which stories are cut.
  static int length(const Event *event) {
    int count = 0;
    for (; event && count < Limits::story; event = event->previous)
      ++count;
    return count;
  }

private:
  using Key = std::tuple<int, SourceId, SourceId, SourceId, int, int, SymbolId, const Event *, std::uint32_t>;
  std::map<Key, const Event *> known_;
  std::deque<Event> events_;
};

} // namespace samedevice::analysis
