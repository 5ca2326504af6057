// The abstract machine's memory at one program point: places with values, and what branches have proved.
#pragma once

#include "ElementKey.h"
#include "PersistentMap.h"
#include "Universe.h"
#include "Value.h"

#include <optional>
#include <set>
#include <vector>

namespace samedevice::analysis {

using Place = std::uint64_t;

/// The parts of an object. A frame's slots are its Fields.
enum class Part : std::uint32_t { Field = 0, Child = 1, Tensor = 2, Element = 3, Meta = 4 };

/// What is kept of an object besides its members.
enum class Meta : std::uint32_t {
  Class,      ///< Int: the class id; String: the name of one of torch's own. Its trail: where it was made
  Device,     ///< Tensor: where a leaf module's parameters, or a registered tensor, live
  Moved,      ///< Device: where to() last sent the module, and when. Optimizer: Tensor, where its state is
  Placed,     ///< Reference to the parent that had been moved before this one was put in
  Stored,     ///< Null with a trail: where it was last put into a member or list
  Symbolic,   ///< Int: not built in sight: members are made up when asked for. With an index: made elsewhere here
  Dynamic,    ///< Int: the derived class that it was taken to be of at a virtual call
  Shape,      ///< list: Int, a ListShape
  Over,       ///< list of parameters or optimizer: Reference to the list they were taken from. Children of an
              ///< optimizer are the lists it took, theirs the parameters
  Listed,     ///< parameter: Reference to the last list that took it. List of parameters: to the module
  Successor,  ///< Reference to the module that was put in the place of this one
  Former,     ///< the child that was unregistered last, with the index of its name
  PageLocked, ///< list: its memory was registered with the CUDA runtime
  Last,       ///< list: Int, the index of what was added last
  Frozen,     ///< script: Null with a trail: its weights were made constants there
  Taken,      ///< list: elements were removed, so that positions are not known any more
  Copied,     ///< parameter: Reference to what it is a copy of; of that: Int. `number`: 1 since it was computed with
  Room,       ///< list: Int, how many default elements are reserved, each made on first access; 0: an unknown number
  Saved,      ///< of object 0: Tensor, where modules and tensors were when they were saved
};

constexpr Place place(ObjectId object, Part part, std::uint32_t index) {
  return std::uint64_t{object} << 32 | std::uint64_t{static_cast<std::uint32_t>(part)} << 28 | index;
}
constexpr std::uint32_t kLastIndex = 0x0fffffffu;
constexpr Place field(ObjectId object, std::uint32_t index) { return place(object, Part::Field, index); }
constexpr Place meta(ObjectId object, Meta what) { return place(object, Part::Meta, static_cast<std::uint32_t>(what)); }
constexpr std::uint32_t indexOf(Place p) { return static_cast<std::uint32_t>(p) & kLastIndex; }
/// Stands for all of an object, where a question is about that.
constexpr Place whole(ObjectId object) { return place(object, Part::Field, kLastIndex); }
constexpr ObjectId objectOf(Place p) { return static_cast<ObjectId>(p >> 32); }
constexpr Part partOf(Place p) { return static_cast<Part>(static_cast<std::uint32_t>(p) >> 28); }

inline Value referenceTo(Place p) {
  Value value;
  value.kind = Value::Reference;
  value.object = objectOf(p);
  value.index = static_cast<std::uint32_t>(p);
  return value;
}
inline Place placeIn(const Value &reference) { return std::uint64_t{reference.object} << 32 | reference.index; }

/// What is known of a list's elements.
enum class ListShape : std::int64_t {
  Exact,     ///< these, in this order
  Unordered, ///< these, in no order, any number of each
  Open,      ///< these, and maybe anything else
};
constexpr Place shapeAt(ObjectId list) { return meta(list, Meta::Shape); }

/// Where two paths meet: before a block of an activation, or where a function is left.
using Meeting = std::uint64_t;
constexpr Meeting kNoMeeting = 0; ///< it is not paths that are joined, but two objects or elements
/// One for all functions: what two exits leave in the same way, CPU here and CUDA there, most often has one reason,
/// such as whether there is CUDA. With a name for each function's exits, true mistakes were lost.
constexpr Meeting kAtExit = ~Meeting{0};
constexpr Meeting before(ObjectId frame, std::uint32_t block) { return std::uint64_t{frame} << 32 | block; }

class State {
public:
  explicit State(Universe &universe) : universe_(&universe) {}

  /// The identities that this state speaks of: the same for all states of an analysis.
  Universe &universe() const { return *universe_; }
  const ProgramIndex &program() const { return universe_->program; }

  bool infeasible = false; ///< what was assumed cannot be: nobody comes here

  const Value *find(Place p) const { return places_.find(p); }
  Value get(Place p) const {
    const Value *value = places_.find(p);
    return value ? *value : Value{};
  }
  void set(Place p, const Value &value) { places_.set(p, value); }
  void erase(Place p) { places_.erase(p); }
  void eraseAll(ObjectId object) { places_.eraseRange(field(object, 0), field(object + 1, 0) - 1); }
  void eraseAll(ObjectId object, Part part) {
    places_.eraseRange(place(object, part, 0), place(object, part, kLastIndex));
  }
  bool exists(ObjectId object) const;

  /// Nothing: not a list, or one of which nothing is known. That comes before all shapes.
  std::optional<ListShape> shapeOf(ObjectId list) const {
    const Value *shape = places_.find(shapeAt(list));
    return shape && shape->kind == Value::Int ? std::optional(static_cast<ListShape>(shape->number)) : std::nullopt;
  }
  /// Whether each element of a list is known, and how many there are.
  bool isWritten(ObjectId list) const { return shapeOf(list) == ListShape::Exact && !find(meta(list, Meta::Room)); }
  void setShape(ObjectId list, ListShape shape) {
    places_.set(shapeAt(list), Value::constant(Value::Int, static_cast<std::int64_t>(shape)));
  }

  template <typename Visit> void forPart(ObjectId object, Part part, Visit &&visit) const {
    places_.forRange(place(object, part, 0), place(object, part, kLastIndex),
                     [&](Place p, const Value &value) { visit(indexOf(p), value); });
  }
  /// Every place of every object; object 0 holds the facts.
  template <typename Visit> void forAll(Visit &&visit) const { places_.forRange(Place{1} << 32, ~Place{0}, visit); }
  /// One note about every object that has it.
  template <typename Visit> void forMeta(Meta what, Visit &&visit) const {
    forAll([&](Place p, const Value &value) {
      if (partOf(p) == Part::Meta && indexOf(p) == static_cast<std::uint32_t>(what))
        visit(objectOf(p), value);
    });
  }

  // Facts: what is known of symbols on this path.
  void assume(SymbolId symbol, bool truth);
  void assumeCuda(SymbolId symbol, bool truth);
  void equate(DeviceValue a, DeviceValue b);
  /// What is known of the symbol was learnt where a part of the condition `whole` was found to be `truth`...
  void learntFromPart(SymbolId symbol, SourceId whole, bool truth);
  /// ...and is not known any more, for the whole turned out otherwise, and any of its parts may be why.
  void forgetParts(SourceId whole, bool truth);
  /// What is known now of devices and was not `before`: a function learnt it on its way to an answer.
  void justLearnt(const State &before);
  std::vector<SymbolId> allJustLearnt() const;
  /// The tensors that were made there turn out to be where another one is.
  void follow(const Event *made, DeviceValue other);
  /// A symbol gets a new meaning: what was known of the old one is void.
  void forget(SymbolId symbol) {
    forgetAnswer(symbol);
    for (SymbolId asked : universe().symbols.askedOf(Symbols::subject(symbol)))
      forgetAnswer(asked);
  }
  /// What was asked of the number or text that has this name is open.
  void forgetTestsOf(SymbolId symbol) {
    for (SymbolId test : universe().symbols.testsOf(symbol))
      forget(test);
  }
  /// Something writes to what a question was about, or to anything of an object: it is open again. `by`: what writes.
  void reopen(Place at, SourceId by);
  void reopenAll(ObjectId object, SourceId by);
  /// -1 unknown, else 0 or 1.
  int truth(SymbolId symbol) const;
  bool lacksGpu() const { return truth(Symbols::kAvailable) == 0; }
  /// What a number or a text was found to be, or is, as far as is known: 1, 0, else -1.
  int answered(const Value &value, const Symbols::Test &test) const;
  /// What follows for a test from what is known of the same number or text: 1, 0, else -1.
  int deduced(const Symbols::Test &test) const;
  DeviceValue resolve(DeviceValue device) const;

  DeviceValue currentDevice() const;
  /// `frozen`: where it was written down, if it was.
  void setCurrentDevice(DeviceValue device, const Event *frozen = nullptr);
  const Event *currentIsFrozen() const { return get(meta(0, Meta::Device)).trail; }

  /// An asynchronous copy from (or to) a device is under way.
  void addPending(ObjectId copy, DeviceValue device) {
    Value value;
    value.kind = Value::Device;
    value.device = device;
    places_.set(place(0, Part::Element, copy), value);
  }
  bool isPending(ObjectId copy) const {
    const Value *started = copy ? places_.find(place(0, Part::Element, copy)) : nullptr;
    return started && resolve(started->device).kind != DeviceValue::Cpu; // where there is no GPU, nothing is copied
  }
  /// No copy is known to be under way.
  bool isIdle() const;
  /// A copy is made again: what it was in before waits for, or was waited for with, the summary.
  void renameCopy(ObjectId from, ObjectId to);
  /// The host waits for a device; for all, or for one that is not known, when it has no index.
  void synchronize(DeviceValue device);

  /// Objects that nobody can reach any more from these go, but for those that were put in late (Meta::Placed): whether
  /// they are left behind is asked in the end.
  void forgetUnreachable(std::vector<ObjectId> from);

  /// Two names for one object now and an older one: all references to `from` become `to`, contents are joined.
  void renameObject(ObjectId from, ObjectId to, Symbols &symbols);

  static State join(const State &a, const State &b, Symbols &symbols, Meeting where);
  /// Whether they say the same. An object that only one of them has made, and that nothing else refers to, is as good
  /// as gone.
  static bool same(const State &a, const State &b);
  /// How much is lost when the two are joined; 0: only facts and scalars nobody can see differ. Scalars alone, however
  /// many, are not worth a state of its own. `looked` grows by the places that had to be compared.
  static constexpr int kWorthAState = 4;
  static constexpr int kWorthAnObject = 32; ///< less is only numbers and answers
  static constexpr int kContrary = 1 << 14; ///< more than all that two paths on one machine have made apart
  static int distance(const State &a, const State &b, int stopAt, long &looked);

  /// These, and what is registered in them.
  std::set<ObjectId> modulesBelow(std::vector<ObjectId> ahead) const;
  void forgetWhereTheyAre(const std::set<ObjectId> &modules);

private:
  void reopen(const std::set<SymbolId> &questions, SourceId by);
  void forgetAnswer(SymbolId symbol) {
    places_.erase(field(0, symbol));
    for (SymbolId pair : universe().symbols.eithersOf(symbol))
      places_.erase(field(0, pair));
  }
  void forgetGoneThrough(ObjectId list);
  std::set<ObjectId> modulesIn(ObjectId list) const;

  Universe *universe_;
  PersistentMap<Value> places_;
};

// Children go by the ids of their names; a second one under the same name, on another path, beside the first.
constexpr std::uint32_t kAlternative = 1u << 26;
constexpr Place alternativeTo(Place child) { return child | kAlternative; }
constexpr std::uint32_t nameOfChild(std::uint32_t index) { return index & ~kAlternative; }

/// What is known when a value may be either; nothing where that would be "both".
bool joinValues(Place p, const Value &a, const Value &b, Value &out, Symbols &symbols, Meeting where = kNoMeeting);

} // namespace samedevice::analysis
