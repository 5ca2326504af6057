// Two that cannot meet: which of the two is the culprit, and which of its steps was the mistake.
#include "Attribution.h"
#include "Devices.h"
#include "Homes.h"
#include "Reenactment.h"
#include "Values.h"

#include <algorithm>

namespace samedevice::analysis {

const Event *Attribution::choiceFor(const Event *story) const {
  const Event *own = latest(story, Event::Chosen), *moved = origin(story);
  return own || !moved ? own : latest(context_.evidence.sentTo(moved), Event::Chosen);
}

bool Attribution::isNumberBesideChoice(const Participant &one, const Participant &other) const {
  const Event *written = choiceFor(one.value.trail), *chosen = choiceFor(other.value.trail);
  return !one.module && one.device.kind == DeviceValue::Cuda && other.device.kind == DeviceValue::Cuda && written &&
         written->subject && written->device == one.device && chosen && !chosen->subject &&
         chosen->device == other.device;
}

/// Whether a number was counted, by a loop, or made of such a one.
static bool isCounted(const ProgramIndex &program, FunctionId function, Slot number, int depth = 0) {
  const std::vector<Slot> &counters = program.code(function).counters;
  if (std::find(counters.begin(), counters.end(), number) != counters.end())
    return true;
  for (const facts::Block &block : program.functions[function].blocks)
    for (const Instruction &i : block.instructions)
      if (i.dest == number && depth < Limits::parts && (i.opcode == Opcode::Compute || i.opcode == Opcode::Copy) &&
          std::any_of(
              i.args.begin(), i.args.end(),
              [&](const Operand &part) { return isCounted(program, function, part.slot, depth + 1); }))
        return true;
  return false;
}

/// `devices.emplace_back(torch::kCUDA, stage % gpus)`: the number of a turn, which nobody has written.
static bool isNumberOfATurn(const ProgramIndex &program, const Event *chosen) {
  if (!chosen)
    return false;
  for (const facts::Block &block : program.functions[chosen->function].blocks)
    for (const Instruction &i : block.instructions)
      if (i.source == chosen->at && i.opcode == Opcode::DeviceMake && i.args.size() > 1 &&
          isCounted(program, chosen->function, i.args[1].slot))
        return true;
  return false;
}

bool Attribution::isCurrentBesideNumber(const Participant &one, const Participant &other) {
  return !one.module && one.device.kind == DeviceValue::Cuda && other.device.kind == DeviceValue::Cuda &&
         one.value.has(Value::kNoIndex) && !other.value.has(Value::kNoIndex) && !other.value.has(Value::kLiteral);
}

bool Attribution::conflict(const Participant &x, const Participant &y, const Relation &relation,
                           const std::string &what) {
  if (mayHaveMoved(x) || mayHaveMoved(y))
    return false;
  // Where two paths met, one with the GPU and one without: that the other one is on the GPU is of the first.
  auto isOfOnePath = [&](const Participant &one, const Participant &other) {
    return one.device.kind == DeviceValue::Cuda && !one.value.has(Value::kLiteral) &&
           other.device.kind == DeviceValue::Symbol && context_.universe().symbols[other.device.symbol].isJoined;
  };
  if (isOfOnePath(x, y) || isOfOnePath(y, x))
    return false;
  auto isOfATurn = [&](const Participant &one) {
    return one.device.index >= 0 && isNumberOfATurn(context_.program(), choiceFor(one.value.trail));
  };
  if (relation.when && relation.index >= 0 && (isOfATurn(x) || isOfATurn(y)))
    return false;
  Finding finding;
  finding.at = i_.source;
  finding.detail = what;
  finding.variant = i_.opcode == Opcode::DeviceUse ? "kernel" : i_.flags & facts::kDraws ? "generator" : "";
  scene_ = [&](Reenactment &play) { play.clash(context_, i_, x, y, relation); };
  finding.when = when(relation);
  // A script that was put where a constant says, and a tensor that was put on a GPU by its number: the constant holds.
  auto isSettled = [&](const Participant &script, const Participant &tensor) {
    const Event *how = script.module ? origin(script.value.trail) : nullptr;
    return how && how->kind == Event::Loaded && how->target && !script.value.has(Value::kLiteral) &&
           script.device.index >= 0 && tensor.value.has(Value::kLiteral) && tensor.device.index >= 0;
  };
  if (isSettled(x, y) || (x.module && isNumberBesideChoice(y, x)))
    return tensorConflict(y, x, relation, finding);
  if (isSettled(y, x) || (y.module && isNumberBesideChoice(x, y)))
    return tensorConflict(x, y, relation, finding);
  if (x.module && moduleConflict(x, y, relation, finding))
    return true;
  if (y.module && moduleConflict(y, x, relation, finding))
    return true;
  // The odd one is the one on the CPU; between two GPUs, the one whose index somebody wrote down. (A module's, where
  // the other index was picked: of a tensor's other devices only its owner knows.)
  bool xOdd = x.device.kind == DeviceValue::Cpu;
  if (x.device.kind == y.device.kind || (x.device.kind != DeviceValue::Cpu && y.device.kind != DeviceValue::Cpu))
    xOdd = (!x.module || relation.index >= 0) && x.value.has(Value::kLiteral) && !y.value.has(Value::kLiteral);
  if (isNumberBesideChoice(x, y) || isNumberBesideChoice(y, x))
    xOdd = isNumberBesideChoice(x, y);
  // Who names a GPU without a number has the current one, whatever number the other has from its owner.
  if (isCurrentBesideNumber(x, y) || isCurrentBesideNumber(y, x))
    xOdd = isCurrentBesideNumber(x, y);
  // Where there is no GPU, whoever insists on one.
  const bool insists = x.device.kind != y.device.kind && context_.state.lacksGpu() &&
                       (x.device.kind == DeviceValue::Cuda ? x : y).value.has(Value::kLiteral);
  if (insists)
    xOdd = x.device.kind == DeviceValue::Cuda;
  // Of two GPUs that are both written down, the one that stands alone.
  const int timesX = context_.program().timesWritten(x.device), timesY = context_.program().timesWritten(y.device);
  if (x.device.kind == y.device.kind && x.value.has(Value::kLiteral) && y.value.has(Value::kLiteral) && timesX &&
      timesY && timesX != timesY)
    xOdd = timesX < timesY;
  // Where a file says that something lives is nowhere that anybody chose; who names a device to the loader chooses.
  auto restored = [&](const Participant &p) {
    const Event *how = origin(p.value.trail);
    return !p.module && how && how->kind == Event::Loaded && !how->target;
  };
  if (!insists && restored(x) != restored(y) && x.device.kind != DeviceValue::Cpu && y.device.kind != DeviceValue::Cpu)
    xOdd = restored(x);
  proviso_.story = (xOdd ? x : y).value.trail;
  return xOdd ? tensorConflict(x, y, relation, finding) : tensorConflict(y, x, relation, finding);
}

void Attribution::loadOnto(Finding &finding, const Event &load, DeviceValue wanted) const {
  finding.fix.kind = Fix::LoadOnto;
  finding.fix.at = load.at;
  finding.fix.subject = load.subject;
  finding.fix.homes = homes(context_.evidence, context_.state, &context_.frame, load.function, wanted);
}

/// `add_`, `+=`; but not `==`.
static bool isInPlace(const std::string &operation) {
  static constexpr std::string_view comparisons[] = {"operator==", "operator!=", "operator<=", "operator>="};
  return !operation.empty() && (operation.back() == '_' || operation.back() == '=') &&
         std::find(std::begin(comparisons), std::end(comparisons), operation) == std::end(comparisons);
}

bool Attribution::movedInVain(const Participant &culprit, const Participant &other, Finding finding) {
  const DroppedCopy *dropped = nullptr;
  for (const Event *event = culprit.value.trail; event && !dropped; event = event->previous)
    for (const DroppedCopy &known : context_.evidence.dropped(event))
      if (relate(context_.state, known.device, other.device).kind == Relation::Same)
        dropped = &known;
  if (!dropped)
    return false;
  finding.check = Check::DiscardedTo;
  finding.variant = dropped->isOfParameter ? "by-value" : "";
  finding.at = dropped->call->source;
  finding.subject = dropped->original;
  const bool isClone = dropped->call->opcode == Opcode::CloneModule; // which cannot always be assigned
  if (dropped->call->opcode == Opcode::OptionsWith)
    finding.variant = "options";
  else
    finding.detail = isClone ? "clone" : context_.program().functions[dropped->call->targets[0]].name;
  tell(finding, {other.value.trail});
  usedHere(finding, culprit.source, other.source);
  finding.fix.kind = isClone || dropped->isOfParameter ? Fix::None : Fix::AssignResult;
  finding.fix.at = finding.at;
  finding.fix.subject = finding.subject;
  if (const Event *root = origin(culprit.value.trail))
    context_.evidence.silenced.note(root->at);
  report(finding, finding.at, 0);
  return true;
}

/// One operand is brought to where the other one is, in this very statement.
void Attribution::bringTogether(Finding &finding, const Participant &culprit, const Participant &other) const {
  // What is written to must stay the tensor it is.
  bool written = false;
  for (const Operand &operand : i_.args)
    written |= operand.source == culprit.source &&
               (operand.name.rfind("out", 0) == 0 || (operand.name == "self" && isInPlace(i_.text)));
  const bool isOut = written && !isInPlace(i_.text);
  Fix &fix = finding.fix;
  fix.at = elementOf(culprit);
  fix.device = elementOf(other);
  fix.deviceOf = true;
  if (other.module) {
    const Event *there = origin(other.value.trail);
    fix.deviceOf = false;
    fix.device = there ? there->target : 0;
  }
  if (other.module && isWhollyAt(context_.state, other.module, other.device))
    fix.module = other.source;
  fix.kind = isOut || !fix.at ? Fix::None : Fix::AppendTo;
  fix.homes = homes(context_.evidence, context_.state, &context_.frame, context_.frame.function,
                    written ? culprit.device : other.device);
  goesWith(fix, other);
  if (written && !isOut) { // then what comes to it is brought there
    fix.device = fix.at;
    fix.at = elementOf(other);
    fix.deviceOf = true;
    fix.module = 0;
  }
}

/// What takes part, as it is written, where it is one of a list: of `{x, skip}` the one that is meant.
SourceId Attribution::elementOf(const Participant &one) const {
  auto isGiven = [&](Slot slot, SourceId source) {
    return slot != facts::kNone && std::any_of(i_.args.begin(), i_.args.end(), [&](const Operand &operand) {
             return operand.slot == slot && operand.source == source;
           });
  };
  for (const facts::Block &block : context_.frame.code->blocks)
    for (const Instruction &list : block.instructions) {
      if (list.opcode != Opcode::List || (list.source != one.source && !isGiven(list.dest, one.source)))
        continue;
      for (const Operand &element : list.args) {
        const Value value = analysis::value(context_, element);
        if (context_.state.resolve(deviceOf(context_.state, value)) != one.device)
          continue;
        if (hasStep(one.value.trail, value.trail))
          return element.source;
      }
      return 0;
    }
  return one.source;
}

} // namespace samedevice::analysis
