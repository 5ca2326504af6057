#include "Report.h"

#include "GuardPlaces.h"

#include "Reenactment.h"

#include <algorithm>

namespace samedevice::analysis {

/// Whether it is a mistake, after all that was seen.
bool Report::stands(const Found &found) const {
  const Proviso &proviso = found.proviso;
  const bool isMemorys = found.finding.check == Check::MissingGuard && found.finding.variant != "launch";
  return !(proviso.callersTensor && evidence_.hostOnly.has(proviso.callersTensor)) &&
         !(proviso.callersTensor && isMemorys && !evidence_.memoryTaken.has(proviso.callersTensor)) &&
         !(proviso.made && evidence_.filledOnHost.has(proviso.made)) &&
         !(proviso.onHost && evidence_.neverOnHost.has(proviso.onHost)) &&
         (proviso.apart == decltype(proviso.apart){} || evidence_.apart.has(proviso.apart));
}

/// Whether another finding, found before or after it, is nearer to the cause.
bool Report::isToldElsewhere(const Found &found) const {
  if (found.finding.check == Check::PinnedIndex && found.proviso.withoutGpu && failWithGpu_.count(found.proviso.use))
    return true; // it is no GPU's absence that keeps the two apart
  if (found.finding.check == Check::DefaultFactory)
    return evidence_.silenced.has(found.root) || evidence_.chosenByFlag.has(found.finding.at);
  if (found.finding.check == Check::RawPointer) {
    const Event *silenced = found.proviso.story;
    while (silenced && !evidence_.silenced.has(silenced->at))
      silenced = silenced->previous;
    return silenced;
  }
  if (found.finding.check != Check::MixedOperands)
    return false;
  bool isTold = evidence_.silenced.has(found.root) || evidence_.told.has(found.root);
  for (const Event *event = found.proviso.story; event && !isTold; event = event->previous)
    isTold = event->kind == Event::Computed && evidence_.unmovedUsed.has(event->at);
  for (const Event *event = found.proviso.other; event && !isTold; event = event->previous)
    isTold = evidence_.pinned.has(event->at);
  return isTold;
}

bool Report::worksElsewhere(FunctionId function, SourceId but, bool between) const {
  auto calls = evidence_.calls_.find(function);
  return calls != evidence_.calls_.end() &&
         std::any_of(calls->second.begin(), calls->second.end(), [&](const auto &call) {
           return call.second.went && (call.first == but ? between : !call.second.failed);
         });
}

/// What is made for one use alone is better made where it is wanted.
static void standAtMaking(Finding &finding, SourceId made) {
  if (!made || made == finding.at)
    return;
  std::erase_if(finding.notes, [&](const Note &note) { return note.at == made; });
  const bool isUseTold = std::any_of(finding.notes.begin(), finding.notes.end(),
                                     [](const Note &note) { return note.kind == Event::Computed; });
  if (!isUseTold)
    finding.notes.push_back({Event::Computed, finding.at, finding.subject, {}, finding.other});
  finding.use = finding.at;
  finding.at = made;
}

/// The report moves out to the call that is to blame, and speaks of what is written there: true.
bool Report::climb(Finding &finding, const std::vector<Climb> &calls) const {
  auto isGpu = [](const Where &where) { return where.kind == Where::Device && where.name != "cpu"; };
  const bool between = isGpu(finding.device) && isGpu(finding.otherDevice);
  auto isCallers = [&](const Climb &call) {
    if (call.isOfPointer)
      return true;
    if (call.isForHost) {
      const auto brought = evidence_.broughtToHost_.find(call.callee);
      return brought != evidence_.broughtToHost_.end() && std::any_of(brought->second.begin(), brought->second.end(),
                                                                      [&](SourceId site) { return site != call.site; });
    }
    return call.isContract || call.bringsBoth || worksElsewhere(call.callee, call.site, between);
  };
  if (calls.empty() || !isCallers(calls.front()))
    return false;
  // Those in between hand on what they were given; an address comes from who took it.
  std::size_t last = calls.size() - 1;
  if (calls.front().isOfPointer)
    for (last = 0; last + 1 < calls.size() && calls[last + 1].isOfPointer;)
      ++last;
  moveOut(finding, calls[last]);
  finding.variant = calls[last].isKeeper ? "keeper" : "call";
  finding.detail = calls[last].name;
  standAtMaking(finding, calls[last].made);
  return true;
}

/// Where a child is put in, in time for others, it is the call that comes too late: the outermost that others do not
/// share. A module's methods hand on what they were called for.
const Climb *Report::callThatIsLate(const Found &found) const {
  const std::vector<Climb> &calls = found.proviso.puttingIn;
  const auto inTime = evidence_.placedInTime_.find(found.root);
  if (calls.empty() || inTime == evidence_.placedInTime_.end())
    return nullptr;
  std::size_t late = calls.size();
  for (const Route &route : inTime->second)
    for (std::size_t n = 0; n < calls.size() && n < route.size(); ++n)
      if (calls[n].site != route[n].site) {
        late = late == calls.size() ? n : std::max(late, n);
        break;
      }
  if (late == calls.size())
    return nullptr;
  auto isMethod = [&](FunctionId function) {
    return program_.isModules(function) && !program_.functions[function].isConstructor;
  };
  while (late + 1 < calls.size() && isMethod(calls[late + 1].callee))
    ++late;
  return &calls[late];
}

/// The report stands at the call; what it said before becomes a note.
void Report::moveOut(Finding &finding, const Climb &call, Event::Kind inside) {
  finding.notes.push_back({inside, finding.at, finding.subject, {}, finding.other});
  finding.alternatives = {{finding.at, finding.fix}};
  finding.at = call.site;
  finding.subject = call.subject;
  finding.other = call.other;
  finding.fix = call.fix;
  finding.notes.erase(std::remove_if(finding.notes.begin(), finding.notes.end(),
                                     [&](const Note &note) { return note.at == finding.at; }),
                      finding.notes.end());
}

/// One of several modules is used, and nobody moved any of them: that is one mistake, where it shows.
void Report::tellWhereUsed() {
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

/// A helper that is to make a device current, and whose guard ends with it: it is its call that was relied on.
void Report::blameIdleHelper(Finding &finding, const Function &code) const {
  const SourceId use = finding.at;
  for (const facts::Block &block : code.blocks)
    for (const Instruction &i : block.instructions) {
      if (i.opcode != Opcode::Call || i.targets.size() != 1 || !i.source || i.source >= use)
        continue;
      const SourceId guard = idleGuard(program_.functions[i.targets[0]]);
      if (!guard)
        continue;
      finding.notes.insert(finding.notes.begin(), {Event::Computed, use, 0, {}});
      finding.notes.push_back({Event::Guarded, guard, 0, {}});
      finding.variant = "helper";
      finding.at = i.source;
      return;
    }
}

/// Of the message, where the guard is wrong.
static const char *variantOf(Lapse lapse) {
  switch (lapse) {
  case Lapse::Temporary:
    return "temporary";
  case Lapse::OneWay:
    return "one-way";
  case Lapse::None:
    return "another";
  case Lapse::Scope:
    break; // what it was meant for is
  }
  return "";
}

/// Whether it is told of what a value began as, whatever that meets; else of one use of it.
static bool isOfRoot(const Finding &finding) {
  switch (finding.check) {
  case Check::MixedOperands:
    return false;
  case Check::PinnedIndex:
    return finding.variant.rfind("kept", 0) == 0;
  case Check::RawPointer:
    return finding.variant == "default-tensor"; // given to a kernel
  default:
    return true;
  }
}

Result Report::finish() {
  const bool oneGpu = !unguarded_.empty() && program_.knowsOneGpu();
  result_.knowsSeveralGpus = program_.knowsSeveralGpus();
  std::set<const Found *> unneeded, undecided;
  for (const Unguarded &launch : unguarded_) {
    Found &found = found_[launch.finding];
    if (const Climb *call = stands(found) ? callToGuard(launch) : nullptr) {
      moveOut(found.finding, *call);
      found.finding.variant = found.finding.detail = "launch"; // a call shows neither streams nor memory
    }
    const SourceId use = found.finding.at;
    for (SourceId guard : evidence_.guards_[launch.function]) {
      found.finding.fix.kind = Fix::MoveGuard;
      found.finding.fix.sisters.push_back(guard);
      const Lapse lapse = lapseOf(program_.functions[launch.function], guard, use);
      if (lapse == Lapse::Scope || found.finding.at != use) {
        found.finding.notes.push_back({Event::Guarded, guard, 0, {}});
        continue;
      }
      // It is the guard that is wrong, not what it was meant for.
      found.finding.notes.insert(found.finding.notes.begin(), {Event::Computed, use, 0, {}});
      found.finding.variant = variantOf(lapse);
      found.finding.at = found.finding.fix.at = guard;
    }
    if (evidence_.guards_[launch.function].empty() && found.finding.fix.at == use)
      blameIdleHelper(found.finding, program_.functions[launch.function]);
    found.finding.calledElsewhere = isCalledElsewhere(launch) ? launch.root : facts::kNone;
    if (oneGpu)
      unneeded.insert(&found);
    else if (isPartOfAnother(launch))
      undecided.insert(&found);
  }
  for (const Found &found : found_) {
    if (isOfRoot(found.finding) && !(found.proviso.made && evidence_.filledOnHost.has(found.proviso.made)))
      evidence_.told.note(found.root);
    if (found.finding.check == Check::PinnedIndex && stands(found))
      evidence_.pinned.note(found.root);
    if (!found.proviso.withoutGpu && stands(found))
      failWithGpu_.insert(found.proviso.use);
  }
  for (Found &found : found_)
    if (const Climb *late = callThatIsLate(found)) {
      moveOut(found.finding, *late, Event::Registered);
      found.finding.variant = "call";
      std::erase_if(found.finding.notes, [](const Note &note) { return note.kind == Event::Called; });
    } else if (!climb(found.finding, found.proviso.climbs)) {
      standAtMaking(found.finding, found.proviso.madeFor);
    }
  tellWhereUsed();
  // One root, one report, however often it fails; and one report at a place.
  std::map<std::pair<SourceId, FunctionId>, Finding *> roots;
  std::set<std::pair<SourceId, bool>> places; // a launch may lack a guard, and a stream
  const bool oneStream = program_.hasOneStream();
  std::vector<Finding *> certain, undecidedOnes;
  // What is certain comes first; of a launch, that somebody makes another stream current.
  auto rank = [&](const Found &found) {
    const bool isVague = found.finding.check == Check::DefaultStream && found.finding.variant.empty();
    return undecided.count(&found) ? 2 : isVague ? 1 : 0;
  };
  for (int turn : {0, 1, 2})
    for (Found &found : found_) {
      if (rank(found) != turn || !stands(found) || isToldElsewhere(found) || unneeded.count(&found))
        continue;
      const bool isStreams = found.finding.check == Check::DefaultStream;
      if (isStreams && oneStream)
        continue;
      const auto [first, isFirst] =
          roots.insert({{found.root ? found.root : found.finding.at, found.function}, &found.finding});
      if (!places.insert({found.finding.at, isStreams}).second)
        continue;
      if (isFirst)
        (turn == 2 ? undecidedOnes : certain).push_back(&found.finding);
      else if (found.finding.check == Check::MissingGuard && first->second->variant == found.finding.variant &&
               first->second->notes.size() < Limits::notes)
        first->second->notes.push_back({Event::Kept, found.finding.at, 0, {}});
    }
  for (Finding *finding : certain)
    result_.findings.push_back(std::move(*finding));
  for (Finding *finding : undecidedOnes)
    result_.undecided.push_back(std::move(*finding));
  std::stable_sort(result_.findings.begin(), result_.findings.end(), [](const Finding &a, const Finding &b) {
    return std::tie(a.at, a.check) < std::tie(b.at, b.check);
  });
  return std::move(result_);
}

void Report::add(Finding finding, SourceId root, FunctionId function, const State &state, const Scene &scene,
                 const Proviso &proviso) {
  failures_ += finding.check != Check::DefaultStream; // the call goes well as long as there is one stream
  if (isSilent_ || !finding.at)
    return;
  const bool isVague = finding.variant.empty();
  if (!reported_.insert({finding.check, isVague, finding.at, root, function, proviso}).second)
    return;
  if (withWitnesses_)
    finding.witness = Reenactment::of(state, finding, scene);
  found_.push_back({std::move(finding), root, function, proviso});
}

void Report::remarkCut(const Function &function) {
  auto isOfIt = [&](const Remark &remark) { return remark.at == function.source; };
  if (std::none_of(result_.remarks.begin(), result_.remarks.end(), isOfIt))
    result_.remarks.push_back({function.source, "'" + function.name + "' has too many paths or steps; left out"});
}

} // namespace samedevice::analysis
