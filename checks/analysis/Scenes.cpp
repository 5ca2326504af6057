// What is played for each kind of mistake.
#include "../facts/Rules.h"
#include "Devices.h"
#include "Modules.h"
#include "Reenactment.h"
#include "Tensors.h"
#include "Values.h"

namespace samedevice::analysis {
namespace {

bool tells(const Event *story, SourceId at) {
  for (; story; story = story->previous)
    if (story->at == at)
      return true;
  return false;
}

} // namespace

bool Reenactment::isCallee(const Instruction &call, const Participant &participant) const {
  return participant.module && !call.args.empty() && participant.source == call.args[0].source &&
         !torchClassOf(state_, participant.module).empty();
}

void Reenactment::meet(int met, const std::string &device, SourceId at) {
  if (!isGpu(device)) {
    fail(line("hostRead", at).with("of", met));
    return;
  }
  int there = tensor(device, at);
  std::vector<Step::Argument> arguments{{"self", {there}, false}, {"other", {met}, false}};
  fail(line("op", at).with("name", "add").with("args", arguments));
}

void Reenactment::forward(const Instruction &call, const Participant &x, const Participant &y) {
  const std::string name = finding_.detail.empty() ? "Module" : finding_.detail;
  std::vector<int> arguments;
  int callee = 0;
  for (const Participant *p : {&x, &y})
    if (!isCallee(call, *p))
      arguments.push_back(tensorOf(p->value, p->device));
    else if (callee = moduleOf(*p); !callee) // what it has was made as a tensor: a loss's weights
      callee = module(name, 0, true, device(p->device));
  if (!callee)
    callee = module(name, 0, false);
  fail(line("forward", call.source).with("of", callee).with("args", arguments));
}

void Reenactment::operate(Context &context, const Instruction &operation) {
  std::vector<Step::Argument> arguments;
  std::vector<std::string_view> names;
  for (const Operand &operand : operation.args) {
    Value given = raw(context, operand.slot);
    std::vector<Value> tensors;
    if (operand.slot != facts::kNone)
      flatten(state_, given, tensors);
    Step::Argument argument{operand.name, {}, follow(state_, given).kind == Value::Object};
    for (const Value &tensor : tensors) {
      if (tensor.kind != Value::Tensor)
        continue;
      Participant p = participant(context, tensor, operand.source);
      int id = tensorOf(p.value, p.device);
      // What is written to in place stays: the other one is brought to it.
      if (fixes(Fix::AppendTo, operand.source))
        id = moved(id, device(p.device) == elsewhere_ ? culpritsPlace_ : elsewhere_, operand.source);
      argument.ids.push_back(id);
    }
    if (argument.ids.empty())
      continue;
    names.push_back(operand.name);
    arguments.push_back(std::move(argument));
  }
  std::string name =
      facts::isFunctional(operation.text) ? operation.text.substr(facts::kFunctional.size()) : operation.text;
  if (name == facts::kSetGrad) // goes well by itself; the next step of an optimizer adds the one to the other
    name = "add_";
  bool method = (operation.flags & facts::kMethod) != 0;
  const facts::TorchVersion version = state_.program().torch;
  if (!facts::findRule(name, method, names, version))
    name += "_loss"; // torch::nn::functional has names of its own for some
  const facts::OperatorRule *rule = facts::findRule(name, method, names, version);
  if (!rule)
    return giveUp("'" + operation.text + "' is no operator of its own");
  Step &step = line("op", operation.source).with("name", name).with("args", arguments);
  if (method)
    step.with("method", true);
  if (rule->before)
    step.with("torch", static_cast<int>(version));
  fail(step);
}

const Participant &Reenactment::culprit(const Participant &x, const Participant &y) const {
  const Where ofX = describe(state_, x.device), ofY = describe(state_, y.device);
  if (ofX != ofY)
    return ofY == finding_.device ? y : x;
  auto isMeant = [&](const Participant &p) {
    return p.source == finding_.fix.at || tells(p.value.trail, finding_.fix.at);
  };
  return isMeant(y) && !isMeant(x) ? y : x;
}

/// Its owner was moved and did not reach it.
void Reenactment::missed(const Instruction &use, const Participant &member) {
  bool isModule = isCallee(use, member);
  int left = isModule ? moduleOf(member) : tensorOf(member.value, member.device);
  for (const Note &note : finding_.notes) {
    if (note.kind != Event::ModuleMoved)
      continue;
    int owner = module("Module", note.at, false);
    if (fixes(Fix::Register, finding_.fix.at))
      registerAs(isModule ? "module" : "buffer", owner, "member", left, finding_.fix.at);
    moveModule(owner, elsewhere_, note.at);
    return;
  }
}

void Reenactment::clash(Context &context, const Instruction &operation, const Participant &x, const Participant &y,
                        const Relation &relation) {
  oppose(x.device, y.device, relation);
  const Participant &odd = culprit(x, y);
  culpritsPlace_ = device(odd.device);
  elsewhere_ = device(&odd == &x ? y.device : x.device);
  if (finding_.check == Check::UnregisteredMember)
    missed(operation, odd);
  const bool draws = (operation.flags & facts::kDraws) != 0;
  if (operation.opcode == Opcode::DeviceUse || draws)
    meet(tensor(culpritsPlace_, draws ? operation.source : begunAt(odd.value.trail)), elsewhere_, operation.source);
  else if (operation.opcode == Opcode::Forward)
    forward(operation, x, y);
  else
    operate(context, operation);
}

void Reenactment::placed(ObjectId child, const Value &mark, SourceId use) {
  Value leaf;
  Relation relation;
  forLeaves(state_, child, [&](ObjectId, const Value &own) {
    Relation its = relate(state_, own.device, mark.device);
    if (relation.kind != Relation::Different && its.kind == Relation::Different) {
      relation = its;
      leaf = own;
    }
  });
  oppose(leaf.device, mark.device, relation);
  elsewhere_ = device(mark.device);
  const SourceId put = mark.trail->at;
  const Event *parentMoved = mark.trail->previous;
  int parent = module(className(mark.object), parentMoved ? parentMoved->at : put, false);
  moveModule(parent, elsewhere_, parentMoved ? parentMoved->at : put);
  bool isTensor = isTensorCell(state_, child);
  std::string name = mark.symbol ? state_.universe().names.text(mark.symbol - 1) : "child";
  int late = isTensor ? tensor(device(leaf.device), begunAt(leaf.trail))
                      : module(className(child), begunAt(leaf.trail), true, device(leaf.device));
  if (mark.trail->kind != Event::Stored)
    registerAs(isTensor ? "parameter" : "module", parent, name, late, put);
  if (fixes(Fix::MoveModuleAfter, put))
    moveModule(isTensor ? parent : late, elsewhere_, put);
  if (isTensor)
    return meet(late, elsewhere_, use ? use : put);
  int input = tensor(elsewhere_, use);
  fail(line("forward", use ? use : put).with("of", late).with("args", std::vector<int>{input}));
}

void Reenactment::discarded(const Instruction &move, const Participant &source, DeviceValue target) {
  Relation relation = relate(state_, source.device, target);
  oppose(source.device, target, relation);
  elsewhere_ = device(target);
  std::string from = device(source.device);
  // Where nothing is known of it, it is where a move makes a difference.
  if (from == elsewhere_)
    from = isGpu(elsewhere_) ? "cpu" : kFirstGpu;
  int left = play({source.value, from, {}, source.value.has(Value::kRank0) ? 0 : 2}).tensor;
  int result = moved(left, elsewhere_, move.source);
  meet(fixes(Fix::AssignResult, move.source) ? result : left, elsewhere_, move.source);
}

/// The weights of a frozen script are tensors that nothing moves; what they are used with is where the script was to
/// go.
void Reenactment::frozen(const Instruction &move, const Event &frozen) {
  elsewhere_ = kFirstGpu;
  const int weights = tensor("cpu", frozen.at);
  meet(fixes(finding_.fix.kind, finding_.fix.at) ? moved(weights, kFirstGpu, frozen.at) : weights, kFirstGpu,
       move.source);
}

/// Where the caller has it, the kernel says that is given it later.
void Reenactment::readBeforeKernel(const Event &read) {
  int memory = tensor(kFirstGpu, 0);
  if (fixes(Fix::HostCopy, finding_.fix.at))
    memory = moved(memory, "cpu", finding_.fix.at);
  fail(line("hostRead", read.at).with("of", memory));
}

void Reenactment::hostAccess(const Instruction &read, const Value &what, DeviceValue where) {
  if (where.kind == DeviceValue::Symbol)
    chosen_[where.symbol] = kFirstGpu;
  Made made = play({what, device(where), {}, 2});
  int memory = made.memory;
  if (int tensor = memory && !made.tensor ? 0 : tensorIn(made, read.source)) {
    if (fixes(Fix::HostCopy, finding_.fix.at))
      memory = moved(tensor, "cpu", finding_.fix.at);
    else if (!memory)
      memory = tensor;
  }
  Step &step = line("hostRead", read.source).with("of", memory).with("by", wordOf(read));
  if (read.flags & facts::kWrite)
    step.with("write", true);
  fail(step);
}

void Reenactment::dangling(const Instruction &read, const Value &pointer) {
  SourceId taken = pointer.trail ? pointer.trail->at : read.source;
  int copy = moved(tensor(kFirstGpu, begunAt(pointer.trail)), "cpu", taken);
  making("pointer", taken).with("of", copy);
  int address = lastId_;
  if (!fixes(Fix::HostCopy, finding_.fix.at)) // a copy with a name lives on
    line("release", taken).with("of", copy);
  fail(line("hostRead", read.source).with("of", address));
}

void Reenactment::asyncRead(const Instruction &read, const Value &value, SourceId copied) {
  bool uploading = value.has(Value::kUploading);
  int from = tensor(uploading ? "cpu" : kFirstGpu, begunAt(value.trail));
  if (uploading)
    steps_.back().with("pinned", true);
  int to = moved(from, uploading ? kFirstGpu : "cpu", copied, true);
  if (fixes(Fix::SynchronizeBefore, finding_.fix.at))
    line("synchronize", finding_.fix.at);
  Step &step = line("hostRead", read.source).with("of", uploading ? from : to).with("by", wordOf(read));
  if (uploading)
    step.with("write", true);
  fail(step);
}

void Reenactment::pointer(const Instruction &use, const Value &pointer, const std::string &variant) {
  bool isHost = variant == "host-pointer" || variant == "from-blob-host";
  elsewhere_ = isHost ? kFirstGpu : "cpu";
  int memory = memoryOf(pointer, isHost ? "cpu" : kFirstGpu);
  if (use.opcode == Opcode::FromBlob) {
    Step &wrap = making("fromBlob", use.source).with("of", memory).with("device", isHost ? kFirstGpu : "cpu");
    if (isHost)
      fail(wrap);
    else
      fail(line("hostRead", use.source).with("of", lastId_));
    return;
  }
  if (use.opcode != Opcode::Memcpy) {
    fail(line("deviceUse", use.source).with("of", memory).with("by", use.text));
    return;
  }
  // The wrong one of the two, and one that is what the kind says.
  bool toDevice = use.mode == Mode::HostToDevice || use.mode == Mode::DeviceToDevice;
  bool fromDevice = use.mode == Mode::DeviceToHost || use.mode == Mode::DeviceToDevice;
  bool isTarget = use.args[0].source == finding_.subject;
  bool otherOnDevice = isTarget ? fromDevice : toDevice;
  int other = allocation(otherOnDevice ? "device" : "host", otherOnDevice ? kFirstGpu : "cpu", use.source);
  fail(line("memcpy", use.source)
           .with("dst", isTarget ? memory : other)
           .with("src", isTarget ? other : memory)
           .with("kind", wordOf(use)));
}

void Reenactment::missingGuard(const Instruction &use, SourceId given, const std::string &what) {
  // The caller's tensor is on the second GPU, the first one is current.
  std::vector<int> used{tensor(kSecondGpu, given)};
  if (fixes(finding_.fix.kind, finding_.fix.at))
    line("setDevice", finding_.fix.at).with("index", 1);
  if (what == "stream") {
    making("stream", use.source);
    int stream = lastId_;
    line("setDevice", use.source).with("index", 1);
    fail(line("launch", use.source).with("stream", stream).with("args", used));
    return;
  }
  if (what == "allocation")
    used.push_back(allocation("device", kFirstGpu, use.source));
  fail(line("launch", use.source).with("args", used));
}

void Reenactment::defaultStream(const Instruction &launch, const Event &taken) {
  // Somebody has made another stream current, and PyTorch computes the tensor there.
  const std::vector<int> used{tensor(kFirstGpu, taken.subject)};
  making("stream", 0);
  const int current = lastId_;
  line("launch", taken.subject).with("stream", current).with("args", used).with("write", true);
  Step &kernel = line("launch", launch.source).with("args", used);
  if (fixes(Fix::CurrentStream, finding_.fix.at))
    kernel.with("stream", current);
  fail(kernel);
}

void Reenactment::staleState(const Instruction &step, const Value &restored, const Value &parameter) {
  oppose(restored.device, parameter.device, relate(state_, restored.device, parameter.device));
  const Event *loaded = restored.trail;
  int model = module("Module", begunAt(parameter.trail), true);
  moveModule(model, device(parameter.device), parameter.trail ? parameter.trail->at : 0);
  making("optimizer", step.source).with("of", std::vector<int>{model});
  int optimizer = lastId_;
  line("optimizerStep", 0).with("of", optimizer); // before that, there is nothing to save
  line("loadState", loaded ? loaded->at : 0).with("of", optimizer).with("saved", device(restored.device));
  fail(line("optimizerStep", step.source).with("of", optimizer));
}

void Reenactment::staleOptimizer(const Instruction &step, const Event *late, const Event *built,
                                 const std::string &name) {
  int model = module("Module", 0, true);
  making("optimizer", built ? built->at : 0).with("of", std::vector<int>{model});
  int optimizer = lastId_;
  int child = module("Module", late->at, true);
  registerAs("module", model, name.empty() ? "child" : name, child, late->at);
  fail(line("optimizerStep", step.source).with("of", optimizer).with("module", model));
}

} // namespace samedevice::analysis
