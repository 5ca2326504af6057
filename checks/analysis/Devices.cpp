// Devices, options, and what a branch on them proves.
#include "Devices.h"
#include "Lists.h"
#include "Modules.h"
#include "Values.h"

#include <algorithm>
#include <cstdlib>

namespace samedevice::analysis {

static void learnDevice(Context &context, const Instruction &instruction, Value of, Value &test);
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

/// A device that is given as a string.
static Value parsedDevice(Context &context, const Value &text, SourceId source) {
  Value made = Value::of(Value::Device);
  made.set(Value::kHasDevice);
  if (text.kind == Value::String && text.has(Value::kConstant))
    return parsed(context.universe().names.text(static_cast<std::uint32_t>(text.number)));
  bool named = text.kind == Value::String && text.symbol;
  made.device = DeviceValue::of(context.universe().symbols.intern(
      "parsed " + (named ? std::to_string(text.symbol) : "at " + std::to_string(source)), Symbol::Chosen, source,
      named ? context.universe().symbols[text.symbol].name : ""));
  return made;
}

/// A variable that takes one value after the other, a loop's counter above all: what it is now is not what is written.
static bool isWritten(const Function &code, Slot variable, Opcode how) {
  auto varies = [&](const Instruction &i) { return i.opcode == how && !i.args.empty() && i.args[0].slot == variable; };
  return std::any_of(code.blocks.begin(), code.blocks.end(), [&](const facts::Block &block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(), varies);
  });
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
  auto chosen = [&](Value &device) { device.trail = event(context, Event::Chosen, i, nullptr, device.device); };
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
    if (made.kind != Value::Device || made.device.kind != DeviceValue::Cuda)
      break;
    if (index.kind == Value::Int && index.has(Value::kConstant) &&
        !isWritten(*context.frame.code, i.args[1].slot, Opcode::Assign)) {
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
      SymbolId chosen = context.universe().symbols.intern("index " + std::to_string(index.symbol), Symbol::Index,
                                                          i.source, context.universe().symbols[index.symbol].name);
      made.device = {DeviceValue::Cuda, -1, chosen};
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

void stepCondition(Context &context, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(context, i.args[n]) : Value{}; };
  Value made = Value::of(Value::Bool);
  auto constant = [&](bool truth) {
    made.set(Value::kConstant);
    made.number = truth;
  };
  switch (i.opcode) {
  case Opcode::IsCuda:
  case Opcode::IsCpu: {
    Value of = arg(0);
    DeviceValue device =
        context.state.resolve(of.kind == Value::Options ? optionsDevice(context, of) : deviceOf(context.state, of));
    const bool isOfFailure = device.kind == DeviceValue::Other && device.symbol; // made of a caller's tensor
    if (device.kind == DeviceValue::Symbol || isOfFailure) {
      made.symbol = device.symbol;
      made.set(i.opcode == Opcode::IsCuda ? Value::kIsCudaTest : Value::kIsCpuTest);
    } else if (device.known()) {
      constant(device.kind == (i.opcode == Opcode::IsCuda ? DeviceValue::Cuda : DeviceValue::Cpu));
      made.trail = of.trail;
    } else if (of.kind == Value::Tensor || of.kind == Value::Device) {
      // Unknown until now; from here on it has a name.
      learnDevice(context, i, of, made);
    }
    break;
  }
  case Opcode::IsPinned: {
    const Value of = arg(0);
    std::optional<Place> at;
    if (of.kind == Value::Tensor && !of.object)
      at = placeOf(context, i.args[0]);
    if (of.has(Value::kPinned)) {
      constant(true);
    } else if (context.state.resolve(deviceOf(context.state, of)).kind == DeviceValue::Cuda) {
      constant(false);
    } else if (at && partOf(*at) == Part::Field) {
      made.set(Value::kPinnedTest);
      made.object = objectOf(*at);
      made.index = indexOf(*at);
    }
    break;
  }
  case Opcode::SameDevice: {
    Value a = arg(0), b = arg(1);
    DeviceValue da = context.state.resolve(deviceOf(context.state, a)),
                db = context.state.resolve(deviceOf(context.state, b));
    Relation relation = relate(context.state, da, db);
    const Event *fallback = db.known() ? madeByDefault(b) : madeByDefault(a);
    if (relation.kind == Relation::Same) {
      constant(true);
    } else if (fallback && !(da.known() && db.known())) {
      made.trail = fallback;
      made.device = da.known() ? db : da;
      made.set(Value::kSameTest);
    } else if (relation.kind == Relation::Different && !relation.when) {
      constant(false);
    } else if (da.kind == DeviceValue::Symbol || db.kind == DeviceValue::Symbol) {
      if (da.kind != DeviceValue::Symbol)
        std::swap(da, db);
      made.symbol = da.symbol;
      made.device = db;
      made.set(Value::kSameTest);
    } else if (da.kind == DeviceValue::Cuda && db.kind == DeviceValue::Cuda && (da.symbol || db.symbol)) {
      if (!da.symbol) // both on a GPU: which one, somebody has chosen
        std::swap(da, db);
      made.symbol = da.symbol;
      made.device = db;
      made.set(Value::kSameTest);
    }
    break;
  }
  case Opcode::Available:
    made.symbol = Symbols::kAvailable;
    break;
  case Opcode::Not:
    made = arg(0);
    if (made.kind != Value::Bool)
      made = Value{};
    if (made.has(Value::kConstant))
      made.number = !made.number;
    else
      made.flags ^= Value::kNegated;
    if (made.whole)
      made.flags ^= Value::kNotThePart;
    break;
  case Opcode::Part: {
    const Value part = arg(0);
    if (part.kind == Value::Bool)
      made = part;
    made.whole = context.universe().symbols.intern("part of " + std::to_string(i.source) + ' ' + i.text, Symbol::Plain,
                                                   i.source, i.text);
    made.set(Value::kNotThePart, false);
    break;
  }
  case Opcode::Compare: {
    Value a = arg(0), b = arg(1);
    if (a.kind == Value::Bool && b.kind == Value::Bool && (i.text == "!=" || i.text == "==")) {
      // `a.is_cuda() != b.is_cuda()` asks for the same as `a.device() != b.device()`.
      if (!a.has(Value::kConstant))
        std::swap(a, b);
      const bool isTest = b.has(Value::kIsCudaTest) || b.has(Value::kIsCpuTest);
      if (const Event *fallback = a.has(Value::kConstant) && isTest ? madeByDefault(a) : nullptr) {
        made.trail = fallback;
        made.device = DeviceValue::of(b.symbol);
        made.set(Value::kSameTest);
        made.set(Value::kNegated, i.text == "!=");
        break;
      }
    }
    if (a.kind == Value::Bool && b.kind == Value::Int && b.has(Value::kConstant) &&
        (i.text == "!=" || i.text == "==")) {
      // A condition that went through an integer, as in __builtin_expect(c, 0) != 0.
      bool same = (b.number != 0) == (i.text == "==");
      made = a;
      if (!same) {
        if (made.has(Value::kConstant))
          made.number = !made.number;
        else
          made.flags ^= Value::kNegated;
      }
      break;
    }
    if (a.kind == Value::Device && b.kind == Value::Device && (i.text == "!=" || i.text == "==")) {
      if (b.device.symbol == currentAtFirst(context.state))
        std::swap(a, b);
      if (a.device.symbol != currentAtFirst(context.state))
        break;
      made.symbol = a.device.symbol;
      made.device = b.device;
      made.set(Value::kSameTest);
      made.set(Value::kNegated, i.text == "!=");
      break;
    }
    constexpr std::int64_t few = 4;
    const bool isOpen = !b.has(Value::kConstant) || b.number > few;
    if (i.number && isOpen && a.kind == Value::Int && a.has(Value::kConstant)) {
      const bool isNumberOfGpus = b.kind == Value::Int && b.symbol && b.symbol == numberOfGpus(context.state);
      const bool isLacking = isNumberOfGpus && context.state.truth(Symbols::kAvailable) == 0;
      constant(a.number < i.number && !isLacking);
      if (isNumberOfGpus && !isLacking) // there is one, or nobody comes by
        context.state.assume(Symbols::kAvailable, true);
      break;
    }
    auto fixed = [](const Value &v) { return v.has(Value::kConstant) || v.symbol; };
    if (a.kind != b.kind || (a.kind != Value::Int && a.kind != Value::String && a.kind != Value::Bool) || !fixed(a) ||
        !fixed(b))
      break;
    if (a.has(Value::kConstant) && b.has(Value::kConstant)) {
      std::int64_t x = a.number, y = b.number;
      bool ordered = a.kind == Value::Int;
      if (i.text == "==")
        constant(x == y);
      else if (i.text == "!=")
        constant(x != y);
      else if (ordered)
        constant(i.text == "<" ? x < y : i.text == "<=" ? x <= y : i.text == ">" ? x > y : x >= y);
      break;
    }
    std::string text = i.text;
    // Whether a list has anything in it, however that is asked: one test.
    const bool isSize = a.object && b.has(Value::kConstant);
    if (isSize && b.number == 1 && (text == "<" || text == ">=")) {
      text = text == "<" ? "==" : "!=";
      b.number = 0;
    } else if (isSize && b.number == 0 && text == ">") {
      text = "!=";
    }
    auto key = [](const Value &v) {
      return v.has(Value::kConstant) ? "=" + std::to_string(v.number) : "s" + std::to_string(v.symbol);
    };
    bool negated = text == "!=" || text == ">=" || text == "<=";
    // One symbol for a test and its opposite: a != b is not (a == b), a >= b is not (a < b).
    if (text == "!=")
      text = "==";
    else if (text == ">=")
      text = "<";
    else if (text == "<=")
      text = ">";
    if (isSize && text == "==" && b.number == 0) {
      made.object = a.object;
      made.index = a.index;
    }
    std::string left = key(a), right = key(b);
    if (text == ">" || (text == "==" && right < left)) {
      std::swap(left, right);
      if (text == ">")
        text = "<";
    }
    made.symbol = context.universe().symbols.test("test " + left + text + right, i.source, {a.symbol, b.symbol});
    made.set(Value::kNegated, negated);
    break;
  }
  case Opcode::IsDefined: {
    Value of = arg(0);
    if (of.kind == Value::Null || (i.text == "tensor" && of.kind == Value::Object))
      constant(false);
    else if (i.text == "tensor" && of.has(Value::kAnything))
      break;
    else if (of.kind == Value::Int && of.has(Value::kConstant))
      constant(true);
    else if (of.kind == Value::Int && of.symbol)
      made.symbol = context.universe().symbols.intern("given " + std::to_string(of.symbol),
                                                      Symbol::Plain); // wherever it is asked
    else if (of.kind == Value::Tensor && of.trail && of.trail->kind == Event::Parameter && of.device.symbol)
      made.symbol =
          context.universe().symbols.intern("given " + std::to_string(of.device.symbol), Symbol::Plain); // or left out
    else if (of.kind == Value::Object || ((of.kind == Value::Tensor || of.kind == Value::Device) && of.trail))
      constant(true);
    break;
  }
  default:
    return;
  }
  define(context, i.dest, made);
}

static void learnDevice(Context &context, const Instruction &i, Value of, Value &test) {
  std::optional<Place> target = placeOf(context, i.args[0]);
  if (!target || of.object)
    return;
  SymbolId symbol = context.universe().symbols.intern(
      "device seen at " + std::to_string(*target) + '/' + std::to_string(i.source), Symbol::Plain, i.args[0].source);
  context.state.forget(symbol);
  of.device = DeviceValue::of(symbol);
  context.state.set(*target, of);
  test.symbol = symbol;
  test.set(i.opcode == Opcode::IsCuda ? Value::kIsCudaTest : Value::kIsCpuTest);
}

/// Where a tensor is on the CPU because nobody said anything else: its making.
const Event *madeByDefault(const Value &device) {
  for (const Event *event = device.trail; event && event->kind != Event::Moved; event = event->previous)
    if (event->kind == Event::CreatedByDefault)
      return event;
  return nullptr;
}

/// `if (a.is_cuda() && b.is_cuda()) ... else ...`: what is known in the `else` is that one of the two failed, and not
/// which one. What the first was found to be holds only as long as the whole does.
static void concludeOn(State &state, const Value &part, bool truth, const std::vector<SymbolId> &learnt) {
  const Symbol &whole = state.universe().symbols[part.whole];
  const std::size_t between = whole.name.find(' ');
  const std::string said = truth ? whole.name.substr(0, between) : whole.name.substr(between + 1);
  if (said != "open")
    state.forgetParts(whole.source, said != "yes");
  else
    for (SymbolId symbol : learnt)
      state.learntFromPart(symbol, whole.source, truth);
}

void assume(State &state, const Value &condition, bool truth) {
  if (condition.kind != Value::Bool)
    return;
  if (condition.whole) {
    const bool isDeviceTest = condition.has(Value::kIsCudaTest) || condition.has(Value::kIsCpuTest);
    const DeviceValue before = isDeviceTest ? state.resolve(DeviceValue::of(condition.symbol)) : DeviceValue{};
    Value alone = condition;
    alone.whole = 0;
    assume(state, alone, truth);
    if (state.infeasible)
      return;
    std::vector<SymbolId> learnt;
    if (before.kind == DeviceValue::Symbol)
      learnt.push_back(before.symbol);
    else if (condition.has(Value::kConstant)) // a function that was asked has learnt it before it knew the answer
      learnt = state.allJustLearnt();
    concludeOn(state, condition, truth != condition.has(Value::kNotThePart), learnt);
    return;
  }
  if (condition.has(Value::kConstant)) {
    state.infeasible |= (condition.number != 0) != truth;
    return;
  }
  if (condition.has(Value::kNegated))
    truth = !truth;
  if (condition.has(Value::kIsCudaTest))
    state.assumeCuda(condition.symbol, truth);
  else if (condition.has(Value::kIsCpuTest))
    state.assumeCuda(condition.symbol, !truth);
  else if (condition.has(Value::kSameTest)) {
    // Who makes sure of it before use says nothing about where the other one is.
    if (truth && condition.trail)
      state.follow(condition.trail, condition.device);
    else if (truth && condition.symbol == currentAtFirst(state))
      state.setCurrentDevice({DeviceValue::Cuda, condition.device.index, condition.device.symbol});
    else if (truth)
      state.equate(DeviceValue::of(condition.symbol), condition.device);
  } else if (condition.has(Value::kPinnedTest)) {
    const Place at = field(condition.object, condition.index);
    if (Value tensor = state.get(at); truth && tensor.kind == Value::Tensor) {
      state.assumeCuda(tensor.device.symbol, false); // what is pinned is the host's
      tensor.set(Value::kPinned);
      state.set(at, tensor);
    }
  } else if (condition.symbol) {
    state.assume(condition.symbol, truth);
    const bool isUnchanged =
        condition.object && elements(state, objectValue(condition.object)).size() == condition.index;
    if (truth && isUnchanged) // it is empty on this path: what other paths put in is not there
      clearList(state, condition.object);
  }
}

/// Whether it is certain on this path.
bool holds(State state, const Value &condition) {
  assume(state, condition, false);
  return state.infeasible;
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
  switch (symbol.kind) {
  case Symbol::Chosen:
    return {Where::Chosen, symbol.name, isCuda};
  case Symbol::Index:
    return {Where::Picked, symbol.name, isCuda};
  case Symbol::FromCaller:
    return symbol.name.empty() ? where : Where{symbol.isOwners ? Where::Owners : Where::Callers, symbol.name, isCuda};
  case Symbol::Recorded:
    return {Where::Recorded, {}, isCuda};
  case Symbol::Plain:
    break;
  }
  return where;
}

} // namespace samedevice::analysis
