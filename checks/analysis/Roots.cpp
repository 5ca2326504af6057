// Where execution starts: main and what Python calls; functions nobody in sight calls; and each class whose
// methods nobody in sight drives: its constructors, then its methods in any order.
#include "Roots.h"
#include "Attribution.h"
#include "Modules.h"
#include "Reenactment.h"
#include "Unseen.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

State Roots::initialState() {
  State state(universe_);
  state.setCurrentDevice(DeviceValue::cuda(-1));
  return state;
}

void Roots::runAll() {
  budget_.beginRoot();
  afterGlobals_ = {initialState()};
  for (FunctionId init : program_.globalInits) {
    std::vector<State> ready;
    for (const State &state : afterGlobals_)
      for (State &exit : runWithSymbolicArguments(init, state, 0))
        interpreter_.addExit(ready, std::move(exit));
    if (!ready.empty())
      afterGlobals_ = std::move(ready);
  }
  std::vector<char> called(program_.functions.size(), 0);
  std::vector<std::set<facts::ClassId>> drivers(program_.classes.size()); // kNone: functions of none
  for (const Function &function : program_.functions)
    for (const facts::Block &block : function.blocks)
      for (const Instruction &i : block.instructions)
        if (i.opcode == Opcode::Call)
          for (FunctionId target : i.targets)
            if (target < called.size() && &program_.functions[target] != &function &&
                !program_.functions[target].isElsewhere) {
              called[target] = 1;
              if (facts::ClassId cls = program_.functions[target].cls; cls < drivers.size() && cls != function.cls)
                drivers[cls].insert(function.cls);
            }
  auto standsAlone = [&](const Function &function) {
    return function.cls == facts::kNone || (function.isStatic && !function.isConstructor);
  };
  for (FunctionId f = 0; f < program_.functions.size(); ++f)
    if (program_.functions[f].isEntry) {
      const char before = interpreter_.reached()[f];
      runFunctionRoot(f);
      if (!standsAlone(program_.functions[f]))
        interpreter_.setReached(f, before); // of an object that nobody saw being made
    }
  for (FunctionId f = 0; f < program_.functions.size(); ++f)
    if (!interpreter_.reached()[f] && !called[f] && standsAlone(program_.functions[f]))
      runFunctionRoot(f);
  // Who is given something by another class is best seen there: those that others drive come after them; where that
  // was cut short, not at all.
  std::vector<char> visited(program_.classes.size(), 0);
  std::function<void(facts::ClassId)> visit = [&](facts::ClassId c) {
    if (c >= visited.size() || visited[c])
      return;
    visited[c] = 1;
    for (facts::ClassId driver : drivers[c])
      visit(driver);
    runClassRoot(c);
  };
  for (bool byOthers : {false, true})
    for (facts::ClassId c = 0; c < program_.classes.size(); ++c)
      if (drivers[c].empty() != byOthers && !(byOthers && budget_.wasCut()))
        visit(c);
  // Where limits were hit, what has callers may have been spared by that alone: what it is given was not seen.
  for (FunctionId f = 0; f < program_.functions.size(); ++f)
    if (!interpreter_.reached()[f] && !(called[f] && budget_.wasCut()) && standsAlone(program_.functions[f]))
      runFunctionRoot(f);
}

std::vector<State> Roots::runWithSymbolicArguments(FunctionId function, const State &start, ObjectId self) {
  const Function &code = program_.functions[function];
  if (code.blocks.empty())
    return {start};
  Frame frame;
  frame.id = universe_.objects.root(function);
  frame.function = function;
  frame.code = &code;
  State entry = start;
  entry.eraseAll(frame.id);
  for (Slot slot = 0; slot < code.paramCount; ++slot) {
    const facts::SlotInfo &parameter = code.slots[slot];
    const std::string key = keyOfParameter(code, function, slot);
    const bool isSelf = slot == 0 && self;
    // What is in an object that nobody saw being made, its own methods have put there, not who calls one.
    const bool isOwner = slot == 0 && code.cls != facts::kNone && !code.isStatic && !program_.isLambda(code);
    // What a program gives to an object that it makes is no caller's who could be anybody.
    const bool isOwn = code.isConstructor && program_.isWhole && report_.isJudged(function);
    entry.set(field(frame.id, slot),
              isSelf ? objectValue(self) : symbolic(entry, parameter, key, parameter.name, !isOwner && !isOwn));
  }
  if (code.isGuarded)
    entry.setCurrentDevice({DeviceValue::Cuda, -1, universe_.symbols.intern("device of the node", Symbol::Plain)});
  budget_.goOn();
  std::vector<State> exits = interpreter_.run(frame, std::move(entry));
  if (budget_.isExhausted())
    report_.remarkCut(code);
  for (State &exit : exits) {
    exit.eraseAll(frame.id);
    if (code.isGuarded)
      exit.setCurrentDevice(start.currentDevice(), start.currentIsFrozen());
    if (self) // other methods go on from here
      exit.forgetUnreachable({kGlobals, self});
  }
  return exits;
}

void Roots::runFunctionRoot(FunctionId function) {
  if (program_.functions[function].blocks.empty() || !program_.concernsDevices(function))
    return;
  budget_.beginRoot();
  const bool isMain = program_.functions[function].isMain();
  for (State state : afterGlobals_) {
    if (isMain)
      state.setCurrentDevice(DeviceValue::cuda(0));
    const std::vector<State> exits = runWithSymbolicArguments(function, state, 0);
    for (const State &exit : exits)
      reportLeftBehind(evidence_, report_, exit);
    if (!isMain)
      runForLaterCallers(function, exits);
  }
}

/// What a module's forward leaves in members is there for those who come after it, whatever the constructor put there.
static std::set<std::string> membersFilledBy(const Function &forward) {
  std::set<std::string> filled;
  for (const facts::Block &block : forward.blocks)
    for (const Instruction &i : block.instructions)
      if (i.opcode == Opcode::Assign)
        for (const Instruction &named : block.instructions)
          if (named.opcode == Opcode::Field && named.dest == i.args[0].slot && named.args[0].slot == 0)
            filled.insert(named.text);
  return filled;
}

/// Whoever owns a module moves it, if it does not place itself.
std::vector<State> Roots::movedByOwner(const facts::Class &cls, ObjectId self, std::vector<State> states) {
  static const Instruction outside{};
  Value to = Value::of(Value::Device);
  to.set(Value::kHasDevice);
  const SymbolId home = universe_.symbols.intern("home of " + cls.name, Symbol::FromCaller, cls.source, cls.name);
  universe_.symbols.markOwners(home);
  to.device = DeviceValue::of(home);
  const Function nothing;
  const CodeInfo code(nothing);
  Frame frame;
  frame.code = &nothing;
  frame.function = cls.constructors.empty() ? 0 : cls.constructors.front();
  std::vector<State> moved;
  for (State &state : states) {
    bool placed = false;
    forLeaves(state, self, [&](ObjectId, const Value &leaf) {
      // Where an unseen function made a layer says nothing, nor what two paths left in different places.
      const bool isUnsaid =
          leaf.device.kind == DeviceValue::Unknown ||
          (leaf.device.kind == DeviceValue::Symbol && universe_.symbols[leaf.device.symbol].kind == Symbol::Plain);
      placed |= leaf.device.kind != DeviceValue::Cpu && !isUnsaid;
    });
    if (placed) {
      interpreter_.addExit(moved, std::move(state));
      continue;
    }
    std::vector<Value> scratch;
    Context context{evidence_, report_, frame, state, code, scratch};
    moveModule(context, self, to,
               universe_.events.intern({Event::ModuleMoved, 0, 0, 0, to.device, nullptr, frame.function, 0}));
    for (State &exit : interpreter_.runOverrides(context, self, to, outside))
      interpreter_.addExit(moved, std::move(exit));
  }
  return moved;
}

void Roots::runClassRoot(facts::ClassId id) {
  const facts::Class &cls = program_.classes[id];
  if (cls.isLambda)
    return;
  auto waiting = [&](FunctionId f) {
    return f < program_.functions.size() && !interpreter_.reached()[f] && !program_.functions[f].blocks.empty() &&
           program_.concernsDevices(f);
  };
  if (!std::any_of(cls.methods.begin(), cls.methods.end(), waiting) &&
      !std::any_of(cls.constructors.begin(), cls.constructors.end(), waiting))
    return;
  budget_.beginRoot();
  const ObjectId self = universe_.objects.instance(id);
  // What was run before was judged by what it was given there; here it only leaves what it leaves.
  report_.setJudged(interpreter_.reached());
  auto runMethod = [&](FunctionId method, const State &from) {
    report_.setSilent(report_.isJudged(method));
    std::vector<State> exits = runWithSymbolicArguments(method, from, self);
    report_.setSilent(false);
    return exits;
  };

  std::vector<State> states;
  for (const State &start : afterGlobals_) {
    State built = start;
    Value mark = Value::constant(Value::Int, static_cast<std::int64_t>(id));
    built.set(meta(self, Meta::Class), mark);
    bool seen = false;
    for (FunctionId constructor : cls.constructors)
      if (constructor < program_.functions.size() && !program_.functions[constructor].blocks.empty()) {
        seen = true;
        for (State &exit : runMethod(constructor, built))
          interpreter_.addExit(states, std::move(exit));
      }
    if (!seen) {
      mark.number = static_cast<std::int64_t>(universe_.names.id(cls.name));
      mark.symbol = 0;
      built.set(meta(self, Meta::Symbolic), mark);
      states.push_back(built);
    }
  }
  auto callable = [&](FunctionId method) {
    const Function &code = program_.functions[method];
    return !code.isStatic && !code.isPrivate && !program_.isConstructing(method) && !code.isDestructor &&
           !code.blocks.empty() && program_.relevanceOf(method) != Relevance::None;
  };
  const FunctionId override = program_.moveOverrideOf(id);
  const bool movesItself = override < program_.functions.size() && program_.placesMembers(override);
  std::set<FunctionId> building; // methods that have had their turn
  if (cls.isModule && !movesItself) {
    // Nobody has a reason to move what has no parameters yet: methods fill it first.
    const bool isEmpty = std::none_of(states.begin(), states.end(), [&](const State &state) {
      bool hasLeaf = false;
      forLeaves(state, self, [&](ObjectId, const Value &) { hasLeaf = true; });
      return hasLeaf;
    });
    for (FunctionId method : cls.methods) {
      if (!isEmpty || !callable(method) || !program_.registersMembers(method))
        continue;
      building.insert(method);
      std::vector<State> built;
      for (const State &state : states)
        for (State &exit : runMethod(method, state))
          interpreter_.addExit(built, std::move(exit));
      if (!built.empty())
        states = std::move(built);
    }
    // Of what nobody is seen to make, and methods fill, nobody knows when it moves.
    if (building.empty() || !cls.constructors.empty())
      states = movedByOwner(cls, self, std::move(states));
  }
  const std::set<std::string> filled = cls.isModule && cls.call != facts::kNone
                                           ? membersFilledBy(program_.functions[cls.call])
                                           : std::set<std::string>();
  // What puts members in their places is called before the rest, as far as anyone can tell.
  for (FunctionId method : cls.methods) {
    if (!callable(method) || !program_.placesMembers(method))
      continue;
    std::vector<State> placed;
    for (const State &state : states)
      for (State &exit : runMethod(method, state))
        interpreter_.addExit(placed, std::move(exit));
    if (!placed.empty())
      states = std::move(placed);
  }
  // Methods in any order: each starts from what constructors and methods leave.
  std::vector<bool> done(states.size(), false);
  for (int round = 0; round < Limits::roundsOfMethods; ++round) {
    bool grew = false;
    std::size_t known = states.size();
    for (std::size_t s = 0; s < known; ++s) {
      if (done[s])
        continue;
      done[s] = true;
      const State start = states[s];
      for (FunctionId method : cls.methods) {
        if (!callable(method) || building.count(method))
          continue;
        budget_.goOn();
        State from = start;
        if (method != cls.call)
          for (const std::string &member : filled)
            if (Place at = field(self, universe_.names.id(member));
                from.get(at).kind == Value::Tensor && !from.get(at).object)
              from.set(at, Value::of(Value::Tensor));
        for (State &exit : runMethod(method, from))
          grew |=
              interpreter_.addState(states, done, std::move(exit), budget_.statesKept(limits_.statesPerClass), kAtExit);
      }
    }
    if (!grew)
      break;
  }
  for (const State &state : states)
    reportLeftBehind(evidence_, report_, state);
  report_.setJudged({});
}

} // namespace samedevice::analysis
