// Mistakes with optimizers: what they keep stays behind, and what they were given is used no longer.
#include "Attribution.h"
#include "Devices.h"
#include "Homes.h"
#include "Reenactment.h"
#include "Values.h"

namespace samedevice::analysis {

void Attribution::staleState(const Value &restored, const Value &parameter) {
  const bool isKept = restored.trail && (restored.trail->kind == Event::OptimizerStepped ||
                                         restored.trail->kind == Event::OptimizerBuilt);
  // What has put the parameters elsewhere since: a move, or a load.
  const Event *put = isKept ? origin(parameter.trail) : origin(restored.trail);
  const bool isLoad = put && put->kind == Event::Loaded;
  if (isKept && !isLoad)
    put = latest(parameter.trail, Event::ModuleMoved);
  if (!put || !put->at)
    return;
  scene_ = [&](Reenactment &play) { play.staleState(i_, restored, parameter); };
  Finding finding;
  // Who named a device to the loader has moved the module.
  finding.check = isKept && (!isLoad || put->target) ? Check::StaleOptimizer : Check::StaleLoad;
  finding.variant = isKept ? "state" : put->target ? "optimizer-onto" : "optimizer";
  finding.at = put->at;
  finding.subject = put->subject;
  finding.device = describe(context_.state, context_.state.resolve(restored.device));
  finding.otherDevice = describe(context_.state, context_.state.resolve(parameter.device));
  if (isKept)
    finding.notes.push_back({restored.trail->kind, restored.trail->at, 0, {}});
  else
    tell(finding, {parameter.trail});
  if (finding.check == Check::StaleLoad) {
    if (const Event *home = latest(parameter.trail, Event::ModuleMoved))
      finding.fix.device = home->target;
    loadOnto(finding, *put, isKept ? restored.device : parameter.device);
    if (const Event *choice = isKept ? nullptr : leftOut(put)) { // a helper was told, or not, by who calls it
      finding.variant = "optimizer-omitted";
      finding.at = choice->at;
      finding.subject = 0;
      finding.fix = {};
    }
  }
  usedHere(finding, 0);
  report(finding, finding.at, 0);
}

/// Whether the function in which `step` happens is the other one's, a part of it, or of the same class.
bool Attribution::knowsOf(const Event &step, const Event &other) const {
  const Function &code = context_.program().functions[step.function];
  const facts::ClassId cls = code.cls, others = context_.program().functions[other.function].cls;
  const bool isOfOneClass =
      cls != facts::kNone && others != facts::kNone &&
      (context_.program().derivesFrom(cls, others) || context_.program().derivesFrom(others, cls));
  return step.function == other.function || context_.program().isLambda(code) || isOfOneClass;
}

void Attribution::leftTensor(const Event *moved, const Event *built) {
  scene_ = [&](Reenactment &play) { play.staleOptimizer(i_, moved, built, ""); };
  Finding finding;
  finding.check = Check::StaleOptimizer;
  finding.variant = "replaced";
  finding.at = moved->at;
  finding.subject = moved->subject;
  finding.device = describe(context_.state, moved->device);
  // A helper for any tensors cannot know of the optimizer: who built it has done so too early.
  if (built && built->at && !knowsOf(*moved, *built)) {
    finding.variant = "early";
    finding.at = built->at;
    finding.notes.push_back({Event::Moved, moved->at, moved->subject, finding.device});
  } else if (built) {
    finding.notes.push_back({Event::OptimizerBuilt, built->at, 0, {}});
  }
  usedHere(finding, 0);
  report(finding, moved->at, 0);
}

/// The one place where the class that has built the optimizer calls what has replaced a module of another class.
SourceId Attribution::callBySister(const Event &replaced, const Event &built) const {
  const facts::ClassId cls = context_.program().functions[built.function].cls;
  SourceId found = 0;
  for (FunctionId f = 0; cls != facts::kNone && f < context_.program().functions.size(); ++f)
    if (context_.program().functions[f].cls == cls)
      if (const SourceId call = context_.program().onlyCall(f, replaced.function)) {
        if (found)
          return 0;
        found = call;
      }
  return found;
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
  const Value optimizer = i_.args.empty() ? Value{} : value(context_, i_.args[0]);
  // Whoever built the optimizer and then called what replaces a module has done so too early, if nothing was learnt in
  // between; a layer that is made when the first input comes is not called for that.
  const SourceId call = built ? context_.program().onlyCall(built->function, replaced->function) : 0;
  const bool hasLearnt = call && context_.program().learnsBefore(built->function, call);
  const bool isOnTheWay = call && context_.program().functions[replaced->function].result.type == facts::Type::Tensor;
  if (call && built->at && !hasLearnt && !isOnTheWay && !knowsOf(*replaced, *built)) {
    finding.variant = "early-module";
    finding.at = built->at;
    finding.notes = {{Event::Called, call, 0, {}}, {Event::Registered, replaced->at, replaced->subject, {}}};
  } else if (call) {
    finding.notes.push_back({Event::Called, call, 0, {}});
  } else if (const SourceId replacing = built && !knowsOf(*replaced, *built) ? callBySister(*replaced, *built) : 0) {
    finding.variant = "call";
    finding.at = replacing;
    finding.notes.push_back({Event::Registered, replaced->at, replaced->subject, {}});
  }
  usedHere(finding, 0);
  if (optimizer.kind == Value::Object) {
    finding.fix.kind = Fix::AddParameters;
    finding.fix.at = replaced->at;
    finding.fix.subject = replaced->subject;
    finding.fix.homes = namesOf(context_.state, &context_.frame, replaced->function, optimizer.object);
    for (const Frame *frame = &context_.frame; frame; frame = frame->caller) { // for where that is called from
      const std::vector<Home> names = namesOf(context_.state, &context_.frame, frame->function, optimizer.object);
      finding.fix.homes.insert(finding.fix.homes.end(), names.begin(), names.end());
    }
  }
  report(finding, replaced->at, kOfTensors);
}

} // namespace samedevice::analysis
