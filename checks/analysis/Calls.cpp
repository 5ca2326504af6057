// Calls: a function is run in its caller's memory.
#include "Calls.h"
#include "Attribution.h"
#include "Control.h"
#include "Devices.h"
#include "Homes.h"
#include "Interpreter.h"
#include "Lists.h"
#include "Memory.h"
#include "Modules.h"
#include "Optimizers.h"
#include "Tensors.h"
#include "Unseen.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

static std::string inWords(const Value &given, SourceId source) {
  return given.has(Value::kConstant) ? "=" + std::to_string(given.number)
         : given.symbol              ? "s" + std::to_string(given.symbol)
         : given.object              ? "o" + std::to_string(given.object)
                                     : "@" + std::to_string(source);
}

/// What a function that is not run reads in an object that it is given: `env.done()` answers by what a step has written
/// there.
static std::string readBy(Context &context, FunctionId function, Slot parameter, ObjectId object, SourceId call,
                          int depth = 0) {
  std::string read;
  for (const facts::Block &block : context.program().functions[function].blocks)
    for (const Instruction &i : block.instructions)
      for (Slot n = 0; n < i.args.size(); ++n) {
        if (i.args[n].slot != parameter)
          continue;
        if (i.opcode == Opcode::Call && depth < Limits::readers)
          for (FunctionId called : i.targets)
            read += readBy(context, called, n, object, call, depth + 1);
        if (i.opcode == Opcode::Field && n == 0)
          if (const Value *written = context.state.find(field(object, context.universe().names.id(i.text))))
            read += "." + i.text + inWords(*written, call);
      }
  return read;
}

/// What an unseen function returns: something of its type, the same for the same question.
Value unknownResult(Context &context, const Instruction &i) {
  if (i.dest == facts::kNone)
    return {};
  const facts::SlotInfo &slot = context.frame.code->slots[i.dest];
  Value made;
  if (slot.type == facts::Type::Tensor) {
    made.kind = Value::Tensor;
    return made;
  }
  const bool isDeclared = i.opcode == Opcode::Call && !i.targets.empty();
  std::string key = "result of " + (isDeclared ? context.program().functions[i.targets[0]].name : i.text);
  for (Slot n = 0; n < i.args.size(); ++n) {
    const Value given = value(context, i.args[n]);
    key += inWords(given, i.args[n].source);
    if (isDeclared && given.kind == Value::Object)
      key += readBy(context, i.targets[0], n, given.object, i.source);
  }
  if (slot.type == facts::Type::Module || slot.type == facts::Type::Record || slot.type == facts::Type::List)
    key += "@" + std::to_string(context.frame.id) + "/" + std::to_string(i.source);
  return symbolic(context.state, slot, key, slot.name, false);
}

/// A function that is only declared here. What it makes of numbers and texts nobody knows, nor whether it does so
/// again.
static Outcomes callElsewhere(Context &context, const Instruction &i) {
  for (const Operand &operand : i.args)
    context.evidence.announced.note(pickedBy(context, value(context, operand)));
  const Function &declared = context.program().functions[i.targets[0]];
  auto isPlain = [](facts::Type type) {
    return type == facts::Type::Other || type == facts::Type::Int || type == facts::Type::Bool ||
           type == facts::Type::String;
  };
  auto isPlainOperand = [&](const Operand &operand) {
    return !operand.mayWrite && (operand.slot == facts::kNone || isPlain(context.frame.code->slots[operand.slot].type));
  };
  const bool isPlainCall = (i.dest == facts::kNone || context.frame.code->slots[i.dest].type != facts::Type::Module) &&
                           std::all_of(i.args.begin(), i.args.end(), isPlainOperand);
  if (!declared.isConstructor) // nobody else has the object yet
    callUnseen(context, i, declared.cls);
  return {{context.state, isPlainCall ? anything(context, i) : unknownResult(context, i)}};
}

/// Whether an object may be of a class: it is that of which it was made, or of a derived one if it was handed in.
bool mayBe(const State &state, ObjectId object, facts::ClassId cls) {
  const Value *taken = state.find(meta(object, Meta::Dynamic));
  const facts::ClassId known = taken ? static_cast<facts::ClassId>(taken->number) : classOf(state, object);
  return known >= state.program().classes.size() || state.program().derivesFrom(known, cls) ||
         state.program().derivesFrom(cls, known);
}

static std::vector<Candidate> candidates(const State &state, const Instruction &i, const Value &self) {
  std::vector<FunctionId> all;
  for (FunctionId target : i.targets)
    if (target < state.program().functions.size() && !state.program().functions[target].blocks.empty())
      all.push_back(target);
  std::vector<Candidate> found;
  if (all.size() > 1 && self.kind == Value::Object) {
    const Value *taken = state.find(meta(self.object, Meta::Dynamic));
    const facts::ClassId cls = taken ? static_cast<facts::ClassId>(taken->number) : classOf(state, self.object);
    // Of an object that was handed in, only a base may be known: it is of one of the classes that somebody makes
    // objects of, and of the same one at its next virtual call.
    if (!taken && cls != facts::kNone && state.find(meta(self.object, Meta::Symbolic)))
      for (facts::ClassId made : state.program().classesMade)
        if (FunctionId target =
                state.program().derivesFrom(made, cls) ? state.program().ownOrInherited(made, all) : facts::kNone;
            target != facts::kNone)
          found.push_back({target, made});
    if (found.empty())
      if (FunctionId target = state.program().ownOrInherited(cls, all); target != facts::kNone)
        found.push_back({target, facts::kNone});
  }
  if (found.empty())
    for (FunctionId target : all)
      found.push_back({target, facts::kNone});
  return found;
}

Outcomes Interpreter::call(Context &context, const Instruction &i) {
  if (i.opcode == Opcode::Element)
    return element(context, i);
  if (i.opcode == Opcode::MoveModule) {
    stepModule(context, i);
    if (i.args.size() < 2)
      return {{context.state, {}}};
    const Value module = value(context, i.args[0]);
    Outcomes outcomes;
    for (State &state :
         runOverrides(context, module.kind == Value::Object ? module.object : 0, value(context, i.args[1]), i))
      outcomes.emplace_back(std::move(state), Value{});
    return outcomes;
  }
  std::vector<Value> arguments;
  for (const Operand &operand : i.args) {
    // Locals are passed by reference, so that a reference parameter can bind to them; a method's object is no variable.
    Value at = raw(context, operand.slot);
    const Function *called =
        i.opcode == Opcode::Call && !i.targets.empty() ? &program_.functions[i.targets[0]] : nullptr;
    const std::size_t n = arguments.size();
    const bool isReplaceable =
        called && n < called->paramCount && called->slots[n].reference && !called->slots[n].isSelf();
    if (at.kind != Value::Reference && (at.kind != Value::Object || isReplaceable))
      if (std::optional<Place> target = operand.slot == facts::kNone ? std::nullopt : placeOf(context, operand))
        at = referenceTo(*target);
    arguments.push_back(at);
  }
  auto unseen = [&](bool leavesObject = false) -> Outcomes {
    for (std::size_t n = 0; n < i.args.size(); ++n)
      if (n > 0 || (i.opcode != Opcode::CallValue && !leavesObject))
        havoc(context.state, arguments[n]);
    return {{context.state, unknownResult(context, i)}};
  };

  if (i.opcode == Opcode::Forward) {
    Value module = arguments.empty() ? Value{} : follow(context.state, arguments[0]);
    std::vector<SourceId> sources;
    sources.reserve(i.args.size());
    for (const Operand &operand : i.args)
      sources.push_back(operand.source);
    if (!arguments.empty()) {
      arguments.erase(arguments.begin());
    }
    return forward(context, module, arguments, sources, i);
  }
  std::vector<Candidate> targets;
  const Value self = arguments.empty() ? Value{} : follow(context.state, arguments[0]);
  if (i.opcode == Opcode::CallValue) {
    facts::ClassId cls = self.kind == Value::Object ? classOf(context.state, self.object) : facts::kNone;
    if (cls < program_.classes.size() && program_.classes[cls].call != facts::kNone)
      targets.push_back({program_.classes[cls].call, facts::kNone});
  } else {
    targets = candidates(context.state, i, self);
  }
  if (targets.empty() && i.opcode == Opcode::Call && !i.targets.empty() && program_.functions[i.targets[0]].isElsewhere)
    return callElsewhere(context, i);
  if (targets.empty() || targets.size() > Limits::targets)
    return unseen();
  Outcomes outcomes;
  State before = context.state;
  for (auto [target, cls] : targets) {
    context.state = before;
    if (cls != facts::kNone)
      context.state.set(meta(self.object, Meta::Dynamic), Value::constant(Value::Int, cls));
    const Function &code = program_.functions[target];
    int nested = 0;
    bool isAtItAlready = false; // with the same object: what it does to it is done
    for (const Frame *frame = &context.frame; frame; frame = frame->caller) {
      nested += frame->function == target;
      isAtItAlready |= frame->function == target && self.kind == Value::Object && code.cls != facts::kNone &&
                       !code.isStatic && frame->arguments && !frame->arguments->empty() &&
                       follow(context.state, frame->arguments->front()).object == self.object;
    }
    const Relevance relevance = program_.relevanceOf(target);
    if (code.blocks.empty() || nested >= Limits::activations || context.frame.depth >= limits_.callDepth ||
        relevance == Relevance::None) {
      reached_[target] = 1;
      if (relevance == Relevance::None && i.opcode == Opcode::Call) {
        outcomes.push_back({context.state, unknownResult(context, i)});
      } else {
        auto result = unseen(isAtItAlready);
        outcomes.insert(outcomes.end(), result.begin(), result.end());
      }
      continue;
    }
    bool isNamed = i.opcode == Opcode::CallValue && (code.cls == facts::kNone || code.isStatic); // no closure
    std::vector<Value> given(arguments.begin() + isNamed, arguments.end());
    std::optional<Outcomes> result = invokeWithin(context, target, given, i);
    if (!result) {
      context.state = before;
      if (relevance == Relevance::Devices)
        havoc(context.state, objectValue(kGlobals));
      result = unseen();
    }
    outcomes.insert(outcomes.end(), std::make_move_iterator(result->begin()), std::make_move_iterator(result->end()));
  }
  if (outcomes.empty() && (i.flags & facts::kThread))
    outcomes.emplace_back(std::move(before), unknownResult(context, i));
  // Of an object nobody knows, this call may be one class's and the next call another's: what the classes do not agree
  // on is not known.
  const bool agreed = std::all_of(outcomes.begin(), outcomes.end(),
                                  [&](const auto &outcome) { return sameMeaning(outcome.second, outcomes[0].second); });
  if (targets.size() > 1 && self.kind != Value::Object && !agreed)
    for (auto &[state, result] : outcomes)
      result = unknownResult(context, i);
  return outcomes;
}

/// Of a copy that was moved: what it was made of. Null for everything else.
static const Event *originalOf(const Value &copy) {
  const Event *move = copy.kind == Value::Tensor ? copy.trail : nullptr;
  while (move && move->kind == Event::Stored)
    move = move->previous;
  return move && move->kind == Event::Moved ? move->previous : nullptr;
}

/// `to_device(batch, device);` hands out copies that it has moved, and nobody takes them: the batch is where it was.
static void noteDropped(Context &context, const Instruction &site, const Outcomes &outcomes) {
  std::map<const Event *, SourceId> originals; // and in which argument they are
  for (const Operand &operand : site.args) {
    std::vector<Value> given;
    flatten(context.state, value(context, operand), given);
    for (const Value &tensor : given)
      if (tensor.kind == Value::Tensor && tensor.trail)
        originals.insert({tensor.trail, operand.source});
  }
  for (const auto &[state, result] : outcomes) {
    std::vector<Value> copies;
    flatten(state, result, copies);
    for (const Value &copy : copies)
      if (auto original = originals.find(originalOf(copy)); original != originals.end())
        context.evidence.noteDropped(original->first, {&site, original->second, copy.device});
  }
}

/// A function that is there to move what it is given; what it moves for nothing is told there.
static bool onlyMoves(const ProgramIndex &program, const Function &code) {
  using facts::Group;
  for (const facts::Block &block : code.blocks) {
    if (block.end.kind == facts::Terminator::Return && block.end.slot != facts::kNone)
      return false;
    for (const Instruction &i : block.instructions)
      switch (facts::groupOf(i.opcode)) {
      case Group::Values:
      case Group::Lists:
      case Group::Devices:
      case Group::Conditions:
        break;
      default:
        if (i.opcode != Opcode::Move && i.opcode != Opcode::End)
          return false;
      }
    if (std::any_of(block.instructions.begin(), block.instructions.end(),
                    [&](const Instruction &i) { return program.isDeadMove(i); }))
      return false;
  }
  return true;
}

static bool takesCopies(const Function &code) {
  return std::any_of(code.slots.begin(), code.slots.begin() + code.paramCount,
                     [](const facts::SlotInfo &parameter) { return parameter.own; });
}

/// `place(batch, device);` moves what is in the copy of the batch that it gets: the batch is where it was.
static void noteMovedCopies(Context &context, const Instruction &site, const Frame &called, const State &exit) {
  const Function &code = *called.code;
  const std::size_t given = site.targets.empty() ? 0 : std::min<std::size_t>(code.paramCount, site.args.size());
  for (Slot slot = 0; slot < given; ++slot) {
    if (!code.slots[slot].own)
      continue;
    std::vector<Value> before, after;
    flatten(context.state, follow(context.state, (*called.arguments)[slot]), before);
    flatten(exit, follow(exit, exit.get(field(called.id, slot))), after);
    for (const Value &copy : after) {
      const Event *original = originalOf(copy);
      const bool isGivens = original && std::any_of(before.begin(), before.end(), [&](const Value &given) {
                              return given.kind == Value::Tensor && given.trail == original;
                            });
      if (isGivens)
        context.evidence.noteDropped(original, {&site, site.args[slot].source, copy.device, true});
    }
  }
}

Outcomes Interpreter::invoke(Context &context, FunctionId function, const std::vector<Value> &arguments,
                             const Instruction &site) {
  const Function &code = program_.functions[function];
  Frame frame;
  frame.id = universe_.objects.frame(context.frame.id, site, function);
  frame.function = function;
  frame.code = &code;
  frame.caller = &context.frame;
  frame.site = &site;
  frame.arguments = &arguments;
  frame.depth = context.frame.depth + 1;

  State entry = context.state;
  entry.eraseAll(frame.id);
  for (Slot slot = 0; slot < code.paramCount; ++slot) {
    Value given = slot < arguments.size() ? arguments[slot] : Value{};
    if (slot >= arguments.size() && code.slots[slot].type == facts::Type::Tensor)
      given.kind = Value::Tensor;
    if (!code.slots[slot].reference && given.kind == Value::Reference)
      given = follow(entry, given);
    given.set(Value::kFresh, false);
    noteGiven(evidence_, entry, function, slot, given);
    const Value tensor = follow(entry, given);
    const Event *last = tensor.kind == Value::Tensor ? tensor.trail : nullptr;
    if (last && last->kind == Event::Moved && entry.resolve(tensor.device).kind == DeviceValue::Cpu)
      evidence_.noteBroughtToHost(function, site.source);
    entry.set(field(frame.id, slot), given);
  }
  if (isGuarded(context.state) && !isRunByEngine(frame)) // somebody holds that guard
    evidence_.noteGuardedCall(function, site.source);
  const std::size_t failures = report_.failures();
  std::vector<State> exits = run(frame, std::move(entry));
  evidence_.noteCall(function, site.source, report_.failures() != failures);
  const bool movesCopies = takesCopies(code) && onlyMoves(program_, code);
  Outcomes outcomes;
  for (State &exit : exits) {
    Value result = exit.get(field(frame.id, kResultSlot));
    if (movesCopies)
      noteMovedCopies(context, site, frame, exit);
    exit.eraseAll(frame.id);
    if (result.kind == Value::Bool)
      exit.justLearnt(context.state);
    const Event *begun = beginning(result.trail);
    if (result.kind == Value::Pointer && begun && begun->function == function)
      result.trail = event(context, Event::Returned, site, result.trail, result.device, code.source);
    if (result.kind == Value::Device && site.flags & facts::kOmitted)
      result.trail = event(context, Event::Chosen, site, nullptr, result.device,
                           result.trail && result.trail->subject ? site.source : 0);
    outcomes.push_back({std::move(exit), result});
  }
  if (site.flags & facts::kDiscarded)
    noteDropped(context, site, outcomes);
  return outcomes;
}

/// Runs a call within a part of the steps that are left; nothing when it does not come to its end there. One function
/// with very many paths must not silence whoever calls it: to them it is one that nobody can see into. What is no
/// device's business, a parser that is asked for settings, gets few steps to begin with.
std::optional<Outcomes> Interpreter::invokeWithin(Context &context, FunctionId function,
                                                  const std::vector<Value> &arguments, const Instruction &site) {
  if (budget_.isTooLong(function))
    return std::nullopt;
  const bool isAside = program_.relevanceOf(function) == Relevance::Aside;
  const std::size_t remarks = report_.remarks();
  const Budget::Allowance part(budget_, function, isAside);
  Outcomes outcomes = invoke(context, function, arguments, site);
  if (!part.isExhausted())
    return outcomes;
  report_.remarkCut(program_.functions[function]);
  if (isAside)
    report_.forgetRemarks(remarks);
  return std::nullopt;
}

/// The parameters of a module whose forward is in another file, taken together: where they are, if all are in one
/// place, and if the class does not look after devices itself.
static Value parametersOf(const State &state, ObjectId module) {
  const facts::Class &cls = state.program().classes[classOf(state, module)];
  if (std::any_of(cls.fields.begin(), cls.fields.end(), [](const facts::FieldInfo &member) {
        return member.slot.type == facts::Type::Device || member.slot.type == facts::Type::Options;
      }))
    return {};
  Value common;
  bool agree = true;
  forLeaves(state, module, [&](ObjectId, const Value &leaf) {
    if (common.kind == Value::Tensor)
      agree &= leaf.device == common.device;
    else
      common = leaf;
  });
  return agree ? common : Value{};
}

/// The tensors that a script is given and computes with. A dictionary may hold sizes and thresholds that it reads on
/// the host: what is in several places need not meet, nor what comes beside an input.
static void collectScriptInputs(const State &state, const Value &entry, std::vector<Value> &inputs) {
  std::vector<Value> tensors;
  flatten(state, entry, tensors);
  const bool isTogether = std::all_of(tensors.begin(), tensors.end(), [&](const Value &tensor) {
    return state.resolve(tensor.device) == state.resolve(tensors[0].device);
  });
  if (entry.kind != Value::Object || (inputs.empty() && isTogether))
    inputs.insert(inputs.end(), tensors.begin(), tensors.end());
}

/// What was assigned over what a layer had registered is not moved with it. False where it meets an input elsewhere.
static bool computesWhereItIs(Context &context, const Instruction &i, ObjectId layer, const Participant &input) {
  std::vector<std::pair<std::uint32_t, Value>> members;
  context.state.forPart(layer, Part::Field, [&](std::uint32_t name, const Value &member) {
    if (member.kind == Value::Tensor && member.object != layer)
      members.push_back({name, member});
  });
  for (const auto &[name, member] : members) {
    const Participant p = participant(context, member, 0);
    const Relation relation = relate(context.state, p.device, input.device);
    if (relation.kind == Relation::Different &&
        Attribution(context, i).assignedOver(p, input, relation, context.universe().names.text(name)))
      return false;
  }
  return true;
}

/// A module is given tensors: torch's own by its device, the user's own by its code, a container child by child.
Outcomes Interpreter::forward(Context &context, const Value &module, std::vector<Value> arguments,
                              std::vector<SourceId> sources, const Instruction &i, int depth) {
  Value unknown;
  bool tensorResult = i.dest != facts::kNone && context.frame.code->slots[i.dest].type != facts::Type::Other;
  unknown.kind = tensorResult ? Value::Tensor : Value::Unknown;
  if (module.kind != Value::Object || depth > Limits::nestedContainers)
    return {{context.state, unknown}};
  ObjectId object = module.object;
  facts::ClassId cls = classOf(context.state, object);
  std::string torchClass = torchClassOf(context.state, object);
  const bool isUsers = cls < program_.classes.size();
  if (FunctionId body = isUsers ? program_.classes[cls].call : facts::kNone; body != facts::kNone) {
    bool free = true;
    for (const Frame *frame = &context.frame; frame; frame = frame->caller)
      free &= frame->function != body;
    if (program_.functions[body].blocks.empty() || !free || context.frame.depth >= limits_.callDepth)
      return {{context.state, unknown}};
    arguments.insert(arguments.begin(), module);
    return invoke(context, body, arguments, i);
  }
  if (torchClass == "Sequential") {
    std::vector<std::pair<std::int64_t, Value>> children;
    context.state.forPart(object, Part::Child,
                          [&](std::uint32_t, const Value &child) { children.push_back({child.number, child}); });
    std::stable_sort(children.begin(), children.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    Outcomes now{{context.state, arguments.empty() ? unknown : follow(context.state, arguments[0])}};
    for (auto &[order, child] : children) {
      Outcomes next;
      for (auto &[state, flowing] : now) {
        Context inner{evidence_, report_, context.frame, state, context.code, context.scratch};
        std::vector<Value> given{flowing};
        if (next.empty() && order == 0)
          given.insert(given.end(), arguments.size() > 1 ? arguments.begin() + 1 : arguments.end(), arguments.end());
        auto result = forward(inner, objectValue(child.object), given, sources, i, depth + 1);
        for (auto &outcome : result)
          if (next.size() < Limits::waysThrough)
            next.push_back(std::move(outcome));
      }
      now = std::move(next);
    }
    return now;
  }

  std::vector<Participant> participants;
  Value own = isUsers ? parametersOf(context.state, object) : context.state.get(meta(object, Meta::Device));
  if (own.kind == Value::Tensor) {
    noteComputedWith(context.state, object);
    Participant p;
    p.value = own;
    p.device = context.state.resolve(own.device);
    p.module = object;
    p.source = sources.empty() ? 0 : sources[0];
    participants.push_back(p);
  }
  const Participant *input = nullptr;
  std::vector<Participant> inputs;
  const bool isScript = torchClass == kScript;
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    std::vector<Value> tensors;
    const Value given = follow(context.state, arguments[n]);
    const bool isList = arguments.size() == 1 && given.kind == Value::Object; // forward({x, y}), not run_method
    if (!isScript)
      flatten(context.state, given, tensors);
    else if (isList || inputs.empty() || given.kind != Value::Object)
      for (const Value &entry : isList ? elements(context.state, given) : std::vector<Value>{given})
        collectScriptInputs(context.state, entry, tensors);
    for (const Value &tensor : tensors)
      if (tensor.kind == Value::Tensor) {
        // A script takes lengths and flags from the host.
        if (isScript && !inputs.empty() && evidence_.spelledOut.has(beginning(tensor.trail)))
          continue;
        inputs.push_back(participant(context, tensor, n + 1 < sources.size() ? sources[n + 1] : 0));
        consume(context, i, tensor, inputs.back().source);
      }
  }
  if (isUsers && inputs.size() > 1)
    inputs.resize(1); // a body in another file: its first tensor meets its parameters, of the others nobody knows
  bool failed = false;
  if (own.kind == Value::Tensor && !inputs.empty() &&
      std::all_of(inputs.begin(), inputs.end(),
                  [&](const Participant &p) { return p.device.known() && p.device == participants[0].device; }))
    context.state.erase(meta(object, Meta::Placed)); // fed from where it is: it was left there on purpose
  // CTC takes its targets and lengths from wherever they are.
  bool compares = torchClass.find("Loss") != std::string::npos && torchClass != "CTCLoss";
  if (own.kind == Value::Tensor || compares) {
    participants.insert(participants.end(), inputs.begin(), inputs.end());
    failed = !requireSame(context, participants, i, isUsers ? program_.classes[cls].name : torchClass);
  }
  if (!inputs.empty())
    input = &inputs[0];
  if (!isUsers && !failed && input)
    failed = !computesWhereItIs(context, i, object, *input);

  DeviceValue device;
  const Event *from = nullptr;
  // What comes out of a failure is nowhere: it must not fail again.
  auto nowhere = [](const Participant &p) { return p.device.kind == DeviceValue::Other; };
  if (failed || std::any_of(inputs.begin(), inputs.end(), nowhere)) {
    failed = true;
    device.kind = DeviceValue::Other;
  }
  if (!failed && own.kind == Value::Tensor && torchClass != kScript) {
    device = context.state.resolve(own.device);
    from = own.trail;
    const Relation apart = input ? relate(context.state, device, input->device) : Relation{};
    if (apart.kind == Relation::Different && !apart.when) { // let through: where the two are is not known after all
      device = {};
      from = nullptr;
    } else if (device.kind == DeviceValue::Unknown && input) {
      device = input->device;
      from = input->value.trail;
    }
  } else if (!failed && input) {
    device = input->device;
    from = input->value.trail;
  }
  bool container = own.kind != Value::Tensor && (torchClass.empty() || torchClass.rfind("Module", 0) == 0);
  if (container || (isUsers && tensorResult && context.frame.code->slots[i.dest].type != facts::Type::Tensor))
    return {{context.state, unknown}};
  const bool isLoss = torchClass.find("Loss") != std::string::npos;
  Value result = tensorOn(device, event(context, Event::Computed, i, from, device, sources.empty() ? 0 : sources[0]),
                          isLoss ? +Value::kRank0 : 0u, isLoss ? 0 : 1);
  result.set(Value::kLiteral, own.kind == Value::Tensor && own.has(Value::kLiteral));
  result.set(Value::kAnything, torchClass == kScript);
  return {{context.state, result}};
}

} // namespace samedevice::analysis
