// What a condition says, and what is known where it holds, or does not.
#include "Conditions.h"
#include "Devices.h"
#include "Lists.h"
#include "Modules.h"
#include "Questions.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

static void learnDevice(Context &context, const Instruction &instruction, Value of, Value &test);

/// `device_count() > 0` asks for the same as `is_available()` does: 1, for the opposite of it 0; else -1.
static int asksForAnyGpu(const State &state, const Value &a, const Value &b, Mode mode) {
  const SymbolId count = numberOfGpus(state);
  const bool isLeft = a.symbol == count && b.has(Value::kConstant),
             isRight = b.symbol == count && a.has(Value::kConstant);
  if (!isLeft && !isRight)
    return -1;
  const std::int64_t than = isLeft ? b.number : a.number;
  auto is = [&](Mode fromLeft, Mode fromRight, std::int64_t number) {
    return mode == (isLeft ? fromLeft : fromRight) && than == number;
  };
  if (is(Mode::NotEqual, Mode::NotEqual, 0) || is(Mode::Greater, Mode::Less, 0) ||
      is(Mode::GreaterEqual, Mode::LessEqual, 1))
    return 1;
  return is(Mode::Equal, Mode::Equal, 0) || is(Mode::LessEqual, Mode::GreaterEqual, 0) ||
                 is(Mode::Less, Mode::Greater, 1)
             ? 0
             : -1;
}

/// `device >= 0`, of the index of a device, which is -1 for the CPU.
static bool asksForAnyIndex(Mode mode, const Value &bound) {
  if (!bound.has(Value::kConstant))
    return false;
  return bound.number == 0 ? mode == Mode::GreaterEqual || mode == Mode::Less
                           : bound.number == -1 && (mode == Mode::Greater || mode == Mode::NotEqual ||
                                                    mode == Mode::Equal || mode == Mode::LessEqual);
}

void stepCondition(Context &context, const Instruction &i) {
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(context, i.args[n]) : Value{}; };
  Value made = Value::of(Value::Bool);
  auto constant = [&](bool truth) {
    made.set(Value::kConstant);
    made.number = truth;
  };
  /// Where one is known and the other is not, the answer says where that is.
  auto compareDevices = [&](Value a, Value b) {
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
  case Opcode::SameDevice:
    compareDevices(arg(0), arg(1));
    break;
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
    made.whole = context.universe().symbols.partOf(i.source, i.mode);
    made.set(Value::kNotThePart, false);
    break;
  }
  case Opcode::Asked:
    made = answerTo(context, i);
    break;
  case Opcode::Reopen:
    return reopen(context, i);
  case Opcode::Compare: {
    Value a = arg(0), b = arg(1);
    if (a.kind == Value::Bool && b.kind == Value::Bool && (i.mode == Mode::NotEqual || i.mode == Mode::Equal)) {
      // `a.is_cuda() != b.is_cuda()` asks for the same as `a.device() != b.device()`.
      if (!a.has(Value::kConstant))
        std::swap(a, b);
      const bool isTest = b.has(Value::kIsCudaTest) || b.has(Value::kIsCpuTest);
      if (const Event *fallback = a.has(Value::kConstant) && isTest ? madeByDefault(a) : nullptr) {
        made.trail = fallback;
        made.device = DeviceValue::of(b.symbol);
        made.set(Value::kSameTest);
        made.set(Value::kNegated, i.mode == Mode::NotEqual);
        break;
      }
    }
    if (a.kind == Value::Bool && b.kind == Value::Int && b.has(Value::kConstant) &&
        (i.mode == Mode::NotEqual || i.mode == Mode::Equal)) {
      // A condition that went through an integer, as in __builtin_expect(c, 0) != 0.
      bool same = (b.number != 0) == (i.mode == Mode::Equal);
      made = a;
      if (!same) {
        if (made.has(Value::kConstant))
          made.number = !made.number;
        else
          made.flags ^= Value::kNegated;
      }
      break;
    }
    if (a.kind == Value::Device && b.kind == Value::Int && asksForAnyIndex(i.mode, b)) {
      const DeviceValue device = context.state.resolve(a.device);
      const bool isNone = i.mode == Mode::Less || i.mode == Mode::LessEqual || i.mode == Mode::Equal;
      if (device.kind == DeviceValue::Symbol) {
        made.symbol = device.symbol;
        made.set(Value::kIsCudaTest);
        made.set(Value::kNegated, isNone);
      } else if (device.kind == DeviceValue::Cpu ||
                 (device.kind == DeviceValue::Cuda && (device.index >= 0 || device.symbol))) {
        constant((device.kind == DeviceValue::Cuda) != isNone);
      }
      break;
    }
    if (a.kind == Value::Device && b.kind == Value::Device && (i.mode == Mode::NotEqual || i.mode == Mode::Equal)) {
      if (b.device.symbol == currentAtFirst(context.state))
        std::swap(a, b);
      if (a.device.symbol != currentAtFirst(context.state)) { // numbers of GPUs
        compareDevices(a, b);
        if (i.mode == Mode::NotEqual && made.has(Value::kConstant))
          made.number = !made.number;
        else
          made.set(Value::kNegated, i.mode == Mode::NotEqual);
        break;
      }
      made.symbol = a.device.symbol;
      made.device = b.device;
      made.set(Value::kSameTest);
      made.set(Value::kNegated, i.mode == Mode::NotEqual);
      break;
    }
    constexpr std::int64_t few = 4;
    const bool isOpen = !b.has(Value::kConstant) || b.number > few;
    if (i.number && isOpen && a.kind == Value::Int && a.has(Value::kConstant)) {
      const bool isNumberOfGpus = b.kind == Value::Int && b.symbol && b.symbol == numberOfGpus(context.state);
      const bool isLacking = isNumberOfGpus && context.state.lacksGpu();
      constant(a.number < i.number && !isLacking);
      if (isNumberOfGpus && !isLacking) // there is one, or nobody comes by
        context.state.assume(Symbols::kAvailable, true);
      break;
    }
    for (Value *position : {&a, &b}) // of a loop over a list: a number, as far as its turns are told apart
      if (const bool isPosition = position->kind == Value::Object && position->has(Value::kConstant);
          isPosition && position->index != Value::kSomewhere)
        *position = Value::constant(Value::Int, position->index);
    auto fixed = [](const Value &v) { return v.has(Value::kConstant) || v.symbol; };
    if (a.kind != b.kind || (a.kind != Value::Int && a.kind != Value::String && a.kind != Value::Bool) || !fixed(a) ||
        !fixed(b))
      break;
    if (a.has(Value::kConstant) && b.has(Value::kConstant)) {
      std::int64_t x = a.number, y = b.number;
      bool ordered = a.kind == Value::Int;
      if (i.mode == Mode::Equal)
        constant(x == y);
      else if (i.mode == Mode::NotEqual)
        constant(x != y);
      else if (ordered)
        constant(i.mode == Mode::Less        ? x < y
                 : i.mode == Mode::LessEqual ? x <= y
                 : i.mode == Mode::Greater   ? x > y
                                             : x >= y);
      break;
    }
    Mode mode = i.mode;
    // Whether a list has anything in it, however that is asked: one test.
    const bool isSize = a.object && b.has(Value::kConstant);
    if (isSize && b.number == 1 && (mode == Mode::Less || mode == Mode::GreaterEqual)) {
      mode = mode == Mode::Less ? Mode::Equal : Mode::NotEqual;
      b.number = 0;
    } else if (isSize && b.number == 0 && mode == Mode::Greater) {
      mode = Mode::NotEqual;
    }
    if (const int isAny = asksForAnyGpu(context.state, a, b, mode); isAny >= 0) {
      made.symbol = Symbols::kAvailable;
      made.set(Value::kNegated, !isAny);
      break;
    }
    bool negated = mode == Mode::NotEqual || mode == Mode::GreaterEqual || mode == Mode::LessEqual;
    // One symbol for a test and its opposite: a != b is not (a == b), a >= b is not (a < b).
    if (mode == Mode::NotEqual)
      mode = Mode::Equal;
    else if (mode == Mode::GreaterEqual)
      mode = Mode::Less;
    else if (mode == Mode::LessEqual)
      mode = Mode::Greater;
    if (isSize && mode == Mode::Equal && b.number == 0) {
      made.object = a.object;
      made.index = a.index;
    }
    if (mode == Mode::Greater)
      std::swap(a, b);
    auto symbolOf = [](const Value &v) { return v.has(Value::kConstant) ? 0 : v.symbol; };
    Symbols::Test test;
    test.isEqual = mode == Mode::Equal;
    test.first = symbolOf(a);
    test.second = symbolOf(b);
    test.known = test.first && test.second ? 0 : (test.first ? b : a).number;
    if (const int known = context.state.deduced(test); known >= 0) {
      constant((known != 0) != negated);
      break;
    }
    made.symbol = context.universe().symbols.test(test, i.source);
    made.set(Value::kNegated, negated);
    break;
  }
  case Opcode::IsDefined: {
    Value of = arg(0);
    if (of.kind == Value::Null || (i.mode == Mode::Tensor && of.kind == Value::Object))
      constant(false);
    else if ((i.mode == Mode::Tensor && of.has(Value::kAnything)) || of.has(Value::kWasCurrent)) // null, if the default
      break;
    else if (of.kind == Value::Int && of.has(Value::kConstant))
      constant(true);
    else if (of.kind == Value::Int && of.symbol)
      made.symbol = context.universe().symbols.intern("given " + std::to_string(of.symbol),
                                                      Symbol::Plain); // wherever it is asked
    else if (of.kind == Value::Tensor && of.trail && of.trail->kind == Event::Parameter && of.device.symbol)
      made.symbol =
          context.universe().symbols.intern("given " + std::to_string(of.device.symbol), Symbol::Plain); // or left out
    else if (of.kind == Value::Object && of.object && context.state.get(meta(of.object, Meta::Symbolic)).symbol)
      made.symbol = context.universe().symbols.intern("given object " + std::to_string(of.object), Symbol::Plain);
    else if (of.kind == Value::Guard || of.kind == Value::Object ||
             ((of.kind == Value::Tensor || of.kind == Value::Device) && of.trail))
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
  const facts::Answer said = facts::answerOf(whole.part, truth);
  if (said != facts::Answer::Open)
    state.forgetParts(whole.source, said != facts::Answer::Yes);
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

bool holds(State state, const Value &condition) {
  assume(state, condition, false);
  return state.infeasible;
}

} // namespace samedevice::analysis
