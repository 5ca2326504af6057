// Where execution starts: main and what Python calls; functions nobody in sight calls; and each class whose
// methods nobody in sight drives: its constructors, then its methods in any order.
#include "Code.h"
#include "GuardPlaces.h"
#include "Reenactment.h"

#include <algorithm>

namespace samedevice::analysis {

State Interpreter::initialState() {
  State state;
  state.setCurrentDevice(DeviceValue::cuda(-1));
  return state;
}

void Interpreter::grantSteps() {
  stepsLeft_ = limits_.stepsPerRoot;
  asideLeft_ = limits_.stepsAsidePerRoot;
  tooLong_.clear();
}

void Interpreter::runAll() {
  lastObject_ = kGlobals + 1; // elder ones have odd numbers
  grantSteps();
  afterGlobals_ = {initialState()};
  for (FunctionId init : program_.globalInits) {
    std::vector<State> ready;
    for (const State &state : afterGlobals_)
      for (State &exit : runWithSymbolicArguments(init, state, 0))
        addExit(ready, std::move(exit));
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
      const char before = reached_[f];
      runFunctionRoot(f);
      if (!standsAlone(program_.functions[f]))
        reached_[f] = before; // of an object that nobody saw being made
    }
  for (FunctionId f = 0; f < program_.functions.size(); ++f)
    if (!reached_[f] && !called[f] && standsAlone(program_.functions[f]))
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
      if (drivers[c].empty() != byOthers && !(byOthers && wasCut_))
        visit(c);
  // Where limits were hit, what has callers may have been spared by that alone: what it is given was not seen.
  for (FunctionId f = 0; f < program_.functions.size(); ++f)
    if (!reached_[f] && !(called[f] && wasCut_) && standsAlone(program_.functions[f]))
      runFunctionRoot(f);
}

std::vector<State> Interpreter::runWithSymbolicArguments(FunctionId function, const State &start, ObjectId self) {
  const Function &code = program_.functions[function];
  if (code.blocks.empty())
    return {start};
  Frame frame;
  auto [it, added] = objects_.emplace("root " + std::to_string(function), lastObject_ + 2);
  if (added)
    lastObject_ += 2;
  frame.id = it->second;
  frame.function = function;
  frame.code = &code;
  State entry = start;
  entry.eraseAll(frame.id);
  for (Slot slot = 0; slot < code.paramCount; ++slot) {
    const facts::SlotInfo &parameter = code.slots[slot];
    std::string key = code.name + "#" + std::to_string(function) + "(" + std::to_string(slot) + ")";
    const bool isSelf = slot == 0 && self;
    // What is in an object that nobody saw being made, its own methods have put there, not who calls one.
    const bool isOwner = slot == 0 && code.cls != facts::kNone && !code.isStatic && !program_.isLambda(code);
    entry.set(field(frame.id, slot),
              isSelf ? objectValue(self) : symbolic(entry, parameter, key, parameter.name, !isOwner));
  }
  if (code.isGuarded)
    entry.setCurrentDevice({DeviceValue::Cuda, -1, symbols_.intern("device of the node", Symbol::Plain)});
  exhausted_ = false;
  std::vector<State> exits = run(frame, std::move(entry));
  if (exhausted_)
    remarkCut(code);
  for (State &exit : exits) {
    exit.eraseAll(frame.id);
    if (code.isGuarded)
      exit.setCurrentDevice(start.currentDevice(), start.currentIsFrozen());
    if (self) // other methods go on from here
      exit.forgetUnreachable({kGlobals, self});
  }
  return exits;
}

void Interpreter::runFunctionRoot(FunctionId function) {
  if (program_.functions[function].blocks.empty() || !concernsDevices(function))
    return;
  grantSteps();
  const bool isMain = program_.functions[function].isMain();
  for (State state : afterGlobals_) {
    if (isMain)
      state.setCurrentDevice(DeviceValue::cuda(0));
    const std::vector<State> exits = runWithSymbolicArguments(function, state, 0);
    for (const State &exit : exits)
      reportLeftBehind(exit);
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

/// Whether a method puts what its object holds where it belongs, itself or in what it calls: `net_->to(d)`,
/// `mean_ = mean_.to(device)`, `last_ = net_->forward(x)`.
bool Interpreter::placesMembers(FunctionId function, int depth) const {
  const Function &code = program_.functions[function];
  std::set<Slot> members, made;
  for (const facts::Block &block : code.blocks)
    for (const Instruction &i : block.instructions) {
      if (i.opcode == Opcode::Field || i.opcode == Opcode::Element)
        members.insert(i.dest);
      const bool isUnseen = i.opcode == Opcode::Unknown || (i.opcode == Opcode::Call && i.dest != facts::kNone &&
                                                            program_.functions[i.targets[0]].isElsewhere);
      if (i.opcode == Opcode::New || i.opcode == Opcode::Null || isUnseen)
        made.insert(i.dest); // nothing that anybody put in its place
      if (i.opcode == Opcode::MoveModule)
        return true;
      if (i.opcode == Opcode::Assign && members.count(i.args[0].slot) && !made.count(i.args[1].slot) &&
          code.slots[i.args[0].slot].type == facts::Type::Tensor)
        return true;
      if (i.opcode == Opcode::Call && depth < 3)
        for (FunctionId target : i.targets)
          if (target < program_.functions.size() && !program_.functions[target].isConstructor &&
              placesMembers(target, depth + 1))
            return true;
    }
  return false;
}

/// Whether it brings the tensors that it is given to where it works.
bool Interpreter::movesItsInputs(FunctionId function) const {
  const Function &code = program_.functions[function];
  const bool hasSelf = code.cls != facts::kNone && !code.isStatic;
  auto isInput = [&](const facts::Operand &operand) {
    return operand.slot >= hasSelf && operand.slot < code.paramCount;
  };
  for (const facts::Block &block : code.blocks)
    for (const Instruction &i : block.instructions)
      if (i.opcode == Opcode::Move && !(i.flags & facts::kDiscarded) && !i.args.empty() && isInput(i.args[0]))
        return true;
  return false;
}

/// Whether it gives the object a module or a tensor of its own.
bool Interpreter::registersMembers(FunctionId function) const {
  const std::vector<facts::Block> &blocks = program_.functions[function].blocks;
  return std::any_of(blocks.begin(), blocks.end(), [](const facts::Block &block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(),
                       [](const Instruction &i) { return i.opcode == Opcode::Register; });
  });
}

/// A class some of whose methods move what they are given takes it from anywhere: one that does not has forgotten it.
bool Interpreter::sisterMovesInputs(FunctionId method) const {
  const Function &code = program_.functions[method];
  if (code.cls >= program_.classes.size() || code.isStatic || code.isConstructor || program_.isLambda(code))
    return false;
  const std::vector<FunctionId> &sisters = program_.classes[code.cls].methods;
  return std::any_of(sisters.begin(), sisters.end(), [&](FunctionId sister) {
    return sister < program_.functions.size() && !program_.functions[sister].isPrivate && movesItsInputs(sister);
  });
}

/// A class that keeps a device, and sends tensors there, gets its other inputs on that device, too.
Value Interpreter::homeOfInputs(Context &context) const {
  auto sendsTo = [&](FunctionId method, const std::string &member) {
    if (method >= program_.functions.size())
      return false;
    for (const facts::Block &block : program_.functions[method].blocks) {
      std::set<Slot> places; // the member, and options that are made of it
      for (const Instruction &i : block.instructions) {
        const bool isMade = i.opcode == Opcode::Options || i.opcode == Opcode::OptionsWith || i.opcode == Opcode::Copy;
        auto isPlace = [&](const Operand &operand) { return places.count(operand.slot) != 0; };
        if ((i.opcode == Opcode::Field && i.text == member) ||
            (isMade && std::any_of(i.args.begin(), i.args.end(), isPlace)))
          places.insert(i.dest);
        if (i.opcode == Opcode::Move && i.args.size() > 1 && isPlace(i.args[1]))
          return true;
      }
    }
    return false;
  };
  for (const Frame *frame = &context.frame; frame; frame = frame->caller) {
    if (frame->code->cls >= program_.classes.size() || frame->code->isStatic)
      continue;
    const Value self = follow(context.state, context.state.get(field(frame->id, 0)));
    const facts::Class &cls = program_.classes[frame->code->cls];
    for (const facts::FieldInfo &member : cls.fields)
      if (member.slot.type == facts::Type::Device && self.kind == Value::Object &&
          std::any_of(cls.methods.begin(), cls.methods.end(),
                      [&](FunctionId method) { return sendsTo(method, member.slot.name); }))
        if (const Value *kept = context.state.find(field(self.object, names_.known(member.slot.name))))
          return *kept;
  }
  return {};
}

/// Whoever owns a module moves it, if it does not place itself.
std::vector<State> Interpreter::movedByOwner(const facts::Class &cls, ObjectId self, std::vector<State> states) {
  static const Instruction outside{};
  Value to = Value::of(Value::Device);
  to.set(Value::kHasDevice);
  const SymbolId home = symbols_.intern("home of " + cls.name, Symbol::FromCaller, cls.source, cls.name);
  symbols_.markOwners(home);
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
          (leaf.device.kind == DeviceValue::Symbol && symbols_[leaf.device.symbol].kind == Symbol::Plain);
      placed |= leaf.device.kind != DeviceValue::Cpu && !isUnsaid;
    });
    if (placed) {
      addExit(moved, std::move(state));
      continue;
    }
    std::vector<Value> scratch;
    Context context{frame, state, code, scratch};
    moveModule(context, self, to, events_.intern({Event::ModuleMoved, 0, 0, 0, to.device, nullptr, frame.function, 0}));
    for (State &exit : runOverrides(context, self, to, outside))
      addExit(moved, std::move(exit));
  }
  return moved;
}

void Interpreter::runClassRoot(facts::ClassId id) {
  const facts::Class &cls = program_.classes[id];
  if (cls.isLambda)
    return;
  auto waiting = [&](FunctionId f) {
    return f < program_.functions.size() && !reached_[f] && !program_.functions[f].blocks.empty() && concernsDevices(f);
  };
  if (!std::any_of(cls.methods.begin(), cls.methods.end(), waiting) &&
      !std::any_of(cls.constructors.begin(), cls.constructors.end(), waiting))
    return;
  grantSteps();
  auto [it, added] = objects_.emplace("instance " + std::to_string(id), lastObject_ + 2);
  if (added)
    lastObject_ += 2;
  ObjectId self = it->second;
  // What was run before was judged by what it was given there; here it only leaves what it leaves.
  judged_ = reached_;
  auto runMethod = [&](FunctionId method, const State &from) {
    isJudged_ = judged_[method];
    std::vector<State> exits = runWithSymbolicArguments(method, from, self);
    isJudged_ = false;
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
          addExit(states, std::move(exit));
      }
    if (!seen) {
      mark.number = static_cast<std::int64_t>(names_.id(cls.name));
      mark.symbol = 0;
      built.set(meta(self, Meta::Symbolic), mark);
      states.push_back(built);
    }
  }
  auto callable = [&](FunctionId method) {
    const Function &code = program_.functions[method];
    return !code.isStatic && !code.isPrivate && !constructing_[method] && !code.isDestructor && !code.blocks.empty() &&
           relevance_[method] != Relevance::None;
  };
  const FunctionId override = moveOverrideOf(id);
  const bool movesItself = override < program_.functions.size() && placesMembers(override);
  std::set<FunctionId> building; // methods that have had their turn
  if (cls.isModule && !movesItself) {
    // Nobody has a reason to move what has no parameters yet: methods fill it first.
    const bool isEmpty = std::none_of(states.begin(), states.end(), [&](const State &state) {
      bool hasLeaf = false;
      forLeaves(state, self, [&](ObjectId, const Value &) { hasLeaf = true; });
      return hasLeaf;
    });
    for (FunctionId method : cls.methods) {
      if (!isEmpty || !callable(method) || !registersMembers(method))
        continue;
      building.insert(method);
      std::vector<State> built;
      for (const State &state : states)
        for (State &exit : runMethod(method, state))
          addExit(built, std::move(exit));
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
    if (!callable(method) || !placesMembers(method))
      continue;
    std::vector<State> placed;
    for (const State &state : states)
      for (State &exit : runMethod(method, state))
        addExit(placed, std::move(exit));
    if (!placed.empty())
      states = std::move(placed);
  }
  // Methods in any order: each starts from what constructors and methods leave.
  std::vector<bool> done(states.size(), false);
  for (int round = 0; round < 3; ++round) {
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
        exhausted_ = false;
        State from = start;
        if (method != cls.call)
          for (const std::string &member : filled)
            if (Place at = field(self, names_.id(member)); from.get(at).kind == Value::Tensor && !from.get(at).object)
              from.set(at, Value::of(Value::Tensor));
        for (State &exit : runMethod(method, from))
          grew |= addState(states, done, std::move(exit), limits_.statesPerClass, kAtExit);
      }
    }
    if (!grew)
      break;
  }
  for (const State &state : states)
    reportLeftBehind(state);
  judged_.clear();
}

/// Whether it is a mistake, after all that was seen.
bool Interpreter::stands(const Found &found) const {
  const Proviso &proviso = found.proviso;
  const bool isMemorys = found.finding.check == Check::MissingGuard && found.finding.variant != "launch";
  return !(proviso.callersTensor && hostOnly_.count(proviso.callersTensor)) &&
         !(proviso.callersTensor && isMemorys && !memoryTaken_.count(proviso.callersTensor)) &&
         !(proviso.made && filledOnHost_.count(proviso.made)) &&
         !(proviso.onHost && neverOnHost_.count(proviso.onHost)) &&
         (proviso.apart == decltype(proviso.apart){} || apart_.count(proviso.apart));
}

/// Whether another finding, found before or after it, is nearer to the cause.
bool Interpreter::isToldElsewhere(const Found &found) const {
  if (found.finding.check == Check::DefaultFactory)
    return silenced_.count(found.root) || chosenByFlag_.count(found.finding.at);
  if (found.finding.check != Check::MixedOperands)
    return false;
  bool isTold = silenced_.count(found.root) || told_.count(found.root);
  for (const Event *event = found.proviso.story; event && !isTold; event = event->previous)
    isTold = event->kind == Event::Computed && unmovedUsed_.count(event->at);
  return isTold;
}

/// Whether a branch or a check of this function is about where its parameter is.
bool Interpreter::saysWhereItExpects(const Function &code, Slot parameter) const {
  auto asks = [&](const Instruction &i) {
    const bool isTest = i.opcode == Opcode::IsCuda || i.opcode == Opcode::IsCpu || i.opcode == Opcode::SameDevice;
    return isTest &&
           std::any_of(i.args.begin(), i.args.end(), [&](const Operand &operand) { return operand.slot == parameter; });
  };
  return std::any_of(code.blocks.begin(), code.blocks.end(), [&](const facts::Block &block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(), asks);
  });
}

bool Interpreter::worksElsewhere(FunctionId function, SourceId but, bool between) const {
  auto calls = calls_.find(function);
  return calls != calls_.end() && std::any_of(calls->second.begin(), calls->second.end(), [&](const auto &call) {
           return call.second.went && (call.first == but ? between : !call.second.failed);
         });
}

/// The report moves out to the call that is to blame, and speaks of what is written there.
void Interpreter::climb(Finding &finding, const std::vector<Climb> &calls) const {
  auto isGpu = [](const Where &where) { return where.kind == Where::Device && where.name != "cpu"; };
  const bool between = isGpu(finding.device) && isGpu(finding.otherDevice);
  auto isCallers = [&](const Climb &call) {
    return call.isContract || call.bringsBoth || worksElsewhere(call.callee, call.site, between);
  };
  // Those in between hand on what they were given.
  if (calls.empty() || !isCallers(calls.front()))
    return;
  const Climb &call = calls.back();
  finding.notes.push_back({Event::Computed, finding.at, finding.subject, {}, finding.other});
  finding.alternatives = {{finding.at, finding.fix}};
  finding.variant = "call";
  finding.at = call.site;
  finding.subject = call.subject;
  finding.other = call.other;
  finding.detail = call.name;
  finding.fix = call.fix;
  finding.notes.erase(std::remove_if(finding.notes.begin(), finding.notes.end(),
                                     [&](const Note &note) { return note.at == finding.at; }),
                      finding.notes.end());
}

/// One of several modules is used, and nobody moved any of them: that is one mistake, where it shows.
void Interpreter::tellWhereUsed() {
  auto use = [](const Found &found) -> const Note * {
    const bool isMade = found.finding.check == Check::UnmovedModule && found.finding.variant == "made";
    return isMade && !found.finding.notes.empty() ? &found.finding.notes.back() : nullptr;
  };
  std::map<SourceId, std::set<SourceId>> made;
  for (const Found &found : found_)
    if (const Note *used = use(found))
      made[used->at].insert(found.finding.at);
  for (Found &found : found_)
    if (const Note *last = use(found); last && made[last->at].size() > 1) {
      const Note used = *last;
      Finding &finding = found.finding;
      finding.notes.back() = {Event::ModuleCreated, finding.at, 0, {}};
      finding.variant = "used";
      finding.at = used.at;
      finding.subject = used.subject;
    }
}

Result Interpreter::finish() {
  const bool oneGpu = !unguarded_.empty() && knowsOneGpu();
  result_.knowsSeveralGpus = knowsSeveralGpus();
  std::set<const Found *> unneeded, undecided;
  for (const Unguarded &launch : unguarded_) {
    Found &found = found_[launch.finding];
    const SourceId use = found.finding.at;
    for (SourceId guard : guards_[launch.function]) {
      found.finding.fix.kind = Fix::MoveGuard;
      found.finding.fix.sisters.push_back(guard);
      const Lapse lapse = lapseOf(program_.functions[launch.function], guard, use);
      if (lapse == Lapse::Scope || found.finding.at != use) {
        found.finding.notes.push_back({Event::Guarded, guard, 0, {}});
        continue;
      }
      // It is the guard that is wrong, not what it was meant for.
      found.finding.notes.insert(found.finding.notes.begin(), {Event::Computed, use, 0, {}});
      found.finding.detail = found.finding.variant;
      found.finding.variant = lapse == Lapse::Temporary ? "temporary" : "one-way";
      found.finding.at = found.finding.fix.at = guard;
    }
    found.finding.calledElsewhere = isCalledElsewhere(launch) ? launch.root : facts::kNone;
    if (oneGpu)
      unneeded.insert(&found);
    else if (isPartOfAnother(launch))
      undecided.insert(&found);
  }
  for (const Found &found : found_) {
    const bool isKept = found.finding.check == Check::PinnedIndex && found.finding.variant.rfind("kept", 0) == 0;
    const bool isRoots =
        found.finding.check == Check::DefaultFactory || found.finding.check == Check::UnmovedModule || isKept;
    if (isRoots && !(found.proviso.made && filledOnHost_.count(found.proviso.made)))
      told_.insert(found.root); // whatever else it meets
  }
  for (Found &found : found_)
    climb(found.finding, found.proviso.climbs);
  tellWhereUsed();
  // One root, one report, however often it fails; and one report at a place.
  std::map<std::pair<SourceId, FunctionId>, Finding *> roots;
  std::set<std::pair<SourceId, bool>> places; // a launch may lack a guard, and a stream
  const bool oneStream = hasOneStream();
  std::vector<Finding *> certain, undecidedOnes;
  for (bool isLater : {false, true}) // what is certain comes first
    for (Found &found : found_) {
      if (undecided.count(&found) != isLater || !stands(found) || isToldElsewhere(found) || unneeded.count(&found))
        continue;
      const bool isStreams = found.finding.check == Check::DefaultStream;
      if (isStreams && oneStream)
        continue;
      const auto [first, isFirst] =
          roots.insert({{found.root ? found.root : found.finding.at, found.function}, &found.finding});
      if (!places.insert({found.finding.at, isStreams}).second)
        continue;
      if (isFirst)
        (isLater ? undecidedOnes : certain).push_back(&found.finding);
      else if (found.finding.check == Check::MissingGuard && first->second->variant == found.finding.variant &&
               first->second->notes.size() < 5)
        first->second->notes.push_back({Event::Kept, found.finding.at, 0, {}});
    }
  for (Finding *finding : certain)
    result_.findings.push_back(std::move(*finding));
  for (Finding *finding : undecidedOnes)
    result_.undecided.push_back(std::move(*finding));
  std::stable_sort(result_.findings.begin(), result_.findings.end(), [](const Finding &a, const Finding &b) {
    return std::tie(a.at, a.check) < std::tie(b.at, b.check);
  });
  result_.steps = stepsAllowed_ - stepsInAll_;
  return std::move(result_);
}

void Interpreter::report(Finding finding, SourceId root, FunctionId function, const State &state, const Scene &scene,
                         const Proviso &proviso) {
  failures_ += finding.check != Check::DefaultStream; // the call goes well as long as there is one stream
  if (isJudged_ || !finding.at)
    return;
  if (!reported_.insert({finding.check, finding.at, root, function, proviso}).second)
    return;
  if (withWitnesses_)
    finding.witness = Reenactment::of(*this, state, finding, scene);
  found_.push_back({std::move(finding), root, function, proviso});
}

} // namespace samedevice::analysis
