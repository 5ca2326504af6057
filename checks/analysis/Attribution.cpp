#include "Attribution.h"

#include "Code.h"

#include <algorithm>

namespace samedevice::analysis {

/// The step that put the value where it is.
const Event *Attribution::origin(const Event *event) const {
  for (; event; event = event->previous)
    switch (event->kind) {
    case Event::Computed:
    case Event::Stored:
    case Event::CreatedLike:
    case Event::PointerTaken:
    case Event::CopiedAsync:
    case Event::Chosen:
    case Event::Returned:
      continue;
    default:
      return event;
    }
  return nullptr;
}

const Event *Attribution::beginning(const Event *event) {
  while (event && event->previous)
    event = event->previous;
  return event;
}

void Attribution::report(Finding finding, SourceId root, FunctionId function, SymbolId callersTensor) {
  in_.report(std::move(finding), root, function, m_.state, scene_, callersTensor);
}

bool Attribution::onStack(FunctionId function) const {
  for (const Frame *frame = &m_.frame; frame; frame = frame->caller)
    if (frame->function == function)
      return true;
  return false;
}

SourceId Attribution::siteIn(FunctionId function) const {
  SourceId site = i_.source;
  for (const Frame *frame = &m_.frame; frame; frame = frame->caller) {
    if (frame->function == function)
      return site;
    if (frame->site && !in_.program_.isLambda(*frame->code)) // a lambda's lines are its function's own
      site = frame->site->source;
  }
  return i_.source;
}

const Frame *Attribution::giver(const Event *story) const {
  // What put it where it is; for what a module gave, the use of the module.
  const Event *put = origin(story);
  const bool byModule = put && (put->kind == Event::ModuleMoved || put->kind == Event::ModuleCreated);
  const Event *placed = put;
  for (const Event *event = story; byModule && event && event != put; event = event->previous)
    if (event->kind == Event::Computed)
      placed = event;
  const Frame *frame = &m_.frame;
  for (; frame->caller && !(placed && placed->function == frame->function); frame = frame->caller) {
    bool given = false, isMethod = frame->code->cls != facts::kNone && !frame->code->isStatic;
    for (Slot slot = isMethod; slot < frame->code->paramCount; ++slot) {
      std::vector<Value> tensors;
      Value argument = in_.follow(m_.state, m_.state.get(field(frame->id, slot)));
      if (argument.kind == Value::Tensor ||
          (argument.kind == Value::Object && !in_.isModule(m_.state, argument.object)))
        in_.flatten(m_.state, argument, tensors);
      for (const Value &tensor : tensors)
        for (const Event *event = story; event && !given; event = event == put ? nullptr : event->previous)
          given = event == tensor.trail;
    }
    if (!given)
      break;
  }
  return frame;
}

std::string Attribution::device(const Participant &p) const { return in_.describe(p.device); }

std::string Attribution::condition(const Relation &relation) const {
  if (!relation.when)
    return {};
  const Symbol &symbol = in_.symbols_[relation.when];
  if (symbol.name.empty())
    return {};
  if (relation.index >= 0)
    return "'" + symbol.name + "' is not " + std::to_string(relation.index);
  return "'" + symbol.name + "' is " + (relation.whenCuda ? "CUDA" : "not CUDA");
}

void Attribution::tell(Finding &finding, std::initializer_list<const Event *> stories) const {
  std::vector<const Event *> told;
  for (const Event *story : stories)
    for (; story; story = story->previous) {
      switch (story->kind) {
      case Event::Computed:
      case Event::Stored:
      case Event::Chosen:
      case Event::CreatedLike:
      case Event::Parameter:
        continue;
      default:
        break;
      }
      if (story->at && story->at != finding.at)
        told.push_back(story);
    }
  std::stable_sort(told.begin(), told.end(), [](const Event *a, const Event *b) { return a->order < b->order; });
  for (const Event *event : told) {
    bool repeated = std::any_of(finding.notes.begin(), finding.notes.end(),
                                [&](const Note &note) { return note.at == event->at; });
    if (!repeated && finding.notes.size() < 5)
      finding.notes.push_back(
          {event->kind, event->at, event->subject, in_.describe(m_.state.resolve(event->device))});
  }
}

bool Attribution::conflict(const Participant &x, const Participant &y, const Relation &relation,
                           const std::string &what) {
  Finding finding;
  finding.at = i_.source;
  finding.detail = what;
  scene_ = [&](Reenactment &play) { play.clash(m_, i_, x, y, relation); };
  finding.condition = condition(relation);
  if (x.module && moduleConflict(x, y, relation, finding))
    return true;
  if (y.module && moduleConflict(y, x, relation, finding))
    return true;
  // The odd one is the one on the CPU; between two GPUs, the one whose index somebody wrote down.
  bool xOdd = x.device.kind == DeviceValue::Cpu;
  if (x.device.kind == y.device.kind || (x.device.kind != DeviceValue::Cpu && y.device.kind != DeviceValue::Cpu))
    xOdd = !x.module && x.value.has(Value::kLiteral) && !y.value.has(Value::kLiteral);
  return xOdd ? tensorConflict(x, y, relation, finding) : tensorConflict(y, x, relation, finding);
}

void Attribution::placed(Interpreter &in, const State &state, ObjectId child, const Finding *use) {
  Value mark = state.get(meta(child, Meta::Placed));
  if (mark.kind != Value::Reference || !mark.trail || !in.differsFrom(state, child, mark.device))
    return;
  Finding finding;
  finding.check = Check::ModuleAfterTo;
  const bool tensor = state.find(meta(child, Meta::Device)) && !in.isModule(state, child);
  finding.variant = mark.trail->kind == Event::Stored ? "unregistered" : tensor ? "tensor" : "registered";
  finding.at = mark.trail->at;
  finding.subject = mark.trail->subject;
  finding.device = "cpu";
  if (mark.symbol)
    finding.detail = in.names_.text(mark.symbol - 1);
  finding.otherDevice = in.describe(mark.device);
  if (mark.device.kind == DeviceValue::Symbol)
    finding.condition =
        in.symbols_[mark.device.symbol].name.empty() ? "" : "'" + in.symbols_[mark.device.symbol].name + "' is CUDA";
  const Event *moved = mark.trail->previous;
  if (moved && moved->at)
    finding.notes.push_back({Event::ModuleMoved, moved->at, moved->subject, in.describe(moved->device)});
  if (use && use->at != finding.at)
    finding.notes.push_back({Event::Computed, use->at, use->subject, {}});
  finding.fix.kind = Fix::MoveModuleAfter;
  finding.fix.at = mark.trail->at;
  finding.fix.subject = mark.trail->subject;
  finding.fix.device = mark.trail->target;
  const SourceId usedAt = use ? use->at : 0;
  in.report(std::move(finding), mark.trail->at, 0, state, [&](Reenactment &play) { play.placed(child, mark, usedAt); });
}

bool Attribution::moduleConflict(const Participant &module, const Participant &other, const Relation &relation,
                                 Finding &finding) {
  const Event *how = origin(module.value.trail);
  // Put in after its parent's move, itself or with what holds it.
  ObjectId late = 0;
  m_.state.forMeta(Meta::Placed, [&](ObjectId child, const Value &mark) {
    if (mark.kind == Value::Reference && !late && in_.inTree(m_.state, child, module.module))
      late = child;
  });
  if (late) {
    placed(in_, m_.state, late, &finding);
    return true;
  }
  if (how && how->kind == Event::Loaded && in_.torchClassOf(m_.state, module.module) != "script::Module") {
    finding.check = Check::StaleLoad;
    finding.at = how->at;
    finding.subject = how->subject;
    finding.device = device(module);
    finding.otherDevice = device(other);
    tell(finding, {module.value.trail});
    finding.notes.push_back({Event::Computed, i_.source, module.source, {}});
    for (const Event *before = how->previous; before; before = before->previous)
      if (before->kind == Event::ModuleMoved && before->target) {
        finding.fix.kind = Fix::LoadOnto;
        finding.fix.at = how->at;
        finding.fix.device = before->target;
        break;
      }
    report(std::move(finding), how->at, 0);
    return true;
  }
  if (ObjectId owner = in_.ownerThatMissed(m_, module)) {
    Value stored = m_.state.get(meta(module.module, Meta::Stored));
    finding.check = Check::UnregisteredMember;
    finding.variant = "module";
    if (stored.trail)
      finding.at = stored.trail->at;
    else if (how)
      finding.at = how->at;
    finding.subject = stored.trail ? stored.trail->subject : 0;
    finding.device = device(module);
    finding.otherDevice = device(other);
    Value moved = m_.state.get(meta(owner, Meta::Moved));
    tell(finding, {moved.trail});
    finding.notes.push_back({Event::Computed, i_.source, module.source, {}});
    finding.fix.kind = Fix::Register;
    finding.fix.at = finding.at;
    report(std::move(finding), finding.at, 0);
    return true;
  }
  bool callersHome = relation.when && in_.symbols_[relation.when].kind == Symbol::FromCaller;
  if (callersHome)
    return false;
  bool script = how && how->kind == Event::Loaded;
  if (script) {
    // Inputs that stay on the CPU are a program without a GPU: it has no device to hand to the loader.
    if (other.device.kind == DeviceValue::Cpu)
      return false;
    // The loader's device, or its default, is what was frozen.
    finding.check = Check::PinnedIndex;
    finding.variant = module.device.kind == DeviceValue::Symbol ? "script" : "";
    finding.at = how->at;
    finding.subject = module.source;
    finding.device = device(module);
    finding.other = other.source;
    finding.otherDevice = device(other);
    tell(finding, {other.value.trail});
    finding.notes.push_back({Event::Computed, i_.source, module.source, {}});
    finding.fix.kind = Fix::LoadOnto;
    finding.fix.at = how->at;
    if (const Event *moved = origin(other.value.trail))
      finding.fix.device = moved->target;
    if (module.device.kind == DeviceValue::Cpu)
      return false;
    report(std::move(finding), how->at, 0);
    return true;
  }
  if (!how || how->kind == Event::Moved || how->kind == Event::ModuleMoved || how->kind == Event::CreatedOn ||
      how->kind == Event::Parameter || module.device.kind != DeviceValue::Cpu)
    return false;
  finding.check = Check::UnmovedModule;
  // Where the module is used from outside, not in its own code; the whole module, if none of it was moved.
  const Frame *frame = &m_.frame;
  finding.at = i_.source;
  finding.subject = module.source;
  const Event *made = module.value.trail;
  while (frame->caller && frame->site) {
    Value self = frame->code->cls == facts::kNone ? Value{} : in_.follow(m_.state, m_.state.get(field(frame->id, 0)));
    bool inside = self.kind == Value::Object && in_.isModule(m_.state, self.object) &&
                  in_.inTree(m_.state, self.object, module.module);
    bool moved = false;
    if (inside)
      in_.forLeaves(m_.state, self.object, [&](ObjectId, const Value &leaf) { moved |= leaf.device != module.device; });
    if (!inside || moved)
      break;
    finding.at = frame->site->source;
    finding.subject = frame->site->args.empty() ? 0 : frame->site->args[0].source;
    if (const Event *whole = m_.state.get(meta(self.object, Meta::Class)).trail; whole && whole->at)
      made = whole;
    frame = frame->caller;
  }
  finding.device = device(module);
  finding.variant = "module";
  finding.other = other.source;
  finding.otherDevice = device(other);
  tell(finding, {made, other.value.trail});
  SourceId root = made && made->at ? made->at : how->at;
  if (const Event *moved = origin(other.value.trail)) {
    finding.fix.kind = Fix::MoveModuleAfter;
    finding.fix.at = root;
    finding.fix.device = moved->target;
  }
  report(std::move(finding), root, 0);
  return true;
}

bool Attribution::tensorConflict(const Participant &culprit, const Participant &other, const Relation &relation,
                                 Finding &finding) {
  const Event *how = origin(culprit.value.trail);
  const Event *otherHow = origin(other.value.trail);
  bool callersTensor = relation.when && in_.symbols_[relation.when].kind == Symbol::FromCaller;
  SymbolId dependsOn = callersTensor ? relation.when : 0;
  finding.subject = culprit.source;
  finding.other = other.source;
  finding.device = device(culprit);
  finding.otherDevice = device(other);
  // A lambda is part of the function that calls it.
  const Frame *home = &m_.frame;
  while (home->caller && in_.program_.isLambda(*home->code))
    home = home->caller;
  FunctionId here = home->function;
  facts::ClassId hereClass = home->code->cls;
  const bool inModule = hereClass < in_.program_.classes.size() && in_.program_.classes[hereClass].isModule;

  if (how && how->kind == Event::Loaded && !culprit.module) {
    finding.check = Check::StaleLoad;
    finding.at = how->at;
    finding.subject = how->subject;
    tell(finding, {other.value.trail});
    finding.notes.push_back({Event::Computed, i_.source, culprit.source, {}});
    report(std::move(finding), how->at, 0);
    return true;
  }
  if (!culprit.module && culprit.device.kind == DeviceValue::Cpu) {
    if (ObjectId owner = in_.ownerThatMissed(m_, culprit)) {
      finding.check = Check::UnregisteredMember;
      finding.variant = "tensor";
      const Event *stored = culprit.value.trail;
      while (stored && stored->kind != Event::Stored)
        stored = stored->previous;
      // The member it was kept in, whatever it went through after that.
      m_.state.forPart(owner, Part::Field, [&](std::uint32_t name, const Value &member) {
        for (const Event *event = culprit.value.trail; event; event = event->previous)
          if (member.kind == Value::Tensor && member.trail == event) {
            finding.detail = in_.names_.text(name);
            stored = event->kind == Event::Stored ? event : stored;
          }
      });
      finding.at = stored ? stored->at : how ? how->at : i_.source;
      if (stored && stored->subject)
        finding.subject = stored->subject;
      tell(finding, {m_.state.get(meta(owner, Meta::Moved)).trail});
      finding.notes.push_back({Event::Computed, i_.source, culprit.source, {}});
      // A name is registered once: what was made in its place is another tensor's story.
      if (!m_.state.find(place(owner, Part::Tensor, in_.names_.id(finding.detail))))
        finding.fix.kind = Fix::Register;
      finding.fix.at = finding.at;
      finding.fix.subject = finding.subject;
      report(std::move(finding), how ? how->at : finding.at, 0);
      return true;
    }
  }

  bool madeHere = false;
  if (how) {
    const Function &maker = in_.program_.functions[how->function];
    madeHere = how->function == here || how->function == m_.frame.function ||
               (hereClass != facts::kNone && maker.cls == hereClass);
  }
  // Where the other one began: given by the caller, or made elsewhere.
  const Event *begun = beginning(other.value.trail);
  bool fromOutside = callersTensor || (begun && (begun->kind == Event::Parameter || begun->function != here));
  if (how && how->kind == Event::CreatedByDefault && madeHere && fromOutside &&
      culprit.device.kind == DeviceValue::Cpu) {
    if (callersTensor && !inModule && !in_.program_.mentionsDevices)
      return false;
    finding.check = Check::DefaultFactory;
    finding.at = how->at;
    finding.subject = how->subject;
    tell(finding, {other.value.trail});
    finding.notes.push_back({Event::Computed, i_.source, culprit.source, {}});
    finding.fix.kind = Fix::AddDevice;
    finding.fix.at = how->at;
    finding.fix.device = other.module ? 0 : other.source;
    finding.fix.deviceOf = true;
    report(std::move(finding), how->at, 0, dependsOn);
    return true;
  }
  bool literal = culprit.device.kind == DeviceValue::Cuda && culprit.value.has(Value::kLiteral);
  if (literal && how && (relation.when || culprit.device.index != other.device.index)) {
    // Two literals in one function are its own affair; else the other one was told where to be.
    bool elsewhere =
        callersTensor || !(other.value.has(Value::kLiteral) && otherHow && otherHow->function == how->function);
    if (callersTensor && how->function != here)
      return false;
    finding.check = elsewhere || other.module ? Check::PinnedIndex : Check::MixedOperands;
    if (finding.check == Check::PinnedIndex) {
      finding.at = how->at;
      // The literal itself, where it stands in the same function as what it was used for.
      for (const Event *event = how; event; event = event->previous)
        if (event->kind == Event::Chosen && event->function == how->function && event->at) {
          finding.at = event->at;
          break;
        }
    }
    tell(finding, {culprit.value.trail, other.value.trail});
    if (finding.at != i_.source)
      finding.notes.push_back({Event::Computed, i_.source, culprit.source, {}});
    report(std::move(finding), how->at, finding.check == Check::PinnedIndex ? 0 : here, dependsOn);
    return true;
  }
  if (callersTensor)
    return false; // only the caller knows
  if (relation.when && in_.symbols_[relation.when].kind == Symbol::Recorded)
    return false;
  finding.check = Check::MixedOperands;
  // A tensor that a caller made and passed down is the caller's to move.
  if (const Frame *owner = giver(culprit.value.trail); owner->function != here)
    finding.at = siteIn(owner->function);
  tell(finding, {culprit.value.trail, other.value.trail});
  if (finding.at != i_.source)
    finding.notes.push_back({Event::Called, i_.source, culprit.source, {}});
  // What is written to must stay the tensor it is.
  bool written = false;
  for (const Operand &operand : i_.args)
    written |=
        operand.source == culprit.source &&
        (operand.name.rfind("out", 0) == 0 || (operand.name == "self" && !i_.text.empty() && i_.text.back() == '_'));
  finding.fix.kind = finding.at == i_.source && !written ? Fix::AppendTo : Fix::None;
  finding.fix.at = culprit.source;
  finding.fix.device = other.source;
  finding.fix.deviceOf = true;
  if (other.module) {
    finding.fix.deviceOf = false;
    const Event *moved = otherHow;
    finding.fix.device = moved ? moved->target : 0;
  }
  report(std::move(finding), how ? how->at : i_.source, here);
  return true;
}

void Attribution::discarded(const Participant &source, DeviceValue target, SourceId targetSource) {
  scene_ = [&](Reenactment &play) { play.discarded(i_, source, target); };
  Finding finding;
  finding.check = Check::DiscardedTo;
  finding.at = i_.source;
  finding.subject = source.source;
  finding.device = device(source);
  finding.otherDevice = in_.describe(m_.state.resolve(target));
  finding.detail = i_.text;
  finding.fix.kind = Fix::AssignResult;
  finding.fix.at = i_.source;
  finding.fix.subject = source.source;
  finding.fix.device = targetSource;
  if (const Event *root = origin(source.value.trail))
    in_.silenced_.insert(root->at);
  report(std::move(finding), i_.source, 0);
}

void Attribution::deadMove(const Participant &copy) {
  scene_ = [&](Reenactment &play) { play.discarded(i_, copy, in_.deviceOf(m_.state, in_.value(m_, i_.args[1]))); };
  Finding finding;
  finding.check = Check::DiscardedTo;
  finding.variant = "copy";
  finding.at = i_.source;
  finding.subject = copy.source;
  for (const Event *event = copy.value.trail; event; event = event->previous)
    in_.silenced_.insert(event->at);
  report(std::move(finding), i_.source, 0);
}

void Attribution::missingGuard(const Frame &entry, Slot tensor, const std::string &what, SourceId at) {
  scene_ = [&](Reenactment &play) { play.missingGuard(i_, entry.code->slots[tensor].source, what); };
  Finding finding;
  finding.check = Check::MissingGuard;
  finding.variant = what;
  finding.at = at ? at : siteIn(entry.function);
  finding.subject = entry.code->slots[tensor].source;
  finding.fix.kind = Fix::GuardBefore;
  finding.fix.at = finding.at;
  finding.fix.subject = finding.subject;
  const Frame *outermost = &m_.frame;
  while (outermost->caller)
    outermost = outermost->caller;
  for (const Frame *frame = &entry; frame->caller && frame->site; frame = frame->caller)
    finding.notes.push_back({Event::Called, frame->site->source, frame->caller->code->source, {}});
  // One guard at the entry mends all that it calls.
  std::size_t found = in_.found_.size();
  report(std::move(finding), outermost->code->source ? outermost->code->source : i_.source, 2);
  if (in_.found_.size() > found)
    in_.unguarded_.push_back({entry.function, found});
}

void Attribution::staleState(const Value &restored, const Value &parameter) {
  const Event *loaded = origin(restored.trail);
  if (!loaded)
    return;
  scene_ = [&](Reenactment &play) { play.staleState(i_, restored, parameter); };
  Finding finding;
  finding.check = Check::StaleLoad;
  finding.variant = "optimizer";
  finding.at = loaded->at;
  finding.subject = loaded->subject;
  finding.device = in_.describe(m_.state.resolve(restored.device));
  finding.otherDevice = in_.describe(m_.state.resolve(parameter.device));
  tell(finding, {parameter.trail});
  finding.notes.push_back({Event::Computed, i_.source, 0, {}});
  report(std::move(finding), loaded->at, 0);
}

void Attribution::hostAccess(const Operand &operand, const Value &what, DeviceValue device) {
  scene_ = [&](Reenactment &play) { play.hostAccess(i_, what, device); };
  Finding finding;
  finding.check = Check::HostAccess;
  finding.variant = what.kind == Value::Pointer ? "pointer" : "tensor";
  finding.at = i_.source;
  finding.subject = operand.source;
  finding.device = in_.describe(device);
  finding.detail = i_.text;
  if (device.kind == DeviceValue::Symbol)
    finding.condition = "'" + in_.symbols_[device.symbol].name + "' is CUDA";
  Participant p = in_.participant(m_, what, operand.source);
  tell(finding, {p.value.trail});
  const Event *oldest = beginning(p.value.trail);
  if (what.kind == Value::Pointer && oldest && oldest->kind == Event::Allocated) { // no tensor's memory
    finding.check = Check::RawPointer;
    finding.variant = "host-read";
  }
  const Event *root = origin(p.value.trail);
  if (root && root->function != m_.frame.function && onStack(root->function))
    finding.notes.push_back({Event::Called, siteIn(root->function), 0, {}});
  const Event *taken = p.value.trail;
  while (taken && taken->kind != Event::PointerTaken)
    taken = taken->previous;
  if (!(i_.flags & facts::kWrite)) // a write would be lost in a copy
    finding.fix.kind = Fix::HostCopy;
  finding.fix.at = taken ? taken->subject : operand.source;
  finding.fix.subject = taken ? taken->at : i_.source;
  report(std::move(finding), taken ? taken->at : operand.source, m_.frame.function);
}

void Attribution::dangling(const Value &pointer) {
  scene_ = [&](Reenactment &play) { play.dangling(i_, pointer); };
  Finding finding;
  finding.check = Check::HostAccess;
  finding.variant = "dangling";
  finding.at = pointer.trail ? pointer.trail->at : i_.source;
  finding.subject = pointer.trail ? pointer.trail->subject : 0;
  finding.fix.kind = Fix::HostCopy;
  finding.fix.at = finding.subject;
  finding.fix.subject = finding.at;
  report(std::move(finding), finding.at, 0);
}

void Attribution::asyncRead(const Value &value, SourceId source) {
  scene_ = [&](Reenactment &play) { play.asyncRead(i_, value); };
  Finding finding;
  finding.check = Check::AsyncCopy;
  finding.at = i_.source;
  finding.subject = source;
  finding.detail = i_.text;
  tell(finding, {value.trail});
  finding.fix.kind = Fix::SynchronizeBefore;
  finding.fix.at = i_.source;
  report(std::move(finding), value.pending, 0);
}

void Attribution::pointer(const std::string &variant, const Operand &operand, const Value &pointer, DeviceValue device,
                          const std::string &what) {
  Finding finding;
  finding.check = Check::RawPointer;
  scene_ = [&](Reenactment &play) { play.pointer(i_, pointer, variant); };
  finding.variant = variant;
  finding.at = i_.source;
  finding.subject = operand.source;
  finding.device = in_.describe(m_.state.resolve(pointer.device));
  finding.otherDevice = in_.describe(device);
  finding.detail = what;
  const Event *how = origin(pointer.trail);
  if (variant == "host-pointer" && how && how->kind == Event::CreatedByDefault) {
    // The tensor was meant to be where the others are.
    finding.variant = "default-tensor";
    finding.at = how->at;
    finding.notes.push_back({Event::Computed, i_.source, operand.source, {}});
    finding.fix.kind = Fix::AddDevice;
    finding.fix.at = how->at;
    finding.fix.device = companion();
    finding.fix.deviceOf = true;
    report(std::move(finding), how->at, 0);
    return;
  }
  if (!how || how->at != operand.source)
    tell(finding, {pointer.trail});
  report(std::move(finding), i_.source, m_.frame.function);
}

/// Another tensor whose memory the same kernel gets, and that is where it has to be.
SourceId Attribution::companion() const {
  for (const facts::Block &block : m_.frame.code->blocks) {
    const Instruction *first = block.instructions.data();
    if (&i_ < first || &i_ >= first + block.instructions.size())
      continue;
    for (const Instruction &use : block.instructions) {
      if (use.opcode != Opcode::DeviceUse || use.source != i_.source || use.args.empty())
        continue;
      Value pointer = in_.value(m_, use.args[0]);
      bool onDevice = pointer.kind == Value::Pointer && m_.state.resolve(pointer.device).kind != DeviceValue::Cpu;
      for (const Event *event = onDevice ? pointer.trail : nullptr; event; event = event->previous)
        if (event->kind == Event::PointerTaken)
          return event->subject;
    }
  }
  return 0;
}

void Attribution::staleOptimizer(const Event *replaced, const Event *built, const std::string &name) {
  if (!replaced)
    return;
  scene_ = [&](Reenactment &play) { play.staleOptimizer(i_, replaced, built, name); };
  Finding finding;
  finding.check = Check::StaleOptimizer;
  finding.at = replaced->at;
  finding.subject = replaced->subject;
  finding.detail = name;
  if (built)
    finding.notes.push_back({Event::OptimizerBuilt, built->at, 0, {}});
  finding.notes.push_back({Event::Computed, i_.source, 0, {}});
  report(std::move(finding), replaced->at, 1);
}

void Interpreter::reportLeftBehind(const State &state) {
  std::vector<ObjectId> late;
  state.forMeta(Meta::Placed, [&](ObjectId child, const Value &mark) {
    if (mark.kind == Value::Reference)
      late.push_back(child);
  });
  for (ObjectId child : late)
    Attribution::placed(*this, state, child, nullptr);
}

} // namespace samedevice::analysis
