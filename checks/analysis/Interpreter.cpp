#include "Interpreter.h"

#include "../facts/Names.h"
#include "Code.h"

#include <algorithm>
#include <set>

namespace samedevice::analysis {

namespace {

std::set<facts::ClassId> classesMade(const facts::Program &program) {
  std::set<facts::ClassId> made;
  for (const Function &function : program.functions)
    for (const facts::Block &block : function.blocks)
      for (const Instruction &i : block.instructions)
        if (i.opcode == Opcode::Object && !i.targets.empty())
          made.insert(i.targets[0]);
  return made;
}

/// A program that names no other device than `cuda`, in several places, and asks nobody for one: whatever is handed to
/// it is there, too.
bool isWrittenForCuda(const facts::Program &program) {
  int places = 0;
  auto isChoice = [](const facts::SlotInfo &slot) {
    return slot.type == facts::Type::Device || slot.type == facts::Type::Options;
  };
  for (const facts::Class &cls : program.classes)
    for (const facts::FieldInfo &member : cls.fields)
      if (!cls.isLambda && isChoice(member.slot))
        return false;
  for (const Function &function : program.functions) {
    if (function.isElsewhere)
      continue;
    if (std::any_of(function.slots.begin(), function.slots.begin() + function.paramCount, isChoice))
      return false;
    bool names = false;
    for (const facts::Block &block : function.blocks)
      for (const Instruction &i : block.instructions)
        switch (i.opcode) {
        case Opcode::Device:
          names |= i.text == "cuda";
          if (i.text != "cuda" && i.text != "cpu") // to fetch results
            return false;
          break;
        case Opcode::DeviceMake:
        case Opcode::DeviceParse:
        case Opcode::DeviceOf:
        case Opcode::OptionsOf:
        case Opcode::CurrentDevice:
        case Opcode::IsCuda:
        case Opcode::IsCpu:
        case Opcode::SameDevice:
        case Opcode::Available:
          return false;
        default:
          break;
        }
    places += names;
  }
  return places > 1;
}

std::map<std::string, int> writtenDevices(const facts::Program &program) {
  std::map<std::string, int> written;
  for (const Function &function : program.functions)
    for (const facts::Block &block : function.blocks) {
      std::map<Slot, std::string> types;
      std::map<Slot, std::int64_t> numbers;
      for (const Instruction &i : block.instructions) {
        if (i.opcode == Opcode::Const)
          numbers[i.dest] = i.number;
        if (i.opcode == Opcode::Device) {
          ++written[i.text];
          types[i.dest] = i.text;
        }
        if (i.opcode != Opcode::DeviceMake || i.args.size() < 2 || !types.count(i.args[0].slot))
          continue;
        const std::string &type = types[i.args[0].slot];
        --written[type];
        ++written[numbers.count(i.args[1].slot) ? type + ':' + std::to_string(numbers[i.args[1].slot]) : "chosen"];
      }
    }
  return written;
}

/// Methods that constructors call, and nobody else but such methods.
std::vector<char> onlyConstructing(const facts::Program &program) {
  const std::size_t count = program.functions.size();
  std::vector<std::vector<FunctionId>> callers(count);
  for (FunctionId f = 0; f < count; ++f)
    for (const facts::Block &block : program.functions[f].blocks)
      for (const Instruction &i : block.instructions)
        if (i.opcode == Opcode::Call)
          for (FunctionId target : i.targets)
            if (target < count && target != f)
              callers[target].push_back(f);
  std::vector<char> found(count, 0);
  for (bool grew = true; grew;) {
    grew = false;
    for (FunctionId f = 0; f < count; ++f) {
      const Function &function = program.functions[f];
      const bool isMethod = function.cls != facts::kNone && !function.isConstructor && !function.isEntry;
      if (found[f] || !isMethod || callers[f].empty())
        continue;
      found[f] =
          std::all_of(callers[f].begin(), callers[f].end(),
                      [&](FunctionId caller) { return program.functions[caller].isConstructor || found[caller]; })
              ? 1
              : 0;
      grew |= found[f] != 0;
    }
  }
  return found;
}

} // namespace

Interpreter::Interpreter(const facts::Program &program, const Limits &limits, bool withWitnesses)
    : program_(program), limits_(limits), withWitnesses_(withWitnesses), deadMoves_(deadMoves(program)),
      made_(classesMade(program)), reached_(program.functions.size(), 0), relevance_(relevanceOf(program)),
      written_(writtenDevices(program)), isWrittenForCuda_(isWrittenForCuda(program)),
      constructing_(onlyConstructing(program)),
      stepsAllowed_(program.mentionsDevices ? limits.stepsInAll : limits.stepsWithoutDevices),
      stepsInAll_(stepsAllowed_) {}

Interpreter::CodeInfo::CodeInfo(const Function &function) {
  order.assign(function.blocks.size(), ~0u);
  // Reverse postorder, so that a block is run after what flows into it; of a branch the first way first, so that a
  // loop has settled before what comes after it is run, and of two uses of one mistake the first is the one reported.
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  std::vector<char> seen(function.blocks.size(), 0);
  std::vector<std::uint32_t> postorder;
  if (!function.blocks.empty()) {
    stack.push_back({0, 0});
    seen[0] = 1;
  }
  while (!stack.empty()) {
    auto &[block, next] = stack.back();
    const auto &successors = function.blocks[block].end.successors;
    if (next == successors.size()) {
      postorder.push_back(block);
      stack.pop_back();
      continue;
    }
    std::uint32_t successor = successors[successors.size() - ++next];
    if (successor < seen.size() && !seen[successor]) {
      seen[successor] = 1;
      stack.push_back({successor, 0});
    }
  }
  for (std::size_t i = 0; i < postorder.size(); ++i)
    order[postorder[i]] = static_cast<std::uint32_t>(postorder.size() - 1 - i);

  // Temporaries that live within one block need no place in the state.
  constexpr std::uint32_t unseen = ~0u, shared = ~0u - 1;
  std::vector<std::uint32_t> home(function.slots.size(), unseen);
  auto touch = [&](Slot slot, std::uint32_t block) {
    if (slot < home.size())
      home[slot] = home[slot] == unseen || home[slot] == block ? block : shared;
  };
  for (std::uint32_t b = 0; b < function.blocks.size(); ++b) {
    for (const Instruction &i : function.blocks[b].instructions) {
      touch(i.dest, b);
      for (const Operand &operand : i.args)
        touch(operand.slot, b);
    }
    touch(function.blocks[b].end.slot, b);
  }
  scratch.assign(function.slots.size(), -1);
  std::vector<int> used(function.blocks.size(), 0);
  for (Slot slot = function.paramCount; slot < function.slots.size(); ++slot)
    if (function.slots[slot].name.empty() && home[slot] < shared)
      scratch[slot] = used[home[slot]]++;
  scratchSize = used.empty() ? 0 : *std::max_element(used.begin(), used.end());

  std::set<Slot> counted;
  for (const facts::Block &block : function.blocks)
    for (const Instruction &i : block.instructions)
      if (i.opcode == Opcode::Advance && function.slots[i.args[0].slot].type == facts::Type::Int)
        counted.insert(i.args[0].slot);
  counters.assign(counted.begin(), counted.end());
}

const Interpreter::CodeInfo &Interpreter::info(FunctionId function) {
  auto &entry = code_[function];
  if (!entry)
    entry = std::make_shared<CodeInfo>(program_.functions[function]);
  return *entry;
}

bool Interpreter::spend() {
  if (stepsLeft_ <= 0 || stepsInAll_ <= 0) {
    exhausted_ = wasCut_ = true;
    return false;
  }
  --stepsLeft_;
  --stepsInAll_;
  return true;
}

void Interpreter::remarkCut(const Function &function) {
  auto isOfIt = [&](const Remark &remark) { return remark.at == function.source; };
  if (std::none_of(result_.remarks.begin(), result_.remarks.end(), isOfIt))
    result_.remarks.push_back({function.source, "'" + function.name + "' has too many paths or steps; left out"});
}

static bool lacksGpu(const State &state) { return state.truth(Symbols::kAvailable) == 0; }

/// The two that are nearest to each other, and nearer than `far`; else one twice. `lacking`: of those without a GPU.
static std::pair<std::size_t, std::size_t> nearestPair(const std::vector<State> &states, int far,
                                                       bool lacking = false) {
  std::pair<std::size_t, std::size_t> nearest{0, 0};
  for (std::size_t one = 0; one < states.size(); ++one)
    for (std::size_t other = one + 1; other < states.size(); ++other)
      if (!lacking || (lacksGpu(states[one]) && lacksGpu(states[other])))
        if (int distance = State::distance(states[one], states[other], far); distance < far) {
          far = distance;
          nearest = {one, other};
        }
  return nearest;
}

/// Adds a state to those kept for a point, `where`, `capacity` at most. False when it brings nothing new.
bool Interpreter::addState(std::vector<State> &states, std::vector<bool> &done, State state, int capacity,
                           Meeting where) {
  if (std::any_of(states.begin(), states.end(), [&](const State &known) { return State::same(known, state); }))
    return false;
  const bool isFull = static_cast<int>(states.size()) >= capacity;
  // Where there is room, how far off the others are is nobody's business.
  const int far = isFull ? 1 << 20 : State::kWorthAState;
  int least = far;
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (int distance = State::distance(states[i], state, least); distance < least) {
      least = distance;
      nearest = i;
    }
  if (least == far && !isFull) {
    states.push_back(std::move(state));
    done.push_back(false);
    return true;
  }
  // Two that were here before may differ in nothing but the turns of a loop: these go together first. Then those of a
  // machine without a GPU, on which little goes wrong.
  if (isFull && least >= State::kWorthAnObject) {
    auto alike = nearestPair(states, State::kWorthAnObject);
    if (alike.first == alike.second && !lacksGpu(state))
      alike = nearestPair(states, far, true);
    if (const auto [one, other] = alike; one != other) {
      states[one] = State::join(states[one], states[other], symbols_, where);
      done[one] = false;
      states[other] = std::move(state);
      done[other] = false;
      return true;
    }
  }
  State joined = State::join(states[nearest], state, symbols_, where);
  if (State::same(joined, states[nearest]))
    return false;
  states[nearest] = std::move(joined);
  done[nearest] = false;
  return true;
}

void Interpreter::addExit(std::vector<State> &exits, State state) {
  std::vector<bool> done(exits.size(), true);
  addState(exits, done, std::move(state), limits_.statesPerPoint, kAtExit);
}

std::vector<State> Interpreter::run(Frame &frame, State entry) {
  const Function &function = *frame.code;
  const CodeInfo &code = info(frame.function);
  // A method of some object that nobody knows, or that nobody in sight has made, has not been seen at work.
  const bool isMethod = function.cls != facts::kNone && !function.isStatic && !function.isConstructor;
  const Value self = isMethod ? follow(entry, entry.get(field(frame.id, 0))) : Value{};
  if (!isMethod || (self.kind == Value::Object && !entry.find(meta(self.object, Meta::Symbolic))))
    reached_[frame.function] = 1;
  struct Point {
    std::vector<State> states;
    std::vector<bool> done;
    int visits = 0;
  };
  std::vector<Point> points(function.blocks.size());
  std::vector<State> exits;
  std::set<std::pair<std::uint32_t, std::uint32_t>> work; // (order, block)
  auto enter = [&](std::uint32_t block, State state) {
    if (block >= points.size())
      return;
    // A loop that does not settle gets fewer stories to tell; two are "with CUDA" and "without".
    Point &point = points[block];
    int capacity = point.visits * 2 < limits_.visitsPerBlock ? limits_.statesPerPoint : 2;
    if (addState(point.states, point.done, std::move(state), capacity, before(frame.id, block)))
      work.insert({code.order[block], block});
  };
  enter(0, std::move(entry));
  while (!work.empty()) {
    std::uint32_t block = work.begin()->second;
    Point &point = points[block];
    std::size_t next = std::find(point.done.begin(), point.done.end(), false) - point.done.begin();
    if (next == point.done.size()) {
      work.erase(work.begin());
      continue;
    }
    point.done[next] = true;
    if (++point.visits > limits_.visitsPerBlock || exhausted_) {
      if (!exhausted_)
        remarkCut(function);
      exhausted_ = wasCut_ = true;
      return exits;
    }
    State state = point.states[next];
    runBlock(frame, code, block, 0, std::move(state), std::vector<Value>(code.scratchSize), enter,
             [&](State exit) { addExit(exits, std::move(exit)); });
  }
  return exits;
}

void Interpreter::runBlock(Frame &frame, const CodeInfo &code, std::uint32_t block, std::uint32_t from, State state,
                           std::vector<Value> scratch, const std::function<void(std::uint32_t, State)> &leave,
                           const std::function<void(State)> &exit) {
  const facts::Block &body = frame.code->blocks[block];
  Context context{frame, state, code, scratch};
  for (std::uint32_t i = from; i < body.instructions.size(); ++i) {
    const Instruction &instruction = body.instructions[i];
    if (!spend())
      return;
    if (!isCall(instruction)) {
      step(context, instruction);
      if (state.infeasible)
        return;
      continue;
    }
    Outcomes outcomes = call(context, instruction);
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
      std::vector<Value> copy;
      if (k + 1 == outcomes.size())
        copy.swap(scratch);
      else
        copy = scratch;
      Context after{frame, outcomes[k].first, code, copy};
      define(after, instruction.dest, outcomes[k].second);
      if (outcomes.size() == 1) {
        state = std::move(outcomes[0].first);
        scratch = std::move(copy);
        break;
      }
      runBlock(frame, code, block, i + 1, std::move(outcomes[k].first), std::move(copy), leave, exit);
    }
    if (outcomes.size() != 1)
      return;
  }

  const facts::Terminator &end = body.end;
  switch (end.kind) {
  case facts::Terminator::Jump:
  case facts::Terminator::Any:
    for (std::uint32_t successor : end.successors)
      leave(successor, state);
    return;
  case facts::Terminator::Branch: {
    Value condition = end.slot == facts::kNone ? Value{} : value(context, end.slot);
    noteDemand(*frame.code, end, condition);
    for (int side = 0; side < 2 && side < static_cast<int>(end.successors.size()); ++side) {
      State taken = state;
      assume(taken, condition, side == 0);
      if (!taken.infeasible)
        leave(end.successors[side], std::move(taken));
    }
    return;
  }
  case facts::Terminator::Return: {
    if (end.slot == facts::kNone && frame.code->result.type != facts::Type::Other)
      return; // the end of a function that returns a value: nobody comes here
    Value result = end.slot == facts::kNone ? Value{} : raw(context, end.slot);
    bool isReference = frame.code->result.reference && result.kind == Value::Reference && result.object != frame.id;
    state.set(field(frame.id, kResultSlot), isReference ? result : follow(state, result));
    exit(std::move(state));
    return;
  }
  case facts::Terminator::Unreachable:
    return;
  }
}

/// `TORCH_CHECK(x.is_cuda())`: who is on the CPU does not get past it.
void Interpreter::noteDemand(const Function &code, const facts::Terminator &end, const Value &condition) {
  if (!condition.symbol || !(condition.has(Value::kIsCudaTest) || condition.has(Value::kIsCpuTest)))
    return;
  for (std::size_t side = 0; side < 2 && end.successors.size() == 2; ++side) {
    const facts::BlockId refused = end.successors[side];
    if (refused >= code.blocks.size() || code.blocks[refused].end.kind != facts::Terminator::Unreachable)
      continue;
    const bool isTrue = (side == 1) != condition.has(Value::kNegated);
    if (isTrue == condition.has(Value::kIsCudaTest))
      neverOnHost_.insert(condition.symbol);
  }
}

void Interpreter::step(Context &context, const Instruction &instruction) {
  switch (facts::groupOf(instruction.opcode)) {
  case facts::Group::Values:
    return stepValue(context, instruction);
  case facts::Group::Lists:
    return stepList(context, instruction);
  case facts::Group::Devices:
    return stepDevice(context, instruction);
  case facts::Group::Tensors:
    return stepTensor(context, instruction);
  case facts::Group::Modules:
    return stepModule(context, instruction);
  case facts::Group::Memory:
    return stepMemory(context, instruction);
  case facts::Group::Control:
    return stepControl(context, instruction);
  case facts::Group::Conditions:
    return stepCondition(context, instruction);
  }
}

const Event *Interpreter::event(Context &context, Event::Kind kind, const Instruction &instruction,
                                const Event *previous, DeviceValue device, SourceId subject, SourceId target) {
  if (Events::length(previous) >= Events::kLongest)
    previous = nullptr;
  return events_.intern({kind, instruction.source, subject, target, device, previous, context.frame.function, 0});
}

Where Interpreter::describe(DeviceValue device) const {
  if (device.kind == DeviceValue::Cpu)
    return {Where::Device, "cpu"};
  const bool isCuda = device.kind == DeviceValue::Cuda;
  if (isCuda && device.index >= 0)
    return {Where::Device, "cuda:" + std::to_string(device.index)};
  Where where{isCuda ? Where::Device : Where::Unsaid, isCuda ? "cuda" : "", isCuda};
  if (!isCuda && device.kind != DeviceValue::Symbol)
    return where;
  const Symbol &symbol = symbols_[device.symbol];
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

/// In how many places of the program a device is written down.
int Interpreter::timesWritten(DeviceValue device) const {
  std::string name = device.kind == DeviceValue::Cpu ? "cpu" : "cuda";
  if (device.kind == DeviceValue::Cuda && device.index >= 0)
    name += ":" + std::to_string(device.index);
  auto found = written_.find(name);
  return found == written_.end() ? 0 : found->second;
}

Result analyze(const facts::Program &program, const Limits &limits, bool withWitnesses) {
  Interpreter interpreter(program, limits, withWitnesses);
  interpreter.runAll();
  return interpreter.finish();
}

} // namespace samedevice::analysis
