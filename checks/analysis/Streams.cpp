// Streams: a kernel on the default stream, over memory that PyTorch works on in its current one. The two are one stream
// until somebody makes another one current; then nothing keeps the kernel from running first.
#include "Attribution.h"
#include "Control.h"
#include "Devices.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

void setStream(Context &context, const Value &stream) {
  context.state.forget(Symbols::kDefaultIsCurrent);
  if (stream.kind == Value::Null)
    context.state.assume(Symbols::kDefaultIsCurrent, true);
  // What a program keeps for later, and makes current then, is of the pool if it takes any from there.
  const bool isKept = stream.kind == Value::Unknown && context.program().takesOfPool;
  if (isKept || (stream.kind == Value::Device && stream.has(Value::kOfPool)))
    context.state.assume(Symbols::kDefaultIsCurrent, false);
}

/// Memory that is given to what runs on a stream.
struct GivenMemory {
  const Event *taken; ///< the pointer to it
  bool mayWrite;
};

namespace {

/// What the pointer leads to: the making of the tensor, or its coming from a caller or out of a function.
const Event &memoryBehind(const Event &taken) {
  const Event *made = taken.previous;
  while (made && made->previous && (made->kind == Event::Stored || made->kind == Event::Kept))
    made = made->previous;
  return made ? *made : taken;
}

/// Where it is noted that kernels of the program's own may still work on this memory on a stream of the pool, for which
/// nobody has waited; true: that they may write there.
Place onPool(const Event &memory) { return place(0, Part::Tensor, memory.order & kLastIndex); }

} // namespace

static void forgetPool(State &state) { state.eraseAll(0, Part::Tensor); }

void noteWaited(State &state) {
  state.assume(Symbols::kSettled, true);
  forgetPool(state);
}

/// A function that nobody can see into may have waited for the kernels of the pool. One that gets no tensor and gives
/// nothing back has little else to do between two kernels.
void noteMaybeWaited(Context &context, const Instruction &unseen) {
  forgetPool(context.state);
  const bool getsMemory = std::any_of(unseen.args.begin(), unseen.args.end(), [&](const Operand &operand) {
    const Value given = value(context, operand);
    return given.kind == Value::Tensor || given.kind == Value::Pointer;
  });
  if (unseen.dest == facts::kNone && !getsMemory)
    noteWaited(context.state);
}

/// PyTorch gets something to do, on its current stream; or the host waits for a result, and with it for all before.
void noteWork(Context &context, const Instruction &i) {
  const bool isDone = context.state.truth(Symbols::kSettled) >= 0;
  const bool makesRoomOnly =
      (i.opcode == Opcode::New || i.opcode == Opcode::Like) && i.text.find("empty") != std::string::npos;
  if (isDone && i.opcode != Opcode::View && !makesRoomOnly)
    context.state.forget(Symbols::kSettled);
  const bool bringsHome =
      i.opcode == Opcode::Move && !(i.flags & facts::kNonBlocking) && i.args.size() > 1 &&
      context.state.resolve(deviceOf(context.state, value(context, i.args[1]))).kind == DeviceValue::Cpu;
  if (bringsHome || (i.opcode == Opcode::Op && i.text == "item"))
    noteWaited(context.state);
}

/// The memory that is given to what runs on a stream, as far as it is PyTorch's.
static std::vector<GivenMemory> memoryGiven(Context &context, const Instruction &i) {
  std::vector<GivenMemory> memory;
  for (std::size_t n = 1; n < i.args.size(); ++n) {
    std::vector<Value> pointers{value(context, i.args[n])};
    if (pointers[0].kind == Value::Object) { // a block of parameters
      const Value block = pointers[0];
      pointers.clear();
      flatten(context.state, block, pointers);
    }
    for (const Value &pointer : pointers) {
      const Event *taken = latest(pointer.trail, Event::PointerTaken);
      const bool isTorchs = pointer.kind == Value::Pointer && taken && !latest(pointer.trail, Event::Wrapped);
      if (isTorchs && context.state.resolve(pointer.device).kind != DeviceValue::Cpu)
        memory.push_back({taken, i.args[n].mayWrite});
    }
  }
  return memory;
}

/// Whether a kernel on the pool works on it, and one of the two writes there.
static bool clashesWithPool(const State &state, const GivenMemory &memory) {
  const Value *other = state.find(onPool(memoryBehind(*memory.taken)));
  return other && (memory.mayWrite || (other->has(Value::kConstant) && other->number));
}

static void noteOnPool(State &state, const std::vector<GivenMemory> &given) {
  for (const GivenMemory &memory : given) {
    const Place noted = onPool(memoryBehind(*memory.taken));
    const bool isWritten = memory.mayWrite || clashesWithPool(state, memory);
    state.set(noted, Value::constant(Value::Bool, isWritten));
  }
}

/// Whether a function has not ended yet: who asks for the current stream, makes another one current and goes on with
/// both knows what it does.
static bool isUnderWay(const Frame &frame, FunctionId function) {
  return frame.function == function || (frame.caller && isUnderWay(*frame.caller, function));
}

/// A kernel is launched: on the stream that PyTorch computes its tensors on, and other kernels of this program work on
/// them? Copies and what libraries run count where this program itself uses another stream.
void requireStream(Context &context, const Instruction &i) {
  const Value stream = i.args.empty() ? Value{} : value(context, i.args[0]);
  const bool isDefault = stream.kind == Value::Null && i.args[0].slot != facts::kNone;
  const int isCurrent = context.state.truth(Symbols::kDefaultIsCurrent);
  const bool isSettled = context.state.truth(Symbols::kSettled) == 1;
  const bool isOfPool = stream.kind == Value::Device && stream.has(Value::kOfPool);
  const Event *asked = stream.kind == Value::Device && stream.has(Value::kWasCurrent) ? stream.trail : nullptr;
  if (!isDefault && !isOfPool && !asked)
    return;
  const std::vector<GivenMemory> memory = memoryGiven(context, i);
  if (isOfPool)
    noteOnPool(context.state, memory);
  if (!isDefault && !asked)
    return;
  const auto beside = std::find_if(memory.begin(), memory.end(),
                                   [&](const GivenMemory &given) { return clashesWithPool(context.state, given); });
  const bool mayClash = !isSettled && !memory.empty();
  if (asked) {
    if (mayClash && isCurrent == 0 && !isUnderWay(context.frame, asked->function))
      Attribution(context, i).keptStream(*memory.front().taken, *asked);
  } else if (mayClash && isCurrent == 0) {
    Attribution(context, i).defaultStream(*memory.front().taken, Attribution::Against::Current);
  } else if (beside != memory.end()) {
    Attribution(context, i).defaultStream(*beside->taken, Attribution::Against::Pool);
  } else if (mayClash && isCurrent < 0 && i.opcode != Opcode::OnStream) {
    Attribution(context, i).defaultStream(*memory.front().taken, Attribution::Against::Any);
  }
}

} // namespace samedevice::analysis
