#include "State.h"

#include <vector>

namespace samedevice::analysis {

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
}

int State::truth(SymbolId symbol) const {
  const Value *value = places_.find(field(0, symbol));
  return value && value->kind == Value::Bool ? static_cast<int>(value->number) : -1;
}

void State::assumeCuda(SymbolId symbol, bool truth) {
  if (!symbol)
    return;
  DeviceValue now = resolve(DeviceValue::of(symbol));
  if (now.known()) {
    infeasible |= (now.kind == DeviceValue::Cuda) != truth;
    return;
  }
  Value value = Value::of(Value::Device);
  // A tensor that is not on CUDA is on the CPU, as far as we look.
  value.device = truth ? DeviceValue{DeviceValue::Cuda, -1, now.symbol} : DeviceValue::cpu();
  places_.set(field(0, now.symbol), value);
}

void State::equate(DeviceValue a, DeviceValue b) {
  a = resolve(a);
  b = resolve(b);
  if (a == b || a.kind == DeviceValue::Unknown || b.kind == DeviceValue::Unknown)
    return;
  if (a.kind != DeviceValue::Symbol)
    std::swap(a, b);
  if (a.kind != DeviceValue::Symbol) {
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
  places_.set(field(0, symbol), fact);
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
  forAll([&](Place p, const Value &value) {
    if (value.kind == Value::Tensor && value.device.kind == DeviceValue::Cpu &&
        latest(value.trail, Event::CreatedByDefault) == made)
      tensors.push_back({p, value});
  });
  for (auto &[p, tensor] : tensors) {
    tensor.device = other;
    set(p, tensor);
  }
}

DeviceValue State::resolve(DeviceValue device) const {
  for (int hops = 0; device.kind == DeviceValue::Symbol && hops < 8; ++hops) {
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
  places_.forRange(place(0, Part::Element, 0), place(0, Part::Element, 0x0fffffffu), [&](Place p, const Value &copy) {
    bool other = device.kind == DeviceValue::Cuda && copy.device.kind == DeviceValue::Cuda && device.index >= 0 &&
                 copy.device.index >= 0 && device.index != copy.device.index;
    if (!other)
      ended.push_back(p);
  });
  for (Place p : ended)
    places_.erase(p);
}

void State::renameCopy(ObjectId from, ObjectId to) {
  PersistentMap<Value> updated = places_;
  places_.forRange(field(1, 0), ~Place{0}, [&](Place p, const Value &value) {
    if (value.pending != from && value.memory != from)
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

void State::renameObject(ObjectId from, ObjectId to, Symbols &symbols) {
  PersistentMap<Value> updated = places_;
  places_.forRange(field(1, 0), ~Place{0}, [&](Place p, const Value &value) {
    bool moves = objectOf(p) == from;
    bool refers = value.object == from;
    if (!moves && !refers)
      return;
    Value renamed = value;
    if (refers)
      renamed.object = to;
    Place target = moves ? place(to, partOf(p), indexOf(p)) : p;
    if (moves) {
      updated.erase(p);
      if (const Value *old = updated.find(target)) {
        Value joined;
        if (!identical(*old, renamed))
          renamed = joinValues(target, *old, renamed, joined, symbols) ? joined : Value{};
      }
    }
    updated.set(target, renamed);
  });
  places_ = updated;
}

bool State::same(const State &a, const State &b) {
  return PersistentMap<Value>::forDifferences(
      a.places_, b.places_, [](Place, const Value *x, const Value *y) { return x && y && sameMeaning(*x, *y); });
}

int State::distance(const State &a, const State &b, int stopAt) {
  constexpr int kContrary = 256;
  int total = 0;
  PersistentMap<Value>::forDifferences(a.places_, b.places_, [&](Place p, const Value *x, const Value *y) {
    if (x && y && sameMeaning(*x, *y))
      return true;
    if (objectOf(p) == 0 && partOf(p) == Part::Field) {
      // With CUDA and without: together they would say nothing about any device.
      const bool isContrary = x && y && (x->kind == Value::Device || indexOf(p) == Symbols::kAvailable);
      total += isContrary ? kContrary : 0;
      return total < stopAt;
    }
    const Value &one = !x || (y && x->kind == Value::Unknown) ? *y : *x;
    const bool counted = (x && x->has(Value::kCounted)) || (y && y->has(Value::kCounted));
    const bool scalar = !counted && (one.kind == Value::Int || one.kind == Value::String || one.kind == Value::Unknown);
    const bool chosenApart = x && y && x->kind == Value::Device && y->kind == Value::Device;
    total += chosenApart ? kContrary : scalar ? 1 : counted || one.kind == Value::Bool ? 4 : 32;
    return total < stopAt;
  });
  return total;
}

} // namespace samedevice::analysis
