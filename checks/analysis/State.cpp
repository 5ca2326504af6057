#include "State.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>
#include <vector>

namespace samedevice::analysis {

namespace {

/// Tells, of the places where two states differ, in order, which are of an object that only one of them has made.
class OnlyOne {
public:
  OnlyOne(const State &a, const State &b) : a_(a), b_(b) {}

  bool isBy(Place p, const Value *x, const Value *y) {
    if ((x && y) || !objectOf(p))
      return false;
    if (objectOf(p) != last_) {
      last_ = objectOf(p);
      byBoth_ = (x ? b_ : a_).exists(last_);
    }
    return !byBoth_;
  }

private:
  const State &a_, &b_;
  ObjectId last_ = 0;
  bool byBoth_ = true;
};

} // namespace

bool State::exists(ObjectId object) const { return places_.holdsAnyOf(field(object, 0), field(object + 1, 0) - 1); }

void State::assume(SymbolId symbol, bool truth) {
  if (!symbol)
    return;
  int known = this->truth(symbol);
  if (known >= 0) {
    infeasible |= known != (truth ? 1 : 0);
    return;
  }
  Value value = Value::constant(Value::Bool, truth);
  places_.set(field(0, symbol), value);
  for (SymbolId id : universe().symbols.eithersOf(symbol))
    if (this->truth(id) == 1) {
      const Symbols::Either &pair = *universe().symbols.eitherAt(id);
      const bool isFirst = pair.first == symbol;
      if ((isFirst ? pair.firstTruth : pair.secondTruth) != truth)
        assume(isFirst ? pair.second : pair.first, isFirst ? pair.secondTruth : pair.firstTruth);
    }
}

int State::truth(SymbolId symbol) const {
  const Value *value = places_.find(field(0, symbol));
  return value && value->kind == Value::Bool ? static_cast<int>(value->number) : -1;
}

int State::answered(const Value &value, const Symbols::Test &test) const {
  if (!value.has(Value::kConstant))
    return value.symbol ? truth(universe().symbols.test(test.of(value.symbol))) : -1;
  if (test.isEqual)
    return value.number == test.known ? 1 : 0;
  if (value.kind != Value::Int)
    return -1;
  return (test.first ? value.number < test.known : test.known < value.number) ? 1 : 0;
}

/// `n == 1` says that `n < 5`, and that it is not 2.
int State::deduced(const Symbols::Test &test) const {
  if (!test.isAgainstKnown())
    return -1;
  const Symbols &symbols = universe().symbols;
  std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  bool isOther = false;
  for (SymbolId id : symbols.testsOf(test.first ? test.first : test.second)) {
    const Symbols::Test &known = symbols.testOf(id);
    const int truth = known.isAgainstKnown() ? this->truth(id) : -1;
    if (truth < 0)
      continue;
    if (known.isEqual && truth)
      least = most = known.known;
    else if (known.isEqual)
      isOther |= known.known == test.known;
    else if (known.first) // it is less than that, or not
      (truth ? most : least) = truth ? std::min(most, known.known - 1) : std::max(least, known.known);
    else
      (truth ? least : most) = truth ? std::max(least, known.known + 1) : std::min(most, known.known);
  }
  if (test.isEqual)
    return isOther || test.known < least || test.known > most ? 0 : least == most ? 1 : -1;
  if (test.first)
    return most < test.known ? 1 : least >= test.known ? 0 : -1;
  return test.known < least ? 1 : test.known >= most ? 0 : -1;
}

/// Whether two paths have found a number, or a text, to be the opposite, which
/// may be why they did different things; or one of them knows of it only
/// together with something else.
static bool areContrary(const State &a, const Value &x, const State &b, const Value &y) {
  Symbols &symbols = a.universe().symbols;
  auto isInPair = [&](const State &state, const Value &value, const Symbols::Test &test) {
    if (value.has(Value::kConstant) || !value.symbol)
      return false;
    const std::set<SymbolId> &pairs = symbols.eithersOf(symbols.test(test.of(value.symbol)));
    return std::any_of(pairs.begin(), pairs.end(), [&](SymbolId pair) { return state.truth(pair) == 1; });
  };
  for (const Value *value : {&x, &y})
    for (SymbolId asked : value->has(Value::kConstant) ? std::set<SymbolId>() : symbols.testsOf(value->symbol))
      if (const Symbols::Test test = symbols.testOf(asked); test.isAgainstKnown()) {
        const int one = a.answered(x, test), other = b.answered(y, test);
        if (one >= 0 && other >= 0 ? one != other
                                   : (one >= 0 && isInPair(b, y, test)) || (other >= 0 && isInPair(a, x, test)))
          return true;
      }
  return false;
}

void State::reopen(Place at, SourceId by) {
  for (const Place written : {at, whole(objectOf(at))})
    reopen(universe().symbols.askedOf(written), by);
}

void State::reopenAll(ObjectId object, SourceId by) {
  for (const Place at : universe().symbols.subjectsIn(field(object, 0), whole(object)))
    reopen(universe().symbols.askedOf(at), by);
}

/// `const bool wasFast = rate > 0.5; rate = 0;`: an answer that somebody has kept stays what it was.
void State::reopen(const std::set<SymbolId> &questions, SourceId by) {
  if (questions.empty())
    return;
  std::vector<std::pair<Place, Value>> kept;
  forAll([&](Place p, const Value &value) {
    if (value.kind == Value::Bool && questions.count(value.symbol))
      kept.emplace_back(p, value);
  });
  for (auto &[p, value] : kept) {
    const SymbolId before = universe().symbols.intern(
        "before " + std::to_string(by) + ' ' + std::to_string(value.symbol), Symbol::Plain, by);
    const int was = truth(value.symbol);
    forget(before);
    if (was >= 0)
      assume(before, was != 0);
    value.symbol = before;
    places_.set(p, value);
  }
  for (SymbolId question : questions)
    forget(question);
}

void State::assumeCuda(SymbolId symbol, bool truth) {
  if (!symbol)
    return;
  DeviceValue now = resolve(DeviceValue::of(symbol));
  if (now.known()) {
    infeasible |= (now.kind == DeviceValue::Cuda) != truth;
    return;
  }
  if (truth) // where there is no GPU, nothing is on one
    assume(Symbols::kAvailable, true);
  Value value = Value::of(Value::Device);
  // A tensor that is not on CUDA is on the CPU, as far as we look.
  value.device = truth ? DeviceValue{DeviceValue::Cuda, -1, now.symbol} : DeviceValue::cpu();
  places_.set(field(0, now.symbol), value);
}

/// On CUDA, by a test, of which index nothing is known.
static bool isSomeGpu(DeviceValue device) {
  return device.kind == DeviceValue::Cuda && device.index < 0 && device.symbol;
}

void State::equate(DeviceValue a, DeviceValue b) {
  a = resolve(a);
  b = resolve(b);
  if (a == b || a.kind == DeviceValue::Unknown || b.kind == DeviceValue::Unknown)
    return;
  if (a.kind != DeviceValue::Symbol && !(isSomeGpu(a) && b.kind == DeviceValue::Cuda))
    std::swap(a, b);
  const bool isWhichGpu = isSomeGpu(a) && b.kind == DeviceValue::Cuda;
  if (a.kind != DeviceValue::Symbol && !isWhichGpu) {
    infeasible |= a.kind != b.kind || (a.index >= 0 && b.index >= 0 && a.index != b.index);
    return;
  }
  Value value = Value::of(Value::Device);
  value.device = b;
  places_.set(field(0, a.symbol), value);
}

void State::learntFromPart(SymbolId symbol, SourceId whole, bool truth) {
  Value fact = get(field(0, symbol));
  fact.number = whole;
  fact.set(Value::kNegated, !truth);
  fact.set(Value::kJustLearnt, false);
  places_.set(field(0, symbol), fact);
}

void State::justLearnt(const State &before) {
  std::vector<std::pair<Place, Value>> changed;
  forPart(0, Part::Field, [&](std::uint32_t symbol, const Value &fact) {
    const Place at = field(0, symbol);
    const bool isNew = !before.find(at);
    if (fact.kind == Value::Device && fact.has(Value::kJustLearnt) != isNew)
      changed.emplace_back(at, fact).second.set(Value::kJustLearnt, isNew);
  });
  for (const auto &[at, fact] : changed)
    places_.set(at, fact);
}

std::vector<SymbolId> State::allJustLearnt() const {
  std::vector<SymbolId> learnt;
  forPart(0, Part::Field, [&](std::uint32_t symbol, const Value &fact) {
    if (fact.kind == Value::Device && fact.has(Value::kJustLearnt))
      learnt.push_back(symbol);
  });
  return learnt;
}

void State::forgetParts(SourceId whole, bool truth) {
  std::vector<SymbolId> forgotten;
  forPart(0, Part::Field, [&](std::uint32_t symbol, const Value &fact) {
    if (fact.kind == Value::Device && fact.number == static_cast<std::int64_t>(whole) &&
        fact.has(Value::kNegated) != truth)
      forgotten.push_back(symbol);
  });
  for (SymbolId symbol : forgotten)
    forget(symbol);
}

void State::follow(const Event *made, DeviceValue other) {
  std::vector<std::pair<Place, Value>> tensors;
  std::set<ObjectId> owners;
  forAll([&](Place p, const Value &value) {
    const Event *how = value.kind == Value::Tensor && value.device.kind == DeviceValue::Cpu
                           ? latest(value.trail, Event::CreatedByDefault)
                           : nullptr;
    if (how)
      tensors.push_back({p, value});
    if (how == made && find(meta(objectOf(p), Meta::Class)))
      owners.insert(objectOf(p));
  });
  for (auto &[p, tensor] : tensors) {
    const bool isTested = latest(tensor.trail, Event::CreatedByDefault) == made;
    if (!isTested && !owners.count(objectOf(p)))
      continue;
    tensor.device = isTested ? other : DeviceValue{}; // the test speaks for the other members, too
    set(p, tensor);
  }
}

DeviceValue State::resolve(DeviceValue device) const {
  // Which GPU "some GPU" is may have been found out since.
  const auto isOpen = [](DeviceValue asked) { return asked.kind == DeviceValue::Symbol || isSomeGpu(asked); };
  for (int hops = 0; isOpen(device) && hops < Limits::hops; ++hops) {
    const Value *known = places_.find(field(0, device.symbol));
    if (!known || known->kind != Value::Device || known->device == device)
      break;
    device = known->device;
  }
  return device;
}

DeviceValue State::currentDevice() const { return get(meta(0, Meta::Device)).device; }

void State::setCurrentDevice(DeviceValue device, const Event *frozen) {
  Value value = Value::of(Value::Device);
  value.device = device;
  value.trail = frozen;
  places_.set(meta(0, Meta::Device), value);
}

void State::synchronize(DeviceValue device) {
  std::vector<Place> ended;
  places_.forRange(place(0, Part::Element, 0), place(0, Part::Element, kLastIndex), [&](Place p, const Value &copy) {
    bool other = device.kind == DeviceValue::Cuda && copy.device.kind == DeviceValue::Cuda && device.index >= 0 &&
                 copy.device.index >= 0 && device.index != copy.device.index;
    if (!other)
      ended.push_back(p);
  });
  for (Place p : ended)
    places_.erase(p);
}

bool State::isIdle() const {
  bool isIdle = true;
  places_.forRange(place(0, Part::Element, 0), place(0, Part::Element, kLastIndex),
                   [&](Place, const Value &) { isIdle = false; });
  return isIdle;
}

void State::renameCopy(ObjectId from, ObjectId to) {
  PersistentMap<Value> updated = places_;
  places_.forMentions(mentionOf(from), [&](Place p, const Value &value) {
    if (!objectOf(p) || (value.pending != from && value.memory != from))
      return;
    Value renamed = value;
    renamed.pending = value.pending == from ? to : value.pending;
    renamed.memory = value.memory == from ? to : value.memory;
    updated.set(p, renamed);
  });
  places_ = updated;
  if (const Value *copy = places_.find(place(0, Part::Element, from))) {
    Value underWay = *copy;
    places_.erase(place(0, Part::Element, from));
    places_.set(place(0, Part::Element, to), underWay);
  }
}

void State::forgetUnreachable(std::vector<ObjectId> from) {
  forMeta(Meta::Placed, [&](ObjectId child, const Value &) { from.push_back(child); });
  std::unordered_set<ObjectId> reached;
  while (!from.empty()) {
    const ObjectId object = from.back();
    from.pop_back();
    if (object && reached.insert(object).second)
      places_.forRange(field(object, 0), field(object + 1, 0) - 1,
                       [&](Place, const Value &value) { from.push_back(value.object); });
  }
  std::vector<ObjectId> gone;
  forAll([&](Place p, const Value &) {
    if (!reached.count(objectOf(p)) && (gone.empty() || gone.back() != objectOf(p)))
      gone.push_back(objectOf(p));
  });
  for (ObjectId object : gone)
    eraseAll(object);
}

void State::renameObject(ObjectId from, ObjectId to, Symbols &symbols) {
  PersistentMap<Value> updated = places_;
  places_.forMentions(mentionOf(from), [&](Place p, const Value &value) {
    if (!objectOf(p) || objectOf(p) == from || value.object != from)
      return;
    Value renamed = value;
    renamed.object = to;
    updated.set(p, renamed);
  });
  places_.forRange(field(from, 0), field(from + 1, 0) - 1, [&](Place p, const Value &value) {
    Value renamed = value;
    if (value.object == from)
      renamed.object = to;
    const Place target = place(to, partOf(p), indexOf(p));
    updated.erase(p);
    if (const Value *old = updated.find(target)) {
      Value joined;
      // What its owner made with it is about to be made again, too: it will be part of the summary then.
      if (isTwin(*old, renamed))
        renamed = old->object > renamed.object ? *old : renamed;
      else if (!identical(*old, renamed))
        renamed = joinValues(target, *old, renamed, joined, symbols) ? joined : Value{};
    }
    updated.set(target, renamed);
  });
  places_ = updated;
}

bool State::same(const State &a, const State &b) {
  if (a.places_.means(b.places_))
    return true;
  OnlyOne made(a, b);
  return PersistentMap<Value>::forDifferences(a.places_, b.places_, [&](Place p, const Value *x, const Value *y) {
    const bool isLate = partOf(p) == Part::Meta && indexOf(p) == static_cast<std::uint32_t>(Meta::Placed);
    return made.isBy(p, x, y) && !isLate;
  });
}

int State::distance(const State &a, const State &b, int stopAt, long &looked) {
  int total = 0, scalars = 0;
  OnlyOne made(a, b);
  PersistentMap<Value>::forDifferences(a.places_, b.places_, [&](Place p, const Value *x, const Value *y) {
    ++looked;
    if (objectOf(p) == 0 && partOf(p) == Part::Field) {
      // With CUDA and without: together they would say nothing about any device.
      const bool isContrary = x && y && (x->kind == Value::Device || indexOf(p) == Symbols::kAvailable);
      total += isContrary ? kContrary : 0;
      return total < stopAt;
    }
    if (made.isBy(p, x, y)) // it stays as it is
      return true;
    // One layer more in a container of torch's, before any of it was moved: what may be registered counts as
    // registered.
    if (partOf(p) == Part::Child && !(x && y)) {
      const State &holder = x ? a : b;
      auto isMoved = [&](ObjectId module) { return holder.find(meta(module, Meta::Moved)) != nullptr; };
      if (holder.get(meta(objectOf(p), Meta::Class)).kind == Value::String && !isMoved(objectOf(p)) &&
          !isMoved((x ? x : y)->object))
        return true;
    }
    const Value &one = !x || (y && x->kind == Value::Unknown) ? *y : *x;
    auto countsGpus = [](const Value *v) { return v && (v->has(Value::kCounted) || v->has(Value::kOfChoice)); };
    const bool counted = countsGpus(x) || countsGpus(y);
    auto classIn = [](const State &state, const Value *v) {
      const Value cls = v && v->kind == Value::Object ? state.get(meta(v->object, Meta::Class)) : Value{};
      return cls.kind == Value::Int ? static_cast<facts::ClassId>(cls.number) : facts::kNone;
    };
    // A job among many: none of it is on a device. Which class an object is of is another matter: its methods differ.
    const facts::ClassId ofX = classIn(a, x), ofY = classIn(b, y);
    const bool isPlain =
        (ofX == facts::kNone || ofY == facts::kNone || ofX == ofY) && a.program().isPlainRecord(&one == x ? ofX : ofY);
    const bool scalar =
        !counted && (one.kind == Value::Int || one.kind == Value::String || one.kind == Value::Unknown || isPlain);
    const bool isText = scalar && x && y && x->kind == y->kind && (one.kind == Value::Int || one.kind == Value::String);
    if (isText && areContrary(a, *x, b, *y)) {
      total += kWorthAState;
      return total < stopAt;
    }
    const bool chosenApart = x && y && x->kind == Value::Device && y->kind == Value::Device;
    if (scalar && ++scalars >= kWorthAState)
      return true;
    total += chosenApart ? kContrary : scalar ? 1 : counted || one.kind == Value::Bool ? 4 : kWorthAnObject;
    return total < stopAt;
  });
  return total;
}

} // namespace samedevice::analysis
