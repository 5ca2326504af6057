#include "Reenactment.h"
#include "Modules.h"
#include "Values.h"

#include <algorithm>
#include <cstdlib>

namespace samedevice::analysis {
namespace {

int indexOf(const std::string &device) { return device.size() > 5 ? std::atoi(device.c_str() + 5) : 0; }

/// How many GPUs these steps speak of.
int devicesIn(const std::vector<Step> &steps) {
  int count = 1;
  for (const Step &step : steps)
    for (const auto &[name, member] : step.members)
      if (const auto *text = std::get_if<std::string>(&member); text && (name == "device" || name == "saved"))
        count = std::max(count, indexOf(*text) + 1);
      else if (const int *number = std::get_if<int>(&member); number && name == "index")
        count = std::max(count, *number + 1);
  return count;
}

} // namespace

SourceId Reenactment::begunAt(const Event *story) {
  const Event *first = beginning(story);
  return first ? first->at : 0;
}

Witness Reenactment::of(const State &state, const Finding &finding, const Scene &scene) {
  Witness witness;
  Reenactment broken(state, finding, false);
  scene(broken);
  witness.unsupported = broken.unsupported_;
  if (!witness.unsupported.empty())
    return witness;
  witness.devices = devicesIn(broken.steps_);
  witness.steps = std::move(broken.steps_);
  if (finding.fix.kind == Fix::None)
    return witness;
  Reenactment mended(state, finding, true);
  scene(mended);
  if (mended.mended_)
    witness.fixedSteps = std::move(mended.steps_);
  return witness;
}

Step &Reenactment::line(const char *action, SourceId at) { return steps_.emplace_back(Step{action, at, {}, false}); }

Step &Reenactment::making(const char *action, SourceId at) { return line(action, at).with("id", ++lastId_); }

int Reenactment::tensor(const std::string &device, SourceId at, int rank) {
  making("tensor", at).with("device", device).with("rank", rank);
  return lastId_;
}

int Reenactment::module(const std::string &cls, SourceId at, bool hasState, const std::string &device) {
  std::vector<std::string> state;
  if (hasState)
    state.push_back("weight");
  making("module", at).with("class", cls).with("state", state).with("device", device);
  return lastId_;
}

int Reenactment::moved(int tensor, const std::string &device, SourceId at, bool nonBlocking) {
  Step &step = making("move", at).with("from", tensor).with("device", device);
  if (nonBlocking)
    step.with("nonBlocking", true);
  return lastId_;
}

int Reenactment::allocation(const std::string &where, const std::string &device, SourceId at) {
  // Memory comes from the current device.
  bool elsewhere = where == "device" && indexOf(device) != 0;
  if (elsewhere)
    line("setDevice", at).with("index", indexOf(device));
  making("allocate", at).with("where", where);
  if (elsewhere)
    line("setDevice", at).with("index", 0);
  return lastId_;
}

void Reenactment::moveModule(int module, const std::string &device, SourceId at) {
  line("moveModule", at).with("of", module).with("device", device);
}

void Reenactment::registerAs(const char *as, int parent, const std::string &name, int child, SourceId at) {
  line("register", at).with("parent", parent).with("name", name).with("child", child).with("as", as);
}

void Reenactment::oppose(DeviceValue a, DeviceValue b, const Relation &relation) {
  a = state_.resolve(a);
  b = state_.resolve(b);
  if (!relation.when)
    return;
  if (b.symbol == relation.when)
    std::swap(a, b);
  // a is what somebody chooses, b what it meets.
  if (a.kind == DeviceValue::Symbol && !relation.whenCuda)
    chosen_[a.symbol] = "cpu";
  else if (a.kind == DeviceValue::Cuda && b.kind == DeviceValue::Cuda)
    chosen_[a.symbol] = b.index == 1 ? kFirstGpu : kSecondGpu;
  else
    chosen_[a.symbol] = kFirstGpu;
}

std::string Reenactment::device(DeviceValue device) const {
  device = state_.resolve(device);
  auto chosen = chosen_.find(device.symbol);
  if (device.symbol && chosen != chosen_.end())
    return chosen->second;
  switch (device.kind) {
  case DeviceValue::Cpu:
    return "cpu";
  case DeviceValue::Cuda:
    return device.index >= 0 ? "cuda:" + std::to_string(device.index) : kFirstGpu;
  case DeviceValue::Symbol:
    // A file knows nothing of the GPUs of the machine that reads it.
    return state_.universe().symbols[device.symbol].kind == Symbol::Recorded ? "cpu" : kFirstGpu;
  default:
    return elsewhere_.empty() ? kFirstGpu : elsewhere_;
  }
}

bool Reenactment::fixes(Fix::Kind kind, SourceId at) {
  bool applies = fixed_ && finding_.fix.kind == kind && finding_.fix.at == at;
  mended_ |= applies;
  return applies;
}

std::string Reenactment::className(ObjectId module) const {
  std::string torchs = torchClassOf(state_, module);
  facts::ClassId own = classOf(state_, module);
  if (torchs.empty() && own < state_.program().classes.size())
    return state_.program().classes[own].name;
  return torchs.empty() ? "Module" : torchs;
}

void Reenactment::replay(const Event &event, const Event *next, const Subject &subject, Made &made) {
  std::string where = device(event.device);
  switch (event.kind) {
  case Event::CreatedByDefault:
  case Event::CreatedOn:
  case Event::CreatedLike:
  case Event::Batch:
  case Event::Parameter:
    made = {};
    made.device = fixes(Fix::AddDevice, event.at) ? elsewhere_ : where;
    if (subject.cls.empty())
      made.tensor = tensor(made.device, event.at, subject.rank);
    else
      made.module = module(subject.cls, event.at, true, made.device);
    return;
  case Event::ModuleCreated:
    made = {};
    made.device = "cpu";
    made.module = module(subject.cls.empty() ? "Module" : subject.cls, event.at, true);
    if (fixes(Fix::MoveModuleAfter, event.at) || fixes(Fix::MoveWithSister, event.at)) {
      made.device = elsewhere_;
      moveModule(made.module, made.device, event.at);
    }
    return;
  case Event::ModuleMoved:
    if (!made.module && made.tensor) {
      made.module = module("Module", event.at, false);
      registerAs("parameter", made.module, "weight", made.tensor, event.at);
    }
    if (made.module)
      moveModule(made.module, where, event.at);
    made.device = where;
    return;
  case Event::Loaded: {
    bool script = !made.module && !made.tensor && !subject.cls.empty();
    if (!made.module && !made.tensor && !script)
      made.tensor = tensor("cpu", event.at, subject.rank);
    Step &step = script ? making("loadScript", event.at)
                        : line("loadState", event.at).with("of", made.tensor ? made.tensor : made.module);
    if (script)
      made.module = lastId_;
    const bool onto = fixes(Fix::LoadOnto, event.at);
    made.device = onto ? elsewhere_ : where;
    step.with(event.target || onto ? "device" : "saved", made.device);
    return;
  }
  case Event::Moved:
    if (!tensorIn(made, event.at))
      return;
    made.tensor = moved(made.tensor, where, event.at, next && next->kind == Event::CopiedAsync && next->at == event.at);
    made.module = 0;
    made.device = where;
    return;
  case Event::Computed:
    if (!made.tensor && made.module) { // what comes out of a module is where the module is
      made.module = 0;
      made.tensor = tensor(made.device, event.at, subject.rank);
    }
    return;
  case Event::PointerTaken:
    if (!tensorIn(made, event.at))
      return;
    making("pointer", event.at).with("of", made.tensor);
    made.memory = lastId_;
    return;
  case Event::Allocated: // where it was then: what wrapped it may have been moved since
    made = {};
    made.device = where;
    made.memory = allocation(isGpu(where)                        ? "device"
                             : subject.value.has(Value::kPinned) ? "pinned"
                                                                 : "host",
                             where, event.at);
    return;
  case Event::Wrapped:
    if (!made.memory)
      made.memory = allocation(isGpu(where) ? "device" : "host", where, event.at);
    making("fromBlob", event.at).with("of", made.memory).with("device", where);
    made = {lastId_, 0, 0, where};
    return;
  default:
    return;
  }
}

Reenactment::Made Reenactment::play(const Subject &subject) {
  std::vector<const Event *> story;
  for (const Event *event = subject.value.trail; event; event = event->previous)
    story.push_back(event);
  std::reverse(story.begin(), story.end());
  const std::size_t before = steps_.size();
  const bool mendedBefore = mended_;
  Made made;
  for (std::size_t n = 0; n < story.size(); ++n)
    replay(*story[n], n + 1 < story.size() ? story[n + 1] : nullptr, subject, made);
  // What is known of the end counts for more than a story with gaps.
  bool mended = mended_ != mendedBefore;
  if ((made.tensor || made.module || made.memory) && (mended || made.device == subject.device))
    return made;
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(before), steps_.end());
  mended_ = mendedBefore;
  SourceId at = begunAt(subject.value.trail);
  made = {};
  made.device = subject.device;
  if (!subject.cls.empty())
    made.module = module(subject.cls, at, true, subject.device);
  else if (subject.value.kind == Value::Pointer)
    made.memory = allocation(isGpu(subject.device) ? "device" : "host", subject.device, at);
  else
    made.tensor = tensor(subject.device, at, subject.rank);
  return made;
}

/// Of a module, its weight is meant.
int Reenactment::tensorIn(Made &made, SourceId at) {
  if (!made.tensor && made.module) {
    making("parameter", at).with("of", made.module).with("name", "weight");
    made.tensor = lastId_;
  }
  return made.tensor;
}

int Reenactment::tensorOf(const Value &value, DeviceValue where) {
  std::string end = device(where);
  int &known = tensors_[{value.trail, end}];
  if (known && value.trail)
    return known;
  Made made = play({value, end, {}, value.has(Value::kRank0) ? 0 : 2});
  return known = tensorIn(made, value.trail ? value.trail->at : 0);
}

int Reenactment::moduleOf(const Participant &participant) {
  int &known = modules_[participant.module];
  if (!known)
    known = play({participant.value, device(participant.device), className(participant.module), 2}).module;
  return known;
}

int Reenactment::memoryOf(const Value &value, const std::string &device) {
  Made made = play({value, device, {}, 2});
  return made.memory ? made.memory : tensorIn(made, value.trail ? value.trail->at : 0);
}

} // namespace samedevice::analysis
