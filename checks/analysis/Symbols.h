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
#include <utility>
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
  bool isPassing = false;               ///< of a number that is computed there: computed elsewhere, it has another name
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
  /// Whether tensors that are there were brought to the host by somebody who says so.
  SymbolId broughtToHost(SymbolId device) { return intern("brought " + std::to_string(device), Symbol::Plain); }
  /// How many elements a list has of which nobody knows.
  SymbolId sizeOf(ObjectId list) { return intern("size of " + std::to_string(list), Symbol::Plain); }
  void markOwners(SymbolId id) { symbols_[id].isOwners = true; }
  /// A test of two numbers or texts, of which one may be known: once the other is another one, the answer is open
  /// again.
  struct Test {
    bool isEqual = false; ///< else whether the first is less than the second
    SymbolId first = 0, second = 0;
    std::int64_t known = 0; ///< what the one is that has no symbol

    bool isAgainstKnown() const { return !first != !second; }
    /// The same, asked of another one.
    Test of(SymbolId other) const {
      Test same = *this;
      (first ? same.first : same.second) = other;
      return same;
    }
  };
  SymbolId test(Test test, SourceId source = 0) {
    auto key = [&](SymbolId of) { return of ? 's' + std::to_string(of) : '=' + std::to_string(test.known); };
    std::string left = key(test.first), right = key(test.second);
    if (test.isEqual && right < left) {
      std::swap(left, right);
      std::swap(test.first, test.second);
    }
    const SymbolId id = intern("test " + left + (test.isEqual ? "==" : "<") + right, Symbol::Plain, source);
    asked_.emplace(id, test);
    for (SymbolId of : {test.first, test.second})
      if (of)
        tests_[of].insert(id);
    return id;
  }
  /// Whether a list has nothing in it: the test of its size.
  SymbolId emptiness(ObjectId list) {
    Test isNone;
    isNone.isEqual = true;
    isNone.second = sizeOf(list);
    return test(isNone);
  }
  const Test &testOf(SymbolId id) const { return asked_.at(id); }
  bool isTest(SymbolId id) const { return asked_.count(id) != 0; }
  const std::set<SymbolId> &testsOf(SymbolId id) const {
    static const std::set<SymbolId> none;
    const auto found = tests_.find(id);
    return found == tests_.end() ? none : found->second;
  }
  /// Of two answers, one is so at least: what is left of two paths of which each has found one of them.
  struct Either {
    SymbolId first = 0, second = 0;
    bool firstTruth = false, secondTruth = false;
  };
  SymbolId either(Either pair) {
    if (pair.second < pair.first) {
      std::swap(pair.first, pair.second);
      std::swap(pair.firstTruth, pair.secondTruth);
    }
    const SymbolId id = intern("either " + std::to_string(pair.first) + (pair.firstTruth ? '+' : '-') +
                                   std::to_string(pair.second) + (pair.secondTruth ? '+' : '-'),
                               Symbol::Plain);
    eithers_.emplace(id, pair);
    eithersOf_[pair.first].insert(id);
    eithersOf_[pair.second].insert(id);
    return id;
  }
  const Either *eitherAt(SymbolId id) const {
    const auto found = eithers_.find(id);
    return found == eithers_.end() ? nullptr : &found->second;
  }
  const std::set<SymbolId> &eithersOf(SymbolId id) const {
    static const std::set<SymbolId> none;
    const auto found = eithersOf_.find(id);
    return found == eithersOf_.end() ? none : found->second;
  }
  /// What questions are about: places, and what has a symbol.
  using Subject = std::uint64_t;
  static constexpr Subject subject(SymbolId symbol) { return std::uint64_t{1} << 63 | symbol; }
  void noteAskedOf(Subject subject, SymbolId question) { questions_[subject].insert(question); }
  const std::set<SymbolId> &askedOf(Subject subject) const {
    static const std::set<SymbolId> none;
    const auto found = questions_.find(subject);
    return found == questions_.end() ? none : found->second;
  }
  /// All of `first` to `last` that something was asked of.
  std::vector<Subject> subjectsIn(Subject first, Subject last) const {
    std::vector<Subject> found;
    for (auto at = questions_.lower_bound(first); at != questions_.end() && at->first <= last; ++at)
      found.push_back(at->first);
    return found;
  }
  void markPassing(SymbolId id) { symbols_[id].isPassing = true; }
  const Symbol &operator[](SymbolId id) const { return symbols_[id]; }
  void nameOnce(SymbolId id, const std::string &name) {
    if (symbols_[id].name.empty())
      symbols_[id].name = name;
  }
  bool mayBeCuda(SymbolId id) const { return symbols_[id].kind == Symbol::Chosen; }

private:
  std::unordered_map<std::string, SymbolId> ids_;
  std::unordered_map<SymbolId, std::set<SymbolId>> tests_;
  std::unordered_map<SymbolId, Test> asked_;
  std::unordered_map<SymbolId, Either> eithers_;
  std::unordered_map<SymbolId, std::set<SymbolId>> eithersOf_;
  std::map<Subject, std::set<SymbolId>> questions_;
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
