// Devices, options, and what a branch on them proves.
#include "Devices.h"
#include "Blocks.h"
#include "Conditions.h"
#include "Modules.h"
#include "Unseen.h"
#include "Values.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace samedevice::analysis {

namespace {

/// "cuda:1", "cpu", "cuda"; anything else is a device we do not reason about.
Value parsed(const std::string &text) {
  Value value = Value::of(Value::Device);
  value.set(Value::kHasDevice);
  value.set(Value::kLiteral);
  if (text == "cpu" || text.rfind("cpu:", 0) == 0) {
    value.device = DeviceValue::cpu();
  } else if (text == "cuda") {
    value.device = DeviceValue::cuda(-1);
    value.set(Value::kNoIndex);
  } else if (text.rfind("cuda:", 0) == 0) {
    value.device = DeviceValue::cuda(std::atoi(text.c_str() + 5));
  } else {
    value.device.kind = DeviceValue::Other;
  }
  return value;
}

} // namespace

/// The number of a GPU that somebody chooses.
static SymbolId chosenIndex(Context &context, SymbolId number, SourceId source) {
  Symbols &symbols = context.universe().symbols;
  return symbols.intern("index " + std::to_string(number), Symbol::Index, source, symbols[number].name);
}

SymbolId pickedBy(Context &context, const Value &given) {
  return given.kind == Value::Int && given.symbol ? chosenIndex(context, given.symbol, 0) : given.device.symbol;
}

/// A device that is given as a string.
static Value parsedDevice(Context &context, const Value &text, SourceId source) {
  Value made = Value::of(Value::Device);
  made.set(Value::kHasDevice);
  const bool begins = text.kind == Value::String && text.has(Value::kBegins);
  if (text.kind == Value::String && text.has(Value::kConstant))
    return parsed(context.universe().names.text(static_cast<std::uint32_t>(text.number)));
  if (begins && context.universe().names.text(static_cast<std::uint32_t>(text.number)).rfind("cuda", 0) == 0) {
    made.device = {DeviceValue::Cuda, -1, chosenIndex(context, text.index ? text.index : text.symbol, source)};
    return made;
  }
  if (text.kind == Value::Device) { // made of its name, or of its number
    made.device = text.device;
    return made;
  }
  bool named = text.kind == Value::String && text.symbol;
  made.device = DeviceValue::of(context.universe().symbols.intern(
      "parsed " + (named ? std::to_string(text.symbol) : "at " + std::to_string(source)), Symbol::Chosen, source,
      named ? context.universe().symbols[text.symbol].name : ""));
  return made;
}

/// A variable that takes one value after the other, a loop's counter above all: what it is now is not what is written.
static bool isWritten(const Function &code, Slot variable, Opcode how) {
  return hasInstruction(
      code, [&](const Instruction &i) { return i.opcode == how && !i.args.empty() && i.args[0].slot == variable; });
}

void noteApart(Context &context, DeviceValue from, DeviceValue to) {
  const SymbolId here = context.state.resolve(from).symbol, there = context.state.resolve(to).symbol;
  if (here && there && here != there)
    context.evidence.apart.note(std::minmax(here, there));
}

SymbolId inputsOf(Universe &universe, facts::ClassId cls, SymbolId caller) {
  return universe.symbols.intern("inputs of class " + std::to_string(cls) + ' ' + universe.symbols[caller].name,
                                 Symbol::Plain);
}

static bool isMethod(const Function &code) { return code.cls != facts::kNone && !code.isStatic; }

facts::ClassId keeperOf(const Context &context, const Value &tensor) {
  for (const Frame *frame = &context.frame; frame; frame = frame->caller) {
    const Value self = isMethod(*frame->code) ? follow(context.state, context.state.get(field(frame->id, 0))) : Value{};
    bool isMember = false;
    if (self.kind == Value::Object)
      context.state.forPart(self.object, Part::Field, [&](std::uint32_t, const Value &member) {
        isMember |= member.kind == Value::Tensor && member.trail && hasStep(tensor.trail, member.trail);
      });
    if (isMember)
      return frame->code->cls;
  }
  return facts::kNone;
}

void noteBroughtToCaller(Context &context, const Value &tensor, SymbolId caller) {
  const bool isOwn = context.state.resolve(deviceOf(context.state, tensor)).kind == DeviceValue::Cpu &&
                     latest(tensor.trail, Event::CreatedByDefault);
  if (isOwn)
    context.evidence.apart.note({0, caller});
  const facts::ClassId keeper = keeperOf(context, tensor);
  for (const Frame *frame = &context.frame; frame; frame = frame->caller)
    if (isMethod(*frame->code) && (isOwn || keeper == frame->code->cls))
      context.evidence.apart.note({0, inputsOf(context.universe(), frame->code->cls, caller)});
}

void stepDevice(Context &context, const Instruction &i) {
  auto arg = [&](std::size_t n) {
    Value given = n < i.args.size() ? value(context, i.args[n]) : Value{};
    if (given.kind == Value::String && i.opcode != Opcode::DeviceParse) {
      given = parsedDevice(context, given, i.source);
      given.trail = event(context, Event::Chosen, i, nullptr, given.device);
    }
    return given;
  };
  auto chosen = [&](Value &device) { // about itself: a GPU by a number that is written here
    const bool isWrittenHere = device.has(Value::kLiteral) && device.device.index >= 0;
    device.trail = event(context, Event::Chosen, i, nullptr, device.device, isWrittenHere ? i.source : 0);
  };
  Value made = Value::of(Value::Device);
  made.set(Value::kHasDevice);
  switch (i.opcode) {
  case Opcode::Device:
    made = parsed(i.text);
    if (i.flags & facts::kShared) // the program's choice, not this function's
      made.set(Value::kLiteral, false);
    chosen(made);
    break;
  case Opcode::DeviceMake: {
    made = arg(0);
    Value given = arg(1), index = given;
    if (const DeviceValue type = made.kind == Value::Device ? context.state.resolve(made.device) : DeviceValue();
        made.device.kind == DeviceValue::Symbol && type.kind == DeviceValue::Cuda &&
        given.has(Value::kConstant)) { // the kind of a tensor's device, not its number
      made.device = type;
      made.device.symbol = 0;
      made.set(Value::kLiteral);
    }
    if (made.kind != Value::Device || made.device.kind != DeviceValue::Cuda)
      break;
    if (i.args.size() < 2) { // of the kind alone: the current one
      if (made.device.index < 0 && !made.device.symbol)
        break;
      made.set(Value::kLiteral);
      made.device = DeviceValue::cuda(-1);
      made.set(Value::kNoIndex);
      chosen(made);
      break;
    }
    if (index.kind == Value::Int && index.has(Value::kConstant) &&
        (index.has(Value::kOfChoice) || !isWritten(*context.frame.code, i.args[1].slot, Opcode::Assign))) {
      made.device.index = static_cast<std::int16_t>(index.number);
      made.set(Value::kNoIndex, index.number < 0);
      // The caller's choice, or a turn of a loop: whatever it was this time.
      if (i.args[1].slot < context.frame.code->paramCount || index.has(Value::kCounted) ||
          isWritten(*context.frame.code, i.args[1].slot, Opcode::Advance))
        made.set(Value::kLiteral, false);
    } else {
      made.set(Value::kLiteral, false); // somebody chooses the index
      made.set(Value::kNoIndex, false);
      if (!index.symbol)
        index = someInt(context, i.source);
      made.device = {DeviceValue::Cuda, -1, chosenIndex(context, index.symbol, i.source)};
      if (given.kind == Value::Device)
        made.device = given.device;
    }
    chosen(made);
    break;
  }
  case Opcode::DeviceParse: {
    made = parsedDevice(context, arg(0), i.source);
    chosen(made);
    break;
  }
  case Opcode::DeviceOf: {
    Value of = arg(0);
    made.device = of.kind == Value::Options ? optionsDevice(context, of) : deviceOf(context.state, of);
    made.trail = of.trail;
    if (of.kind == Value::Device || of.kind == Value::Null) // device_of() an undefined tensor: none
      made = of;
    break;
  }
  case Opcode::CurrentDevice:
    made.device = context.state.currentDevice();
    if (made.device.kind == DeviceValue::Cuda && made.device.index < 0 && !made.device.symbol)
      made.device.symbol = currentAtFirst(context.state);
    break;
  case Opcode::Options: {
    Value device = arg(0);
    made = Value{};
    made.kind = Value::Options;
    if (i.args.size() > 1 && !holds(context.state, arg(1))) // pinned_memory(no)
      break;
    if (device.kind == Value::Device || (device.kind == Value::Options && device.has(Value::kHasDevice))) {
      made.flags = device.flags;
      made.device = device.device;
      made.trail = device.trail;
      made.set(Value::kHasDevice);
    } else if (!i.args.empty() && i.args[0].slot != facts::kNone && device.kind != Value::Null) {
      made.set(Value::kHasDevice); // some device that we cannot see
    } else {
      made.trail = event(context, Event::OptionsMade, i, nullptr, {}, i.source);
    }
    made.set(Value::kPinned, i.flags & facts::kPinned);
    break;
  }
  case Opcode::OptionsWith: {
    made = arg(0);
    if (made.kind != Value::Options)
      made = Value{};
    made.kind = Value::Options;
    if (i.args.size() > 2 && !holds(context.state, arg(2))) // pinned_memory(no)
      break;
    Value device = arg(1);
    if ((i.flags & facts::kDiscarded) && made.trail && i.args.size() == 2)
      context.evidence.noteDropped(made.trail, {&i, i.args[0].source, optionsDevice(context, device)});
    bool pinned = made.has(Value::kPinned);
    made.flags = device.kind == Value::Device || device.kind == Value::Options ? device.flags : 0;
    made.device = device.device;
    made.trail = device.trail;
    made.set(Value::kHasDevice);
    made.set(Value::kPinned, pinned || (i.flags & facts::kPinned));
    break;
  }
  case Opcode::OptionsOf: {
    Value tensor = arg(0);
    made.kind = Value::Options;
    made.device = deviceOf(context.state, tensor);
    made.trail = tensor.trail;
    made.set(Value::kOfTensor);
    break;
  }
  default:
    return;
  }
  define(context, i.dest, made);
}

DeviceValue deviceOf(const State &state, const Value &value) {
  switch (value.kind) {
  case Value::Tensor:
    if (value.object) {
      Value cell = state.get(meta(value.object, Meta::Device));
      return cell.kind == Value::Tensor ? cell.device : DeviceValue{};
    }
    return value.device;
  case Value::Device:
  case Value::Pointer:
    return value.device;
  case Value::Object: {
    DeviceValue found;
    bool first = true;
    forLeaves(state, value.object, [&](ObjectId, const Value &leaf) {
      if (first)
        found = leaf.device;
      else if (leaf.device != found)
        found = {};
      first = false;
    });
    return found;
  }
  case Value::Options:
    return value.has(Value::kHasDevice) ? value.device : DeviceValue::cpu();
  default:
    return {};
  }
}

DeviceValue optionsDevice(Context &context, const Value &options) {
  DeviceValue device;
  if (options.kind == Value::Options || options.kind == Value::Device)
    device = options.kind == Value::Device || options.has(Value::kHasDevice) ? options.device : DeviceValue::cpu();
  else if (options.kind == Value::Tensor)
    return deviceOf(context.state, options);
  else
    return device;
  // cuda without an index is the current one when the tensor is made.
  if (device.kind == DeviceValue::Cuda && device.index < 0 && !device.symbol) {
    DeviceValue current = context.state.currentDevice();
    if (current.kind == DeviceValue::Cuda)
      return current;
  }
  return device;
}

Relation relate(const State &state, DeviceValue a, DeviceValue b) {
  a = state.resolve(a);
  b = state.resolve(b);
  auto unclear = [](const DeviceValue &d) { return d.kind == DeviceValue::Unknown || d.kind == DeviceValue::Other; };
  if (unclear(a) || unclear(b))
    return {};
  if (a == b)
    return {Relation::Same, 0, true};
  if (a.kind == DeviceValue::Symbol && b.kind == DeviceValue::Symbol) {
    // A file's device against one that was chosen: nothing says they agree.
    bool recordedA = state.universe().symbols[a.symbol].kind == Symbol::Recorded,
         recordedB = state.universe().symbols[b.symbol].kind == Symbol::Recorded;
    if (recordedA != recordedB && state.universe().symbols.mayBeCuda(recordedA ? b.symbol : a.symbol))
      return {Relation::Different, recordedA ? b.symbol : a.symbol, true};
    return {};
  }
  if (a.kind == DeviceValue::Symbol)
    std::swap(a, b);
  if (b.kind == DeviceValue::Symbol) {
    const Symbol::Kind kind = state.universe().symbols[b.symbol].kind;
    // A file was saved from somewhere: nobody knows that it was not the CPU.
    if (kind == Symbol::Plain || (kind == Symbol::Recorded && a.kind == DeviceValue::Cpu))
      return {};
    return {Relation::Different, b.symbol, a.kind == DeviceValue::Cpu};
  }
  if (a.kind != b.kind)
    return {Relation::Different, 0, true};
  if (a.kind == DeviceValue::Cuda && a.index >= 0 && b.index >= 0)
    return {Relation::Different, 0, true};
  if (a.index < 0)
    std::swap(a, b);
  // A written index against one that somebody chooses, or the GPU of a tensor that was handed in.
  const bool chosen = b.symbol && (state.universe().symbols[b.symbol].kind == Symbol::Index ||
                                   state.universe().symbols[b.symbol].kind == Symbol::FromCaller);
  if (a.kind == DeviceValue::Cuda && a.index >= 0 && chosen)
    return {Relation::Different, b.symbol, false, a.index};
  return {};
}

Value tensorOn(DeviceValue device, const Event *trail, std::uint32_t flags, int dims) {
  Value tensor = Value::of(Value::Tensor);
  tensor.device = device;
  tensor.trail = trail;
  tensor.flags = flags;
  tensor.dims = static_cast<std::uint8_t>(dims);
  return tensor;
}

Where describe(const State &state, DeviceValue device) {
  if (device.kind == DeviceValue::Cpu)
    return {Where::Device, "cpu"};
  const bool isCuda = device.kind == DeviceValue::Cuda;
  if (isCuda && device.index >= 0)
    return {Where::Device, "cuda:" + std::to_string(device.index)};
  Where where{isCuda ? Where::Device : Where::Unsaid, isCuda ? "cuda" : "", isCuda};
  if (!isCuda && device.kind != DeviceValue::Symbol)
    return where;
  const Symbol &symbol = state.universe().symbols[device.symbol];
  // The place in a tuple is no name that anybody knows.
  const std::string name =
      symbol.name.empty() || std::isdigit(static_cast<unsigned char>(symbol.name[0])) ? "" : symbol.name;
  switch (symbol.kind) {
  case Symbol::Chosen:
    return {Where::Chosen, name, isCuda};
  case Symbol::Index:
    return {Where::Picked, name, isCuda};
  case Symbol::FromCaller:
    return name.empty() ? where : Where{symbol.isOwners ? Where::Owners : Where::Callers, name, isCuda};
  case Symbol::Recorded:
    return {Where::Recorded, {}, isCuda};
  case Symbol::Plain:
    break;
  }
  return where;
}

} // namespace samedevice::analysis
