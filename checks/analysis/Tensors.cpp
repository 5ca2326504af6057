// Tensors: factories, moves, and operators by the rules of PyTorch.
#include "Tensors.h"
#include "../facts/Rules.h"
#include "Attribution.h"
#include "Conditions.h"
#include "Control.h"
#include "Devices.h"
#include "Memory.h"
#include "Optimizers.h"
#include "Upkeep.h"
#include "Values.h"

#include <algorithm>
#include <set>

namespace samedevice::analysis {

static Value moveTensor(Context &context, const Instruction &instruction);
static bool isNonBlocking(Context &context, const Instruction &instruction);

Participant participant(Context &context, const Value &value, SourceId source) {
  Participant p;
  p.value = value;
  p.source = source;
  p.device = context.state.resolve(deviceOf(context.state, value));
  if (value.kind == Value::Tensor && value.object) {
    p.module = value.object;
    Value cell = context.state.get(meta(value.object, Meta::Device));
    if (cell.kind == Value::Tensor)
      p.value.trail = cell.trail;
  }
  return p;
}

/// What is made of a tensor, as against what looks into its memory.
static bool hasOwnMemory(const Instruction &view) {
  static const std::set<std::string> made = {"clone", "to", "toType", "toDense", "to_dense", "to_sparse", "grad"};
  return view.flags & facts::kPinned || made.count(view.text);
}

/// The step that made it what it is: wherever its handle was put or handed since, it is the same tensor.
static const Event *madeBy(const Event *story) {
  while (story && (story->kind == Event::Stored || story->kind == Event::Returned || story->kind == Event::Called))
    story = story->previous;
  return story;
}

/// Handles are copied, what they lead to is not: who gives it other data by one of them gives it to all of them.
static void giveToAllHandles(State &state, const Value &target, const Value &source) {
  const Event *made = target.kind == Value::Tensor ? madeBy(target.trail) : nullptr;
  std::vector<Place> handles;
  if (made)
    state.forAll([&](Place p, const Value &value) {
      if (value.kind == Value::Tensor && !value.object && partOf(p) != Part::Meta && madeBy(value.trail) == made)
        handles.push_back(p);
    });
  for (const Place handle : handles)
    state.set(handle, source);
}

void stepTensor(Context &context, const Instruction &i) {
  noteWork(context, i);
  auto arg = [&](std::size_t n) { return n < i.args.size() ? value(context, i.args[n]) : Value{}; };
  const std::uint32_t scalar = i.flags & facts::kRank0 ? +Value::kRank0 : 0u;
  int dims = dimsOf(i);
  switch (i.opcode) {
  case Opcode::New: {
    bool given = !i.args.empty() && i.args[0].slot != facts::kNone;
    Value options = given ? arg(0) : Value{};
    bool hasDevice =
        given && !(options.kind == Value::Options && !options.has(Value::kHasDevice)) && options.kind != Value::Null;
    DeviceValue device = hasDevice ? optionsDevice(context, options) : DeviceValue::cpu();
    bool batch = (i.flags & facts::kBatch) != 0;
    Event::Kind kind = hasDevice ? Event::CreatedOn : Event::CreatedByDefault;
    if (batch)
      kind = Event::Batch;
    const bool areKnown = hasDevice || (options.trail && options.trail->kind == Event::OptionsMade);
    const Event *story =
        event(context, kind, i, areKnown ? options.trail : nullptr, device, i.source, hasDevice ? i.args[0].source : 0);
    if (i.text == "tensor")
      context.evidence.spelledOut.note(story);
    // A factory with sizes makes a tensor with dimensions, but for the rare {}.
    static const std::set<std::string> unsized = {"tensor", "scalar_tensor", "from_blob", "complex", "polar"};
    if (!dims && (batch || (!scalar && !unsized.count(i.text))))
      dims = 1;
    Value made = tensorOn(device, story, scalar, dims);
    made.set(Value::kPinned, options.has(Value::kPinned) || (i.flags & facts::kPinned));
    made.memory = made.has(Value::kPinned) ? nameAnew(context, i) : 0;
    made.set(Value::kLiteral, hasDevice && !device.symbol && writtenHere(context, options));
    made.set(Value::kNoIndex, hasDevice && options.has(Value::kNoIndex));
    made.set(Value::kEmpty, i.flags & facts::kEmpty);
    define(context, i.dest, made);
    return;
  }
  case Opcode::Like: {
    Value of = arg(0), options = arg(1);
    bool override = options.kind == Value::Device || (options.kind == Value::Options && options.has(Value::kHasDevice));
    DeviceValue device = override ? optionsDevice(context, options) : deviceOf(context.state, of);
    const Event *story =
        event(context, override ? Event::CreatedOn : Event::CreatedLike, i, override ? options.trail : of.trail, device,
              i.source, override ? i.args[1].source : i.args[0].source);
    bool sized = scalar || dims;
    Value made = tensorOn(device, story, sized ? scalar : of.flags & Value::kRank0, sized ? dims : of.dims);
    made.set(Value::kPinned, options.has(Value::kPinned));
    made.memory = made.has(Value::kPinned) ? nameAnew(context, i) : 0;
    define(context, i.dest, made);
    return;
  }
  case Opcode::Move:
    define(context, i.dest, moveTensor(context, i));
    if (i.args[0].slot < context.frame.code->paramCount && !(i.flags & facts::kDiscarded))
      context.evidence.noteBringsInput(context.frame.function,
                                       context.state.resolve(deviceOf(context.state, value(context, i.dest))));
    return;
  case Opcode::View: {
    Value of = arg(0);
    if (of.kind != Value::Tensor) {
      Value unknown = Value::of(Value::Tensor);
      define(context, i.dest, of.kind == Value::Null ? of : unknown);
      return;
    }
    Value made = of;
    made.object = 0;
    made.device = deviceOf(context.state, of);
    made.trail = participant(context, of, 0).value.trail;
    if (i.text == "grad" || i.text == "mutable_grad")
      noteComputedWith(context.state, of.object);
    const bool saysWhetherItLearns = i.text == "requires_grad_" || i.text == "set_requires_grad";
    if (of.object && saysWhetherItLearns)
      noteLearns(context, of.object, i.args.size() > 1 ? arg(1) : Value::constant(Value::Bool, 1));
    if (of.object && (i.text == "data" || i.text == "detach" || i.text == "alias" || i.text == "requires_grad_"))
      made.object = of.object;
    if (i.text == "clone")
      consume(context, i, of, i.args[0].source);
    if (hasOwnMemory(i)) {
      bool mayBeTheSame = i.text != "clone" && !(i.flags & facts::kPinned) && !of.has(Value::kUploading);
      made.pending = mayBeTheSame ? of.pending : 0; // cast to what it is already
      made.set(Value::kUploading, false);
      made.set(Value::kPinned, i.flags & facts::kPinned);
      made.memory = made.has(Value::kPinned) ? nameAnew(context, i) : 0;
    }
    define(context, i.dest, made);
    return;
  }
  case Opcode::Op:
    define(context, i.dest, operate(context, i));
    return;
  case Opcode::SetData: {
    Value target = arg(0), source = arg(1);
    if (target.kind == Value::Tensor && target.object) {
      Value cell = context.state.get(meta(target.object, Meta::Device));
      const DeviceValue before = cell.device;
      cell.kind = Value::Tensor;
      cell.device = deviceOf(context.state, source);
      cell.trail = source.trail;
      if (relate(context.state, before, cell.device).kind == Relation::Different) {
        cell.trail = event(context, Event::Stored, i, source.trail, cell.device, i.args[0].source, i.args[1].source);
        context.evidence.noteDisplaced(cell.trail, before);
      }
      context.state.set(meta(target.object, Meta::Device), cell);
    } else if (!i.args.empty()) {
      giveToAllHandles(context.state, target, source);
      write(context, i.args[0], source);
    }
    return;
  }
  default:
    return;
  }
}

bool writtenHere(Context &context, const Value &device) {
  if (!device.has(Value::kLiteral) || !device.trail)
    return false;
  const FunctionId writer = device.trail->function;
  if (writer == context.frame.function || context.program().isGlobalInit(writer))
    return true;
  // What Python calls gets tensors of any GPU, whatever number a helper names.
  for (const Frame *frame = &context.frame; frame; frame = frame->caller)
    if (frame->function == writer)
      return device.device.index >= 0 && frame->code->isBound();
  const Frame &root = outermost(context.frame);
  return device.device.index >= 0 && root.code->isEntry && !root.code->isMain() &&
         handsOutDevices(context.program().functions[writer]);
}

static Value moveTensor(Context &context, const Instruction &i) {
  Value of = i.args.empty() ? Value{} : value(context, i.args[0]);
  Value to = i.args.size() > 1 ? value(context, i.args[1]) : Value{};
  if (of.kind == Value::Null)
    return of;
  bool byOptions = to.kind == Value::Options && !to.has(Value::kHasDevice);
  DeviceValue from = context.state.resolve(deviceOf(context.state, of));
  if (byOptions)
    return of;
  DeviceValue target = optionsDevice(context, to);
  bool known = to.kind == Value::Device || to.kind == Value::Options || to.kind == Value::Tensor;
  if (!known)
    target = {};
  // `counts.to(out.options())` may be about the type alone.
  const bool isAboutType = to.kind == Value::Options && to.has(Value::kOfTensor);
  if (!isAboutType)
    noteApart(context, from, target);
  if (!isAboutType && isCallers(context.universe(), target))
    noteBroughtToCaller(context, of, target.symbol);
  // Whoever sends a caller's tensor to a device that was chosen does not expect it to be there.
  const DeviceValue sentTo = context.state.resolve(target);
  const Symbol::Kind whose = sentTo.symbol ? context.universe().symbols[sentTo.symbol].kind : Symbol::Plain;
  const bool isChosen = sentTo.kind == DeviceValue::Cuda
                            ? whose != Symbol::FromCaller
                            : sentTo.kind == DeviceValue::Symbol && whose == Symbol::Chosen;
  if (isCallers(context.universe(), from) && isChosen)
    context.evidence.hostOnly.note(from.symbol);
  Participant source = participant(context, of, i.args[0].source);
  if (i.flags & facts::kDiscarded) {
    if (known && relate(context.state, from, target).kind != Relation::Same)
      Attribution(context, i).discarded(source, target, i.args.size() > 1 ? i.args[1].source : 0);
    // It was meant to move: what follows is not a mistake of its own.
    Value meant = tensorOn(target, source.value.trail, of.flags, of.dims);
    if (of.kind == Value::Tensor && !of.object)
      write(context, i.args[0], meant);
    return meant;
  }
  const Event *story = event(context, Event::Moved, i, source.value.trail, target, i.args[0].source,
                             i.args.size() > 1 ? i.args[1].source : 0);
  context.evidence.noteSentTo(story, to.trail);
  Value made = tensorOn(target, story, of.flags & Value::kRank0, of.dims);
  made.set(Value::kLiteral, !target.symbol && writtenHere(context, to)); // under a guard `cuda` is the guarded device
  made.set(Value::kNoIndex, to.has(Value::kNoIndex));
  DeviceValue resolved = context.state.resolve(target);
  made.set(Value::kFresh, resolved.kind == DeviceValue::Cpu && from.kind != DeviceValue::Cpu);
  if (made.has(Value::kFresh) && made.has(Value::kLiteral) && isCallers(context.universe(), from))
    noteBroughtToHost(context, from.symbol, story);
  const bool waits = !isNonBlocking(context, i);
  const bool fromDevice = from.kind == DeviceValue::Cuda ||
                          (from.kind == DeviceValue::Symbol && context.universe().symbols.mayBeCuda(from.symbol));
  if (!waits && resolved.kind == DeviceValue::Cpu && fromDevice) {
    made.set(Value::kPinned);
    made.memory = nameAnew(context, i, 1);
    startCopy(context, i, made, from, i.args[0].source, false);
  } else if (resolved.kind == DeviceValue::Cpu && fromDevice) {
    context.state.synchronize(from); // a copy that waits, waits for all before it
  } else if (!waits && of.has(Value::kPinned) && resolved.kind == DeviceValue::Cuda && !of.object) {
    Value source = of;
    startCopy(context, i, source, resolved, i.args[0].source, true);
    write(context, i.args[0], source);
  }
  return made;
}

/// Written so, or said by a flag that was handed in.
static bool isNonBlocking(Context &context, const Instruction &i) {
  return i.flags & facts::kNonBlocking || std::any_of(i.args.begin(), i.args.end(), [&](const Operand &operand) {
           Value flag = operand.name == "non_blocking" ? value(context, operand) : Value{};
           bool isTrue = flag.has(Value::kConstant) ? flag.number != 0 : context.state.truth(flag.symbol) == 1;
           return flag.kind == Value::Bool && isTrue != flag.has(Value::kNegated);
         });
}

/// `target.copy_(source)` with a device on either side: queued behind the copies before it, so that none of them has
/// to have ended; when the host waits for this one, all have.
static Value copyAcross(Context &context, const Instruction &i, const Participant &target, const Participant &source) {
  const bool waits = !isNonBlocking(context, i);
  const bool isDownload = source.device.kind == DeviceValue::Cuda && target.device.kind == DeviceValue::Cpu;
  const bool isUpload = source.device.kind == DeviceValue::Cpu && target.device.kind == DeviceValue::Cuda;
  if (isDownload && waits)
    context.state.synchronize(source.device);
  Value onHost = isUpload ? source.value : target.value;
  if (waits || !(isDownload || isUpload) || !onHost.has(Value::kPinned)) // pageable memory: copied when it returns
    return target.value;
  const Participant &onDevice = isUpload ? target : source;
  startCopy(context, i, onHost, onDevice.device, i.args[1].source, isUpload);
  if (!onHost.object)
    write(context, i.args[isUpload ? 1 : 0], onHost);
  return isUpload ? target.value : onHost;
}

/// An asynchronous copy fills this memory, or empties it. Whoever looks into it looks at an unfinished copy.
void startCopy(Context &context, const Instruction &i, Value &memory, DeviceValue device, SourceId subject,
               bool isUpload) {
  ObjectId copy = nameAnew(context, i);
  context.state.addPending(copy, device);
  auto begin = [&](Value &value) {
    value.pending = copy;
    value.set(Value::kUploading, isUpload);
    value.trail = event(context, Event::CopiedAsync, i, value.trail, value.device, subject);
  };
  begin(memory);
  if (!memory.memory || isSummary(memory.memory)) // of one of several blocks, nobody knows which
    return;
  std::vector<std::pair<Place, Value>> views;
  context.state.forAll([&](Place p, const Value &value) {
    if (value.memory == memory.memory)
      views.push_back({p, value});
  });
  for (auto &[p, view] : views) {
    begin(view);
    context.state.set(p, view);
  }
  for (Value &value : context.scratch)
    if (value.memory == memory.memory)
      begin(value);
}

/// What a generator fills has to be on the kind of device that it works on; which GPU does not matter.
static void draw(Context &context, const Instruction &i) {
  const Value filled = value(context, i.args[0]), generator = value(context, i.args[1]);
  if (filled.kind != Value::Tensor || generator.kind != Value::Device)
    return;
  const Participant tensor = participant(context, filled, i.args[0].source);
  const Participant source{generator, i.args[1].source, context.state.resolve(generator.device)};
  // Who hands a generator over has chosen it for the device that the numbers are drawn on.
  if (source.device.kind == DeviceValue::Symbol)
    return;
  if ((tensor.device.kind == DeviceValue::Cpu) != (source.device.kind == DeviceValue::Cpu))
    requireSame(context, {tensor, source}, i, i.text);
}

Value operate(Context &context, const Instruction &i) {
  if (i.flags & facts::kDraws) {
    draw(context, i);
    return {};
  }
  std::vector<std::string_view> names;
  for (const Operand &operand : i.args)
    if (operand.name != "non_blocking")
      names.push_back(operand.name);
  const facts::OperatorRule *rule =
      facts::isFunctional(i.text)
          ? nullptr
          : facts::findRule(i.text, (i.flags & facts::kMethod) != 0, names, context.program().torch);
  // What is free to an operator is so to the function around it.
  const facts::OperatorRule *roles =
      facts::isFunctional(i.text) ? facts::findRule(i.text.substr(3), false, names, context.program().torch) : rule;

  std::vector<Participant> checked;
  std::vector<Participant> all;
  Participant self;
  bool byTensor = false; // a tensor says which elements are meant
  bool failed = false;
  for (std::size_t n = 0; n < i.args.size(); ++n) {
    const Operand &operand = i.args[n];
    if (operand.slot == facts::kNone)
      continue;
    std::vector<Value> tensors;
    flatten(context.state, raw(context, operand.slot), tensors);
    const facts::TensorArgument *argument = nullptr;
    if (roles)
      for (const facts::TensorArgument &candidate : roles->arguments)
        if (candidate.name == operand.name)
          argument = &candidate;
    for (const Value &tensor : tensors) {
      if (tensor.kind != Value::Tensor)
        continue;
      Participant p = participant(context, tensor, operand.source);
      if (n == 0)
        self = p;
      all.push_back(p);
      byTensor |= operand.name == "indices" && !tensor.has(Value::kRank0);
      if (argument && argument->role == facts::ArgumentRole::Host)
        failed |= !needOnHost(context, i, operand, tensor);
      if (argument && (argument->role == facts::ArgumentRole::Free || argument->role == facts::ArgumentRole::Host))
        continue;
      if (rule && !argument && rule->rule != facts::DeviceRule::Index)
        continue;
      p.scalarAllowed = rule && argument && argument->role == facts::ArgumentRole::Scalar0;
      checked.push_back(p);
    }
  }

  using facts::DeviceRule;
  if (i.text == facts::kSetGrad) // the next step of the optimizer brings the two together
    failed |= !requireSame(context, all, i, "mutable_grad");
  if (!rule && facts::isFunctional(i.text)) {
    failed |= !requireSame(context, checked, i, i.text.substr(3));
  } else if (rule && (rule->rule == DeviceRule::Same || rule->rule == DeviceRule::SameScalar0)) {
    failed |= !requireSame(context, checked, i, i.text);
  } else if (rule && rule->rule == DeviceRule::Index && i.text != "index_put_") {
    // Indices may be on the CPU, or where the indexed tensor is; a CUDA index into a CPU tensor is refused. One that
    // was not moved with the others may be left on purpose.
    for (const Participant &p : all)
      if (&p != &all.front() && p.device.kind != DeviceValue::Cpu &&
          relate(context.state, all.front().device, p.device).kind == Relation::Different)
        failed |= !requireSame(context, {all.front(), p}, i, i.text);
  } else if (rule && rule->rule == DeviceRule::Index && byTensor) {
    // Without a tensor among the indices, the values are copied, wherever they are.
    failed |= !requireSame(context, checked, i, i.text);
  }
  bool isCopy = i.text == "copy_" && all.size() >= 2;
  if (isCopy && (all[0].device.kind != DeviceValue::Cpu || all[1].device.kind != DeviceValue::Cpu))
    return copyAcross(context, i, all[0], all[1]);
  bool toNumber = i.text.rfind("item", 0) == 0 || i.text == "is_nonzero" || i.text == "equal";
  for (const Participant &p : all) {
    bool looksOnly = rule && (rule->rule == DeviceRule::View || rule->rule == DeviceRule::Query) && !toNumber;
    bool overwritten = rule && p.value.has(Value::kUploading) && i.text.back() == '_' && p.source == self.source;
    if (overwritten && context.state.isPending(p.value.pending))
      Attribution(context, i).asyncRead(p.value, p.source);
    else if (!looksOnly)
      consume(context, i, p.value, p.source);
    if (toNumber && p.device.kind != DeviceValue::Cpu)
      context.state.synchronize(p.device); // waits for the value, and so for the copies before it
  }

  if (isCopy)
    return self.value;

  if (!rule && !facts::isFunctional(i.text)) {
    Value unknown = Value::of(Value::Tensor);
    bool severalResults = i.dest != facts::kNone && context.frame.code->slots[i.dest].type == facts::Type::Record;
    if (all.size() == 1 && !severalResults) { // one tensor in, one out: it stays where it is, whatever it is called
      unknown.device = all[0].device;
      unknown.trail = event(context, Event::Computed, i, all[0].value.trail, all[0].device, all[0].source);
    }
    return unknown;
  }
  // What comes out of a failure is nowhere: it must not fail again.
  failed |=
      std::any_of(all.begin(), all.end(), [](const Participant &p) { return p.device.kind == DeviceValue::Other; });
  DeviceValue device;
  const Participant *decisive = nullptr;
  if (failed) {
    device.kind = DeviceValue::Other;
    for (const Participant &p : all) // but it remembers the caller's tensor that it came from
      if (p.device.symbol && context.universe().symbols[p.device.symbol].kind == Symbol::FromCaller)
        device.symbol = p.device.symbol;
  } else {
    auto named = [&](std::string_view name) -> const Participant * {
      for (std::size_t n = 0; n < i.args.size(); ++n)
        if (i.args[n].name == name)
          for (const Participant &p : all)
            if (p.source == i.args[n].source)
              return &p;
      return nullptr;
    };
    // A CPU tensor that may be 0-dim follows the others, also where nobody knows where they are.
    auto weight = [](const Participant &p) {
      if (p.device.kind == DeviceValue::Cpu)
        return p.value.dims ? 2 : 0;
      return p.device.kind == DeviceValue::Unknown ? 1 : 3;
    };
    auto common = [&]() -> const Participant * {
      const Participant *found = nullptr;
      for (const Participant &p : checked.empty() ? all : checked)
        if (!found || weight(p) > weight(*found) ||
            (weight(p) == weight(*found) && p.device.kind == DeviceValue::Cpu && !p.value.has(Value::kRank0)))
          found = &p;
      return found;
    };
    facts::ResultDevice where = rule ? rule->result : facts::ResultDevice::Common;
    switch (where) {
    case facts::ResultDevice::Arg0:
      decisive = all.empty() ? nullptr : &all[0];
      break;
    case facts::ResultDevice::Argument:
      decisive = named(rule->resultArgument);
      break;
    case facts::ResultDevice::Common:
      decisive = common();
      break;
    case facts::ResultDevice::Cpu:
      device = DeviceValue::cpu();
      break;
    default:
      break;
    }
    if (decisive)
      device = decisive->device;
  }
  const bool scalar = isScalar(i, all);
  const Event *story = event(context, Event::Computed, i, decisive ? decisive->value.trail : nullptr, device,
                             decisive ? decisive->source : 0);
  const Event *making = nullptr;
  for (const Participant &p : all) {
    const Event *its = p.device.kind == DeviceValue::Cpu && !p.module ? madeByDefault(p.value) : nullptr;
    if (its && making && its != making)
      context.evidence.joint.note(story);
    making = its ? its : making;
  }
  Value result = tensorOn(device, story, scalar, scalar ? 0 : dimsOf(i, all));
  result.set(Value::kAlike, areAlike(i.text));
  bool inPlace = rule && i.text.size() > 1 && i.text.back() == '_' && !all.empty();
  if (inPlace && failed && self.value.kind == Value::Tensor && !self.module)
    write(context, i.args[0], result);
  if (inPlace)
    return failed ? result : self.value;
  if (decisive) {
    result.set(Value::kLiteral, decisive->value.has(Value::kLiteral));
    result.set(Value::kNoIndex, decisive->value.has(Value::kNoIndex));
    if (rule && rule->rule == DeviceRule::View)
      result.lookInto(decisive->value);
  }
  return result;
}

bool requireSame(Context &context, const std::vector<Participant> &participants, const Instruction &i,
                 const std::string &what) {
  for (std::size_t a = 0; a < participants.size(); ++a)
    for (std::size_t b = a + 1; b < participants.size(); ++b) {
      const Participant &x = participants[a], &y = participants[b];
      Relation relation = relate(context.state, x.device, y.device);
      if (relation.kind == Relation::Unknown && Attribution(context, i).forgotten(x, y, what))
        return false;
      if (relation.kind != Relation::Different)
        continue;
      // A 0-dim CPU tensor is let through where the operator allows it; of unknown rank, it may be one.
      auto excused = [](const Participant &p) {
        return p.scalarAllowed && p.device.kind == DeviceValue::Cpu && !p.value.dims;
      };
      if (excused(x) || excused(y))
        continue;
      if (Attribution(context, i).conflict(x, y, relation, what))
        return false;
    }
  return true;
}

} // namespace samedevice::analysis
