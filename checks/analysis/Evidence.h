// What executions show, for those that come after them: what speaks for and against a finding is noted while functions
// run, wherever it comes up, and asked when all have run, so that the order in which they run decides nothing.
#pragma once

#include "Code.h"
#include "Value.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace samedevice::analysis {

/// Noted while functions run; only the report may ask, when all of them have.
template <typename Key> class Later {
public:
  void note(const Key &key) { noted_.insert(key); }

private:
  friend class Report;
  bool has(const Key &key) const { return noted_.count(key) != 0; }

  std::set<Key> noted_;
};

/// Noted, and asked in the same execution: it follows from what the values themselves have been through.
template <typename Key> class Noted {
public:
  void note(const Key &key) { noted_.insert(key); }
  bool has(const Key &key) const { return noted_.count(key) != 0; }

private:
  std::set<Key> noted_;
};

/// A call that handed out a copy, moved to `device`, which nobody took; `original`: the argument, as written.
struct DroppedCopy {
  const facts::Instruction *call = nullptr;
  SourceId original = 0;
  DeviceValue device;
  bool isOfParameter = false; ///< what the call was given was a copy already, and is gone with the call
};

/// A call, and the function in which it stands.
struct CallSite {
  FunctionId caller = 0;
  SourceId site = 0;
};
using Route = std::vector<CallSite>;

class Evidence {
public:
  // Beginnings of values...
  Later<SourceId> silenced; ///< ...that were moved in vain: told there
  Later<SourceId> told;     ///< ...whose mistake is told there
  Later<SourceId> pinned;   ///< ...that were frozen to one GPU, and are told there
  /// Makings of tensors that some branch moves to a device it names itself.
  Later<SourceId> chosenByFlag;
  /// Calls of modules that were told to be where they were made.
  Later<SourceId> unmovedUsed;
  // Tensors of callers, by their devices...
  Later<SymbolId>
      hostOnly; ///< ...on the CPU by construction: some path reads them on the host, or sends them to a device
  Later<SymbolId> memoryTaken; ///< ...whose memory, or they themselves, are given to somebody
  Later<SymbolId> neverOnHost; ///< ...that a kernel gets, or that a check wants on a GPU
  /// GPUs that were picked, by their numbers: somebody was told, who may have made them current.
  Noted<SymbolId> announced;
  /// Devices between which something was moved or copied: they may differ. 0: the CPU, from where something of the
  /// program's own was moved.
  Later<std::pair<SymbolId, SymbolId>> apart;

  /// Makings of tensors that the host then filled: right as they are. Asked earlier, too, by a kernel that gets one:
  /// the same execution has filled it by then.
  Noted<const Event *> filledOnHost;
  /// Takings of pointers that the host went through; asked by a kernel that gets one of these later on.
  Noted<const Event *> goneThrough;
  /// Makings of tensors whose elements are written there: where they are made, before anybody uses them.
  Noted<const Event *> spelledOut;
  /// How tensors came to be that optimizers took one by one: noted by the optimizer whose step asks.
  Noted<const Event *> learnt;
  /// Operations on several tensors that were each made on the CPU by default: part of the story of who asks.
  Noted<const Event *> joint;
  /// Keys that nobody could read, as elements are found by them: asked when one of them is computed again.
  Noted<std::uint32_t> unreadKeys;
  /// Lists of which a device said which element is meant, or may have, for all that is known of the key: asked when the
  /// function that did so is run for later callers.
  Noted<ObjectId> byDevice;

  /// Where the host read tensors of callers; asked by a kernel that gets one later in the same execution.
  void noteRead(SymbolId tensor, const Event *read) { readOnHost_[tensor] = read; }
  const Event *readOnHost(SymbolId tensor) const {
    const auto read = readOnHost_.find(tensor);
    return read == readOnHost_.end() ? nullptr : read->second;
  }

  /// Where an argument was in a call, for fixes in functions that have ended: known if it was in one place each time,
  /// where there is a GPU, or is none, or nobody asks (`gpu`: 1, 0, -1).
  void noteGiven(FunctionId function, Slot parameter, int gpu, DeviceValue where) {
    const auto [known, isNew] = given_.try_emplace({function, parameter, gpu}, where);
    if (isNew || known->second == where)
      return;
    if (known->second.kind != DeviceValue::Unknown && where.kind != DeviceValue::Unknown)
      givenSeveral_.insert({function, gpu});
    known->second = {};
  }
  /// Whether a function was given something on one device in one call, and on another one in another.
  bool isGivenSeveral(FunctionId function, int gpu) const { return givenSeveral_.count({function, gpu}) != 0; }
  DeviceValue given(FunctionId function, Slot parameter, int gpu) const {
    const auto known = given_.find({function, parameter, gpu});
    return known == given_.end() ? DeviceValue{} : known->second;
  }

  /// How the device came to be that a tensor was moved to, by that move: asked by who meets the tensor later on.
  void noteSentTo(const Event *move, const Event *device) { sentTo_[move] = device; }
  const Event *sentTo(const Event *move) const {
    const auto known = sentTo_.find(move);
    return known == sentTo_.end() ? nullptr : known->second;
  }

  /// Copies that nobody took, by the story of their original: with a GPU and without one, they went elsewhere. Asked by
  /// who uses the original later in the same execution.
  void noteDropped(const Event *original, const DroppedCopy &copy) {
    std::vector<DroppedCopy> &copies = dropped_[original];
    std::erase_if(copies, [&](const DroppedCopy &other) { return other.device == copy.device; });
    copies.push_back(copy);
  }
  const std::vector<DroppedCopy> &dropped(const Event *original) const {
    static const std::vector<DroppedCopy> kNone;
    const auto known = dropped_.find(original);
    return known == dropped_.end() ? kNone : known->second;
  }

  /// Where the tensor was whose place another one took, by the making of that one: part of its story.
  void noteDisplaced(const Event *made, DeviceValue was) { displaced_[made] = was; }
  std::optional<DeviceValue> displaced(const Event *made) const {
    const auto known = displaced_.find(made);
    return known == displaced_.end() ? std::nullopt : std::optional(known->second);
  }

  /// How one came to where a child was put into its parent: too late, or, for what stands there, in time (or moved
  /// after it). By then the same execution has noted the former.
  void notePlaced(ObjectId child, Route route) { placed_[child] = std::move(route); }
  const Route *routeOf(ObjectId child) const {
    const auto known = placed_.find(child);
    return known == placed_.end() ? nullptr : &known->second;
  }
  void notePlacedInTime(SourceId at, Route route) { placedInTime_[at].push_back(std::move(route)); }

  /// Where a map was asked for what it has under a key.
  void noteLookup(ObjectId map, SourceId at) { lookups_.insert({map, at}); }
  SourceId lookupIn(ObjectId map) const {
    const auto first = lookups_.find(map);
    return first == lookups_.end() ? 0 : first->second;
  }

  /// Some guard is installed in a function, for whatever device.
  void noteGuard(FunctionId function, SourceId at) { guards_[function].insert(at); }
  /// Some function makes a device current, without a guard.
  void noteChoice() { choosesDevice_ = true; }
  /// A function was called under a guard that its caller holds.
  void noteGuardedCall(FunctionId function, SourceId site) { guardedCalls_[function].insert(site); }
  /// A function that others call launched under a guard: its own, or one of theirs.
  void noteGuardedLaunch(bool isItsOwn) { (isItsOwn ? guardsItself_ : leavesGuardsToCallers_) = true; }
  /// A call that was given a tensor which had been brought to the host for it.
  void noteBroughtToHost(FunctionId function, SourceId site) { broughtToHost_[function].insert(site); }
  /// A function moved a tensor that it was given.
  void noteBringsInput(FunctionId function, DeviceValue where) { bringsInputs_.insert({function, where}); }
  bool bringsInputs(FunctionId function, DeviceValue where) const {
    return bringsInputs_.count({function, where}) != 0;
  }
  /// How a call went.
  void noteCall(FunctionId function, SourceId site, bool failed) {
    Calls &calls = calls_[function][site];
    (failed ? calls.failed : calls.went) = true;
  }

private:
  friend class Report; // which asks when all have run

  struct Calls {
    bool went = false, failed = false;
  };

  std::unordered_map<ObjectId, SourceId> lookups_;
  std::unordered_map<ObjectId, Route> placed_;
  std::unordered_map<SourceId, std::vector<Route>> placedInTime_;
  std::unordered_map<FunctionId, std::map<SourceId, Calls>> calls_; ///< by their places
  std::unordered_map<FunctionId, std::set<SourceId>> guards_;
  std::unordered_map<FunctionId, std::set<SourceId>> guardedCalls_, broughtToHost_; ///< by their places
  bool choosesDevice_ = false, guardsItself_ = false, leavesGuardsToCallers_ = false;
  std::unordered_map<SymbolId, const Event *> readOnHost_;
  std::unordered_map<const Event *, const Event *> sentTo_;
  std::unordered_map<const Event *, std::vector<DroppedCopy>> dropped_;
  std::unordered_map<const Event *, DeviceValue> displaced_;
  std::set<std::pair<FunctionId, DeviceValue>> bringsInputs_;
  std::map<std::tuple<FunctionId, Slot, int>, DeviceValue> given_;
  std::set<std::pair<FunctionId, int>> givenSeveral_;
};

} // namespace samedevice::analysis
