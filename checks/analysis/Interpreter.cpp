#include "Interpreter.h"
#include "../facts/Names.h"
#include "Conditions.h"
#include "Control.h"
#include "Devices.h"
#include "Lists.h"
#include "Memory.h"
#include "Modules.h"
#include "Records.h"
#include "Tensors.h"
#include "Values.h"

#include <algorithm>
#include <set>

namespace samedevice::analysis {

/// The two that are nearest to each other, and nearer than `far`; else one twice. `lacking`: of those without a GPU.
static std::pair<std::size_t, std::size_t> nearestPair(const std::vector<State> &states, int far, long &looked,
                                                       bool lacking = false) {
  std::pair<std::size_t, std::size_t> nearest{0, 0};
  for (std::size_t one = 0; one < states.size(); ++one)
    for (std::size_t other = one + 1; other < states.size(); ++other)
      if (!lacking || (states[one].lacksGpu() && states[other].lacksGpu()))
        if (int distance = State::distance(states[one], states[other], far, looked); distance < far) {
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
  long looked = 0;
  std::size_t nearest = 0;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (int distance = State::distance(states[i], state, least, looked); distance < least) {
      least = distance;
      nearest = i;
    }
  budget_.chargeFor(looked);
  if (least == far && !isFull) {
    states.push_back(std::move(state));
    done.push_back(false);
    return true;
  }
  // Two that were here before may differ in nothing but the turns of a loop: these go together first. Then those of a
  // machine without a GPU, on which little goes wrong.
  if (isFull && least >= State::kWorthAnObject) {
    looked = 0;
    auto alike = nearestPair(states, State::kWorthAnObject, looked);
    if (alike.first == alike.second && !state.lacksGpu())
      alike = nearestPair(states, far, looked, true);
    if (alike.first == alike.second && least >= State::kContrary)
      alike = nearestPair(states, State::kContrary, looked);
    budget_.chargeFor(looked);
    if (const auto [one, other] = alike; one != other) {
      states[one] = State::join(states[one], states[other], universe_.symbols, where);
      done[one] = false;
      states[other] = std::move(state);
      done[other] = false;
      return true;
    }
  }
  State joined = State::join(states[nearest], state, universe_.symbols, where);
  if (State::same(joined, states[nearest]))
    return false;
  states[nearest] = std::move(joined);
  done[nearest] = false;
  return true;
}

void Interpreter::addExit(std::vector<State> &exits, State state) {
  std::vector<bool> done(exits.size(), true);
  addState(exits, done, std::move(state), budget_.statesKept(limits_.statesPerPoint), kAtExit);
}

std::vector<State> Interpreter::run(Frame &frame, State entry) {
  const Function &function = *frame.code;
  const CodeInfo &code = program_.code(frame.function);
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
  const auto count = static_cast<std::uint32_t>(function.blocks.size());
  std::vector<Point> points(2 * std::size_t{count}); // a second one for where loops are come to
  std::vector<State> exits;
  std::set<std::pair<std::uint32_t, std::uint32_t>> work; // (order, block)
  auto enter = [&](std::uint32_t from, std::uint32_t block, State state) {
    if (block >= count)
      return;
    const std::uint32_t order = code.order[block];
    if (code.around[block] >= 0 && (from == facts::kNone || code.order[from] < order))
      block += count;
    // A loop that does not settle gets fewer stories to tell.
    Point &point = points[block];
    const bool isSettling = point.visits * 2 < limits_.visitsPerBlock;
    const int capacity = isSettling ? budget_.statesKept(limits_.statesPerPoint) : Limits::fewestStates;
    if (addState(point.states, point.done, std::move(state), capacity, before(frame.id, block)))
      work.insert({order, block});
  };
  // Who writes a loop has something for it to do: what only goes wrong where there is nothing is no mistake. But where
  // each pass goes wrong, what comes after the loop is looked at nevertheless.
  struct Idle {
    std::uint32_t head, behind;
    State state;
  };
  std::vector<Idle> idle;
  std::vector<char> isLeft(count);
  enter(facts::kNone, 0, std::move(entry));
  while (!work.empty() || !idle.empty()) {
    if (work.empty()) {
      for (Idle &one : std::exchange(idle, {}))
        if (!isLeft[one.head])
          enter(one.head, one.behind, std::move(one.state));
      continue;
    }
    std::uint32_t block = work.begin()->second;
    Point &point = points[block];
    std::size_t next = std::find(point.done.begin(), point.done.end(), false) - point.done.begin();
    if (next == point.done.size()) {
      work.erase(work.begin());
      continue;
    }
    point.done[next] = true;
    if (++point.visits > limits_.visitsPerBlock || budget_.isExhausted()) {
      if (!budget_.isExhausted())
        report_.remarkCut(function);
      budget_.exhaust();
      return exits;
    }
    State state = point.states[next];
    const std::uint32_t real = block % count;
    runBlock(
        frame, code, {real, block != real}, std::move(state),
        [&](std::uint32_t to, State left, bool isIdle) {
          const int around = code.around[real];
          if (isIdle)
            return idle.push_back({real, to, std::move(left)});
          if (around >= 0 && to == function.blocks[real].end.successors[1 - around])
            isLeft[real] = 1;
          enter(real, to, std::move(left));
        },
        [&](State exit) { addExit(exits, std::move(exit)); });
  }
  return exits;
}

/// The temporaries of a block that somebody still looks at from the instruction `i` on.
static std::set<Slot> liveTemporaries(const CodeInfo &code, const facts::Block &body, std::size_t i) {
  std::set<Slot> live;
  auto look = [&](Slot slot) {
    if (slot < code.scratch.size() && code.scratch[slot] >= 0)
      live.insert(slot);
  };
  for (; i < body.instructions.size(); ++i)
    for (const Operand &operand : body.instructions[i].args)
      look(operand.slot);
  look(body.end.slot);
  return live;
}

/// The nearest ways meet where more are left than are kept apart at a point. Their temporaries meet in the memory.
void Interpreter::keepFew(const Frame &frame, const CodeInfo &code, std::uint32_t block, std::size_t next,
                          std::vector<Way> &ways) {
  const int capacity = budget_.statesKept(limits_.statesPerPoint);
  if (static_cast<int>(ways.size()) <= capacity)
    return;
  const std::set<Slot> live = liveTemporaries(code, frame.code->blocks[block], next);
  const auto here = static_cast<std::uint32_t>(block + 2 * frame.code->blocks.size() * next); // and not at its begin
  std::vector<State> states;
  std::vector<bool> done;
  for (Way &way : ways) {
    for (Slot slot : live)
      way.state.set(field(frame.id, slot), way.scratch[code.scratch[slot]]);
    addState(states, done, std::move(way.state), capacity, before(frame.id, here));
  }
  ways.clear();
  for (State &state : states) {
    std::vector<Value> scratch(code.scratchSize);
    for (Slot slot : live) {
      scratch[code.scratch[slot]] = state.get(field(frame.id, slot));
      state.erase(field(frame.id, slot));
    }
    ways.push_back({std::move(state), std::move(scratch)});
  }
}

void Interpreter::runBlock(Frame &frame, const CodeInfo &code, Arrival at, State entry, const Leave &leave,
                           const std::function<void(State)> &exit) {
  const facts::Block &body = frame.code->blocks[at.block];
  std::vector<Way> ways;
  ways.push_back({std::move(entry), std::vector<Value>(code.scratchSize)});
  for (std::size_t i = 0; i < body.instructions.size(); ++i) {
    const Instruction &instruction = body.instructions[i];
    std::vector<Way> next;
    for (Way &way : ways) {
      if (!budget_.spend())
        return;
      Context context{evidence_, report_, frame, way.state, code, way.scratch};
      if (!isCall(instruction)) {
        step(context, instruction);
        continue;
      }
      Outcomes outcomes = call(context, instruction);
      for (auto &[state, result] : outcomes) {
        const bool isLast = &state == &outcomes.back().first;
        next.push_back({std::move(state), isLast ? std::move(way.scratch) : way.scratch});
        Context after{evidence_, report_, frame, next.back().state, code, next.back().scratch};
        define(after, instruction.dest, result);
      }
    }
    if (isCall(instruction)) {
      ways = std::move(next);
      keepFew(frame, code, at.block, i + 1, ways);
    } else {
      std::erase_if(ways, [](const Way &way) { return way.state.infeasible; });
    }
    if (ways.empty())
      return;
  }
  for (Way &way : ways)
    endBlock(frame, code, at, way, leave, exit);
}

void Interpreter::endBlock(Frame &frame, const CodeInfo &code, Arrival at, Way &way, const Leave &leave,
                           const std::function<void(State)> &exit) {
  State &state = way.state;
  Context context{evidence_, report_, frame, state, code, way.scratch};
  const facts::Terminator &end = frame.code->blocks[at.block].end;
  switch (end.kind) {
  case facts::Terminator::Jump:
    for (std::uint32_t successor : end.successors)
      leave(successor, state, /*isIdle=*/false);
    return;
  case facts::Terminator::Any:
  case facts::Terminator::Branch: {
    const bool isAsked = end.kind == facts::Terminator::Branch;
    const Value condition = !isAsked || end.slot == facts::kNone ? Value{} : value(context, end.slot);
    if (isAsked)
      noteDemand(context, *frame.code, end, condition);
    std::vector<std::optional<State>> ways(end.successors.size());
    for (std::size_t side = 0; side < ways.size(); ++side) {
      State taken = state;
      if (isAsked)
        assume(taken, condition, side == 0);
      if (!taken.infeasible)
        ways[side] = std::move(taken);
    }
    const int around = code.around[at.block];
    const bool mayBeIdle = at.isLoopBegun && ways[around];
    for (int side = 0; side < static_cast<int>(ways.size()); ++side)
      if (std::optional<State> &way = ways[side])
        leave(end.successors[side], std::move(*way), mayBeIdle && side != around);
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

void Interpreter::step(Context &context, const Instruction &instruction) {
  switch (facts::groupOf(instruction.opcode)) {
  case facts::Group::Values:
    return stepRecord(context, instruction);
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

} // namespace samedevice::analysis
