// What is found under a key, and whether a key tells devices apart.
#include "Devices.h"
#include "FunctionTables.h"
#include "Lists.h"
#include "Modules.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

/// A key that is made of several known numbers and texts is one text, as good as any.
static Value wholeKey(const State &state, const Value &key) {
  if (key.kind != Value::Object)
    return key;
  std::string text;
  bool isKnown = true;
  state.forPart(key.object, Part::Field, [&](std::uint32_t name, const Value &part) {
    const bool isPlain = part.kind == Value::Int || part.kind == Value::Bool || part.kind == Value::String;
    isKnown &= isPlain && part.has(Value::kConstant);
    text += std::to_string(name) + (part.kind == Value::String ? "=s" : "=") + std::to_string(part.number) + ';';
  });
  return isKnown && !text.empty() ? Value::constant(Value::String, state.universe().names.id(text)) : key;
}

/// A key made of several parts that nobody knows, each of which is the same wherever it is asked for again. A number
/// among them may be a GPU's, and tells apart what they do not.
static bool isOfNames(const State &state, const Value &key) {
  if (key.kind != Value::Object || state.find(meta(key.object, Meta::Symbolic)))
    return false;
  std::vector<Value> parts;
  flatten(state, key, parts);
  const auto isNumber = [](const Value &part) { return part.kind == Value::Int && part.has(Value::kConstant); };
  return !parts.empty() && std::none_of(parts.begin(), parts.end(), isNumber);
}

/// Tables that were all made without a device: nobody has put any there for one.
static bool areAllOfHost(const State &state, ObjectId list) {
  bool isAny = false, areAll = true;
  state.forPart(list, Part::Element, [&](std::uint32_t, const Value &element) {
    std::vector<Value> held;
    flatten(state, element, held);
    for (const Value &tensor : held) {
      isAny |= tensor.kind == Value::Tensor;
      areAll &= tensor.kind == Value::Tensor && !tensor.object && latest(tensor.trail, Event::CreatedByDefault) &&
                state.resolve(deviceOf(state, tensor)).kind == DeviceValue::Cpu && !latest(tensor.trail, Event::Moved);
    }
  });
  return isAny && areAll;
}

/// What find(key) gives: a position, some element (the list itself), or nothing known where the key is made of parts
/// that tell apart what we cannot.
Value lookUp(const State &state, const Value &list, const Value &given, bool maySayDevice) {
  const Value key = maySayDevice && isOfNames(state, given) ? deviceIn(state, given) : wholeKey(state, given);
  if (key.kind == Value::Device && holdsFunctions(state, list.object)) {
    Value whose = list; // for where this is
    whose.device = key.device;
    return whose;
  }
  bool isEmpty = true, areOfDevices = false, areModules = false;
  state.forPart(list.object, Part::Element, [&](std::uint32_t index, const Value &element) {
    isEmpty = false;
    areOfDevices |= isDeviceKey(index);
    areModules |= element.kind == Value::Object && isModule(state, element.object);
  });
  if (isEmpty && state.isWritten(list.object)) { // whatever the key is
    Value end = list;
    end.set(Value::kConstant);
    end.index = 0;
    return end;
  }
  if (key.kind == Value::Object && !maySayDevice) // what was put there for a device says nothing of who asks for none
    return areOfDevices ? Value{} : list;
  if (key.kind == Value::Object || key.kind == Value::Unknown)
    return {};
  std::optional<std::uint32_t> name = keyed(key);
  bool others = false, there = false; // under keys that may be equal to this one
  Value at = list;
  at.set(Value::kConstant);
  at.index = 0;
  std::uint32_t position = 0;
  state.forPart(list.object, Part::Element, [&](std::uint32_t index, const Value &) {
    if (name && index == *name) {
      there = true;
      at.index = position;
    }
    others |= !isKey(index) || isSymbolKey(index);
    ++position;
  });
  if (there)
    return at;
  if (key.kind == Value::Device && !saysCurrent(state, key)) // what is there for others says nothing
    return {};
  // A text that nobody can read may say a device among other things: what was put there under another one says nothing;
  // unless it is a module, which is called by its name.
  if (key.symbol && !key.has(Value::kOfSize) && others && !areModules && !holdsFunctions(state, list.object) &&
      !areAllOfHost(state, list.object))
    return {};
  if (key.has(Value::kConstant) && areOfDevices)
    return {}; // what it says is that GPU, or another one, or none
  if (key.has(Value::kConstant) && !others && state.shapeOf(list.object) == ListShape::Exact) {
    at.index = position;
    return at;
  }
  return list;
}

/// A key made of several parts tells devices apart as long as one of the parts does; else it is another one as soon as
/// one of the parts is.
Value deviceIn(const State &state, const Value &key) {
  std::vector<Value> parts;
  flatten(state, key, parts);
  auto device = std::find_if(parts.begin(), parts.end(), [](const Value &part) {
    return part.kind == Value::Device || part.has(Value::kOfDevice);
  });
  if (device != parts.end())
    return *device;
  auto unread = std::find_if(parts.begin(), parts.end(), [](const Value &part) { // a yes or no tells few devices apart
    return part.symbol && part.kind != Value::Bool && !part.has(Value::kOfSize);
  });
  return unread == parts.end() ? wholeKey(state, key) : *unread;
}

/// Whether a key may say whose device it is about: it does not if all of it is sizes, types and what is written there.
bool maySayDevice(const State &state, const Instruction &lookup, const Value &key) {
  if (lookup.flags & facts::kUntold)
    return true;
  if (key.kind == Value::Object && state.find(meta(key.object, Meta::Symbolic)))
    return true;
  if (key.kind == Value::Unknown) // a fraction is left out of the facts
    return lookup.args.size() > 1 && lookup.args[1].slot != facts::kNone;
  std::vector<Value> parts;
  flatten(state, key, parts);
  return std::any_of(parts.begin(), parts.end(), [&](const Value &part) {
    if (saysCurrent(state, part))
      return false;
    switch (part.kind) {
    case Value::Int:
      return !isOfSizes(part);
    case Value::String:
      return !part.has(Value::kConstant);
    case Value::Bool: // no GPU's number
    case Value::Null:
      return false;
    default:
      return true;
    }
  });
}

} // namespace samedevice::analysis
