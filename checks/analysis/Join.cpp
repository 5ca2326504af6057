// Where two paths meet: what is known on both, and what they may have done apart.
#include "State.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace samedevice::analysis {
namespace {

/// CUDA on one path and the CPU on the other: one symbol for whatever changed in the same way between the two, so that
/// a model and its inputs are still known to be together; a third path leaves it at that. A `kind` of symbol
/// that may be CUDA for devices, which are there to be used; not for tensors, which a condition may have moved.
DeviceValue joinDevices(DeviceValue a, DeviceValue b, Symbol::Kind kind, Meeting where, Symbols &symbols) {
  if (a == b)
    return a;
  auto concrete = [](const DeviceValue &d) { return d.kind == DeviceValue::Cuda || d.kind == DeviceValue::Cpu; };
  auto text = [](const DeviceValue &d) {
    return d.kind == DeviceValue::Cpu ? std::string("cpu") : std::to_string(d.index) + '/' + std::to_string(d.symbol);
  };
  auto isJoined = [&](const DeviceValue &d) { return d.kind == DeviceValue::Symbol && symbols[d.symbol].isJoined; };
  if (where && concrete(a) && concrete(b) && a.kind != b.kind)
    return DeviceValue::of(symbols.joined(text(a) + '|' + text(b) + '@' + std::to_string(where), kind));
  return isJoined(a) && concrete(b) ? a : isJoined(b) && concrete(a) ? b : DeviceValue{};
}

/// The devices that two paths have in the same place, where one has CUDA and the other the CPU.
std::pair<std::vector<DeviceValue>, std::vector<DeviceValue>> chosenApart(const PersistentMap<Value> &a,
                                                                          const PersistentMap<Value> &b) {
  std::pair<std::vector<DeviceValue>, std::vector<DeviceValue>> sides;
  PersistentMap<Value>::forDifferences(a, b, [&](Place p, const Value *x, const Value *y) {
    const bool areDevices = objectOf(p) && x && y && x->kind == y->kind &&
                            (x->kind == Value::Device || x->kind == Value::Options) && x->device.kind != y->device.kind;
    if (areDevices) {
      sides.first.push_back(x->device);
      sides.second.push_back(y->device);
    }
    return true;
  });
  return sides;
}

/// Two records of one class, each made on its own path: a structure that several `return`s hand back.
bool areAlternatives(const State &a, ObjectId x, const State &b, ObjectId y) {
  auto isRecord = [](const State &state, ObjectId object) {
    bool plain = state.get(meta(object, Meta::Class)).kind == Value::Int && !state.find(meta(object, Meta::Device)) &&
                 !state.find(shapeAt(object)) && !state.find(meta(object, Meta::Symbolic));
    for (Part part : {Part::Child, Part::Tensor, Part::Element})
      state.forPart(object, part, [&](std::uint32_t, const Value &) { plain = false; });
    return plain;
  };
  return !b.exists(x) && !a.exists(y) && isRecord(a, x) && isRecord(b, y) &&
         a.get(meta(x, Meta::Class)).number == b.get(meta(y, Meta::Class)).number;
}

/// Whether a list holds nothing but these.
bool areTwins(const State &state, ObjectId list, const Value &one) {
  bool all = true;
  state.forPart(list, Part::Element, [&](std::uint32_t, const Value &other) {
    all &= isTwin(one, other) || (other.kind == Value::Object && other.object == one.object);
  });
  return all;
}

/// The objects that a list holds or points to, and those in the structures among them.
std::vector<ObjectId> heldBy(const State &state, ObjectId list) {
  constexpr std::size_t most = 64;
  std::vector<ObjectId> held{list};
  for (std::size_t n = 0; n < held.size() && held.size() < most; ++n)
    for (Part part : {Part::Element, Part::Field})
      state.forPart(held[n], part, [&](std::uint32_t, const Value &member) {
        const Value at = member.kind == Value::Reference ? state.get(placeIn(member)) : member;
        if (at.kind == Value::Object && at.object && std::find(held.begin(), held.end(), at.object) == held.end())
          held.push_back(at.object);
      });
  held.erase(held.begin());
  return held;
}

/// Of structures in a list, the members that one path has moved and the other has not: nobody knows of which ones.
void forgetMovedMembers(State &result, const State &a, const State &b, ObjectId list) {
  const std::vector<ObjectId> held = heldBy(result, list);
  std::set<std::uint32_t> moved;
  for (ObjectId object : held)
    a.forPart(object, Part::Field, [&](std::uint32_t name, const Value &x) {
      const Value *y = x.kind == Value::Tensor ? b.find(field(object, name)) : nullptr;
      if (y && y->kind == Value::Tensor && y->device != x.device)
        moved.insert(name);
    });
  for (ObjectId object : held)
    for (std::uint32_t name : moved)
      if (Value member = result.get(field(object, name)); member.kind == Value::Tensor && !member.object) {
        member.device = {};
        result.set(field(object, name), member);
      }
}

/// 1 or 0 as the answer is known, else -1.
int truthOf(const State &state, const Value &value) {
  if (value.kind != Value::Bool)
    return -1;
  if (value.has(Value::kConstant))
    return value.number ? 1 : 0;
  const int known = state.truth(value.symbol);
  return known >= 0 && value.has(Value::kNegated) ? !known : known;
}

/// `int gpu = -1; if (argc > 1) gpu = std::stoi(argv[1]);`: of what was one
/// number on one path and another one on the other, both may have found the
/// same: that it is less than 0.
void keepAnswers(State &result, const State &a, const State &b, const Value &x, const Value &y, SymbolId joined) {
  Symbols &symbols = result.universe().symbols;
  if (x.kind == Value::Bool) {
    const int one = truthOf(a, x), other = truthOf(b, y);
    result.forget(joined);
    if (one >= 0 && one == other)
      result.set(field(0, joined), Value::constant(Value::Bool, one));
    return;
  }
  result.forgetTestsOf(joined);
  for (const Value *value : {&x, &y})
    for (SymbolId asked : value->has(Value::kConstant) ? std::set<SymbolId>() : symbols.testsOf(value->symbol))
      if (const Symbols::Test test = symbols.testOf(asked); test.isAgainstKnown())
        if (const int one = a.answered(x, test), other = b.answered(y, test); one >= 0 && one == other)
          result.set(field(0, symbols.test(test.of(joined))), Value::constant(Value::Bool, one));
}

/// What one path knows of a condition only together with another one, `cpu || !available()`: it is so of what is left
/// of the condition where two paths meet, if the other path knows no better.
void keepPairsOf(State &result, const State &a, const State &b, const Value &x, const Value &y, SymbolId joined) {
  Symbols &symbols = result.universe().symbols;
  std::set<SymbolId> kept;
  auto pairsIn = [&](const State &state, const Value &value) {
    std::set<SymbolId> pairs;
    for (SymbolId id : value.has(Value::kConstant) ? std::set<SymbolId>() : symbols.eithersOf(value.symbol)) {
      Symbols::Either pair = *symbols.eitherAt(id);
      if (state.truth(id) != 1 || pair.first == pair.second)
        continue;
      const bool isFirst = pair.first == value.symbol;
      (isFirst ? pair.first : pair.second) = joined;
      if (value.has(Value::kNegated))
        (isFirst ? pair.firstTruth : pair.secondTruth) ^= true;
      pairs.insert(symbols.either(pair));
    }
    return pairs;
  };
  const std::set<SymbolId> ofX = pairsIn(a, x), ofY = pairsIn(b, y);
  auto keep = [&](const std::set<SymbolId> &pairs, const State &other, const Value &there,
                  const std::set<SymbolId> &others) {
    const int truth = truthOf(other, there);
    for (SymbolId id : pairs) {
      const Symbols::Either &pair = *symbols.eitherAt(id);
      const auto isSo = [&](SymbolId symbol, bool is) {
        return (symbol == joined ? truth : other.truth(symbol)) == is;
      };
      if (others.count(id) || isSo(pair.first, pair.firstTruth) || isSo(pair.second, pair.secondTruth))
        kept.insert(id);
    }
  };
  keep(ofX, b, y, ofY);
  keep(ofY, a, x, ofX);
  for (SymbolId id : kept)
    result.set(field(0, id), Value::constant(Value::Bool, true));
}

} // namespace

// With linkage: clang-tidy on precompiled headers wants that of what a vector of them destroys.

/// What one path knows, and the other does not: an answer to a question, if it
/// is one.
struct Answer {
  SymbolId asked;
  bool is;
};

/// What both paths have at a place, and what that is where they meet.
struct Scalars {
  Value x, y;
  SymbolId joined;
};

namespace {

/// `if (gpu >= 0 && torch::cuda::is_available())`, not so: of the two paths
/// that have met behind it, one has found the first to be wrong, the other the
/// second. Asked again, it is not so again.
void keepPairs(State &result, const State &a, const State &b, const std::vector<Answer> &ofA,
               const std::vector<Answer> &ofB) {
  Symbols &symbols = result.universe().symbols;
  constexpr std::size_t few = 3;
  auto isPair = [&](const Answer &answer) { return symbols.eitherAt(answer.asked) != nullptr; };
  auto holds = [](const State &state, const Symbols::Either &pair) {
    return state.truth(pair.first) == pair.firstTruth || state.truth(pair.second) == pair.secondTruth;
  };
  const Value yes = Value::constant(Value::Bool, true);
  std::vector<Answer> plainA, plainB;
  for (const auto &[answers, other, plain] : {std::tie(ofA, b, plainA), std::tie(ofB, a, plainB)})
    for (const Answer &answer : answers)
      if (!isPair(answer))
        plain.push_back(answer);
      else if (holds(other, *symbols.eitherAt(answer.asked)))
        result.set(field(0, answer.asked), yes);
  if (plainA.size() > few || plainB.size() > few)
    return;
  for (const Answer &x : plainA)
    for (const Answer &y : plainB)
      if (x.asked != y.asked)
        result.set(field(0, symbols.either({x.asked, y.asked, x.is, y.is})), yes);
}

} // namespace

/// What two numbers were made of, as far as one that is either of them is made of that, too. Of a device on one path
/// only it is still known that it tells devices apart.
static void keepMaking(Value &either, const Value &a, const Value &b) {
  either.set(Value::kOfSize, isOfSizes(a) && isOfSizes(b));
  either.set(Value::kOfDevice, a.has(Value::kOfDevice) || b.has(Value::kOfDevice));
  if (a.has(Value::kOfDevice) && b.has(Value::kOfDevice) && a.device == b.device)
    either.device = a.device;
}

bool joinValues(Place p, const Value &a, const Value &b, Value &out, Symbols &symbols, Meeting where) {
  out = a;
  if (sameMeaning(a, b))
    return true;
  if (objectOf(p) == 0 && partOf(p) == Part::Field)
    return false; // a fact that holds on one side only
  auto isOneOfSeveral = [](const Value &v) {
    return v.kind == Value::Object || (v.kind == Value::Unknown && v.index == Value::kSomewhere);
  };
  if (a.kind != b.kind) {
    out = Value{};
    if (isOneOfSeveral(a) || isOneOfSeveral(b))
      out.index = Value::kSomewhere;
    return partOf(p) != Part::Meta;
  }
  auto fresh = [&](const char *what) { return symbols.intern(what + std::to_string(p), Symbol::Plain); };
  out.flags = a.flags & b.flags;
  out.dims = std::min(a.dims, b.dims);
  switch (a.kind) {
  case Value::Tensor:
    out.object = a.object == b.object ? a.object : 0;
    out.device = a.object == b.object ? joinDevices(a.device, b.device, Symbol::Plain, where, symbols) : DeviceValue{};
    // What came out of a failure on one path must not fail again on both.
    if (a.device.kind == DeviceValue::Other || b.device.kind == DeviceValue::Other)
      out.device = {DeviceValue::Other, -1, 0};
    if (!a.pending) {
      out.pending = b.pending;
      out.trail = b.pending ? b.trail : a.trail;
    }
    out.memory = a.memory == b.memory ? a.memory : 0;
    out.number = std::max(a.number, b.number); // what one path has frozen may be frozen
    return true;
  case Value::Options:
    if (a.has(Value::kHasDevice) != b.has(Value::kHasDevice)) { // that they name none, only one path says
      out.set(Value::kHasDevice);
      out.device = {};
      return true;
    }
    [[fallthrough]];
  case Value::Device:
    out.device = joinDevices(a.device, b.device, Symbol::Chosen, where, symbols);
    return true;
  case Value::Bool:
    out = Value{};
    out.kind = Value::Bool;
    out.symbol = fresh("bool");
    return true;
  case Value::Int:
  case Value::String:
    if (p == shapeAt(objectOf(p))) {
      out.number = a.number > b.number ? a.number : b.number;
      return true;
    }
    if (partOf(p) == Part::Meta)
      return false;
    out = Value{};
    out.kind = a.kind;
    out.symbol = fresh("scalar");
    if (a.kind == Value::Int)
      keepMaking(out, a, b);
    return true;
  case Value::Reference:
    if (partOf(p) == Part::Meta && a.object == b.object)
      return true; // put in twice, or after the same optimizer: one story will do
    out = Value{};
    return partOf(p) != Part::Meta;
  case Value::Object:
    if (a.object == b.object && out.has(Value::kConstant)) { // iterators over one list
      out.index = Value::kSomewhere;
      out.symbol = fresh("position");
      return true;
    }
    out = Value{};
    out.index = Value::kSomewhere;
    return partOf(p) != Part::Meta;
  case Value::Pointer:
    out.device = DeviceValue{};
    out.object = 0;
    out.memory = a.memory == b.memory ? a.memory : 0;
    return true;
  default:
    out = Value{};
    out.index = std::max(a.index, b.index);
    return partOf(p) != Part::Meta;
  }
}

State State::join(const State &a, const State &b, Symbols &symbols, Meeting where) {
  auto isChild = [](Place p) { return partOf(p) == Part::Child || partOf(p) == Part::Tensor; };
  State result(a.universe());
  std::vector<std::pair<Place, Value>> alternatives;
  std::set<ObjectId> filledInLoops, goneThrough;
  std::set<std::pair<ObjectId, ObjectId>> records;
  std::vector<Scalars> scalars;
  auto combine = [&](Place p, const Value &left, const Value &right, Value &out) {
    // A path that found a device to be this very one may call it by the name that it has on the other path.
    Value renamed;
    auto asThere = [&](const State &here, const Value &value, const Value &there) -> const Value & {
      if (there.device.kind != DeviceValue::Symbol || value.device.kind == DeviceValue::Symbol ||
          here.resolve(there.device) != value.device)
        return value; // NOLINT(bugprone-return-const-ref-from-parameter): both paths outlive this
      renamed = value;
      renamed.device = there.device;
      return renamed;
    };
    const Value &x = asThere(a, left, right), &y = asThere(b, right, left);
    const bool areApart = x.kind == Value::Object && y.kind == Value::Object && x.object == y.object &&
                          x.index != y.index && x.has(Value::kConstant);
    // Of a list whose elements are all known, those that neither has come to are still to come.
    if (areApart && y.has(Value::kConstant) && x.index != Value::kSomewhere && y.index != Value::kSomewhere &&
        a.isWritten(x.object) && b.isWritten(x.object)) {
      out = x.index > y.index ? x : y;
      return true;
    }
    if (areApart)
      goneThrough.insert(x.object);
    if (partOf(p) == Part::Element && isTwin(x, y) && areTwins(a, objectOf(p), x) && areTwins(b, objectOf(p), x)) {
      out = x;
      filledInLoops.insert(objectOf(p));
      return true;
    }
    if (x.kind == Value::Object && y.kind == Value::Object && x.object != y.object && !isChild(p) &&
        partOf(p) != Part::Meta && areAlternatives(a, x.object, b, y.object)) {
      out = x;
      records.insert({x.object, y.object});
      return true;
    }
    if (!isChild(p)) {
      const bool isKnown = joinValues(p, x, y, out, symbols, where);
      const bool isScalar = out.kind == Value::Int || out.kind == Value::String || out.kind == Value::Bool;
      if (isKnown && isScalar && out.symbol && !out.has(Value::kConstant) && !sameMeaning(x, y))
        scalars.push_back({x, y, out.symbol});
      return isKnown;
    }
    out = x;
    if (x.object == y.object) { // the same child, behind more or fewer others
      out.number = std::max(x.number, y.number);
      return true;
    }
    alternatives.push_back({alternativeTo(p), y});
    return true;
  };
  result.places_ = PersistentMap<Value>::join(a.places_, b.places_, combine);
  for (auto &[p, child] : alternatives)
    if (!result.find(p))
      result.set(p, child);
    else if (result.get(p).object != child.object)
      result.set(p, {}); // one of many
  const Place saved = meta(0, Meta::Saved);
  if (!a.find(saved) != !b.find(saved)) // what is loaded after that may be of this program or of another
    result.set(saved, Value::of(Value::Tensor));
  for (ObjectId list : filledInLoops) { // the latest and any number of the summary, in no order
    Value one = result.get(place(list, Part::Element, 0));
    result.eraseAll(list, Part::Element);
    for (std::uint32_t index : {0u, 1u}) {
      one.object = index ? latestOf(one.object) : summaryOf(one.object);
      result.set(place(list, Part::Element, index), one);
    }
    if (result.shapeOf(list) == ListShape::Exact)
      result.setShape(list, ListShape::Unordered);
  }
  // What only one side has: an object that only one side made stays as it is; a child that may be registered counts as
  // registered; a list with elements that may be missing is no exact list any more. Where the two chose different
  // devices, nobody knows on which path such an object, or element, is met: it is no longer where its path had chosen.
  std::optional<std::pair<std::vector<DeviceValue>, std::vector<DeviceValue>>> chosen;
  ObjectId last = 0;
  bool madeByBoth = false;
  std::vector<Answer> ofA, ofB;
  PersistentMap<Value>::forDifferences(a.places_, b.places_, [&](Place p, const Value *x, const Value *y) {
    ObjectId object = objectOf(p);
    const bool isFact = !object && partOf(p) == Part::Field;
    const bool isOfStreams = indexOf(p) >= Symbols::kDefaultIsCurrent && indexOf(p) <= Symbols::kSettled;
    if (isFact && !x != !y && symbols.isTest(indexOf(p))) { // the other path knows it, too, by what it knows of more
      const Value &fact = x ? *x : *y;
      if ((x ? b : a).deduced(symbols.testOf(indexOf(p))) == fact.number) {
        result.places_.set(p, fact);
        return true;
      }
    }
    if (isFact && !isOfStreams && (!x || !y || x->number != y->number)) {
      if (x && x->kind == Value::Bool && x->has(Value::kConstant))
        ofA.push_back({indexOf(p), x->number != 0});
      if (y && y->kind == Value::Bool && y->has(Value::kConstant))
        ofB.push_back({indexOf(p), y->number != 0});
    }
    if ((x && y) || !object)
      return true;
    if (object != last) {
      last = object;
      madeByBoth = (x ? b : a).exists(object);
    }
    Part part = partOf(p);
    bool stays = !madeByBoth || isChild(p) || part == Part::Element;
    if (stays) {
      Value kept = x ? *x : *y;
      if (kept.device.kind != DeviceValue::Unknown) {
        if (!chosen)
          chosen = chosenApart(a.places_, b.places_);
        const auto &side = x ? chosen->first : chosen->second;
        if (std::find(side.begin(), side.end(), kept.device) != side.end())
          kept.device = {};
      }
      result.places_.set(p, kept);
    }
    if (stays && madeByBoth && part == Part::Element) {
      if (result.shapeOf(object) == ListShape::Exact)
        result.setShape(object, ListShape::Unordered);
    }
    return true;
  });
  for (const Scalars &one : scalars) {
    keepAnswers(result, a, b, one.x, one.y, one.joined);
    if (one.x.kind == Value::Bool)
      keepPairsOf(result, a, b, one.x, one.y, one.joined);
    if (const int is = truthOf(a, one.x); is >= 0)
      ofA.push_back({one.joined, is != 0});
    if (const int is = truthOf(b, one.y); is >= 0)
      ofB.push_back({one.joined, is != 0});
  }
  keepPairs(result, a, b, ofA, ofB);
  for (const auto &record : records) { // becomes one that may be either
    const ObjectId one = record.first, other = record.second;
    std::map<std::uint32_t, Value> members;
    b.forPart(other, Part::Field, [&](std::uint32_t name, const Value &) { members[name] = {}; });
    a.forPart(one, Part::Field, [&](std::uint32_t name, const Value &x) {
      const Value *y = b.find(field(other, name));
      Value joined;
      members[name] = y && joinValues(field(one, name), x, *y, joined, symbols, where) ? joined : Value{};
    });
    for (const auto &[name, value] : members)
      result.set(field(one, name), value);
  }
  for (ObjectId list : goneThrough) {
    result.forgetGoneThrough(list);
    forgetMovedMembers(result, a, b, list);
    const std::set<ObjectId> modules = result.modulesIn(list);
    auto isMoved = [&](ObjectId module) {
      if (!a.exists(module) || !b.exists(module)) // made in one of the turns: whoever has it has it there
        return false;
      return a.get(meta(module, Meta::Moved)).device != b.get(meta(module, Meta::Moved)).device ||
             a.get(meta(module, Meta::Device)).device != b.get(meta(module, Meta::Device)).device;
    };
    // One path has moved more of them than the other: nobody knows which the next turns move.
    if (std::any_of(modules.begin(), modules.end(), isMoved))
      result.forgetWhereTheyAre(modules);
  }
  return result;
}

/// The modules that a list holds, or points to, itself or in structures, and what is registered in them.
std::set<ObjectId> State::modulesIn(ObjectId list) const { return modulesBelow(heldBy(*this, list)); }

std::set<ObjectId> State::modulesBelow(std::vector<ObjectId> ahead) const {
  std::set<ObjectId> modules;
  while (!ahead.empty()) {
    const ObjectId module = ahead.back();
    ahead.pop_back();
    if (!module || !modules.insert(module).second)
      continue;
    for (Part part : {Part::Child, Part::Tensor})
      forPart(module, part, [&](std::uint32_t, const Value &child) { ahead.push_back(child.object); });
  }
  return modules;
}

void State::forgetWhereTheyAre(const std::set<ObjectId> &modules) {
  for (ObjectId module : modules) {
    erase(meta(module, Meta::Placed));
    if (Value here = get(meta(module, Meta::Device)); here.kind == Value::Tensor) {
      here.device = {};
      set(meta(module, Meta::Device), here);
    }
  }
}

/// A loop over a list that is not followed turn by turn any more: nobody knows which elements it has been at, or what
/// has one of those as its key. What is still where the caller has put it is there whether or not its turn has come.
void State::forgetGoneThrough(ObjectId list) {
  std::set<std::uint32_t> keys;
  forPart(list, Part::Element, [&](std::uint32_t, const Value &element) {
    if (auto key = keyed(element))
      keys.insert(*key);
  });
  std::vector<std::pair<Place, Value>> tensors;
  forAll([&](Place p, const Value &value) {
    const bool isReached = partOf(p) == Part::Element && (objectOf(p) == list || keys.count(indexOf(p)));
    const bool isAsGiven =
        value.device.kind == DeviceValue::Symbol && universe().symbols[value.device.symbol].kind == Symbol::FromCaller;
    if (isReached && !isAsGiven && value.kind == Value::Tensor && !value.object)
      tensors.push_back({p, value});
  });
  for (auto &[at, tensor] : tensors) {
    tensor.device = {};
    set(at, tensor);
  }
}

} // namespace samedevice::analysis
