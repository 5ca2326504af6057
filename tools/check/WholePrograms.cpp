#include "WholePrograms.h"

#include "Children.h"
#include "Inputs.h"
#include "Version.h"

#include "facts/Link.h"
#include "facts/Object.h"
#include "facts/Programs.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace samedevice::check {

/// What one source takes at most; a program is granted that for each that it has.
static constexpr std::chrono::seconds kLimitOfSource{600};

static json::Value listOf(const std::vector<size_t> &numbers) {
  json::Array list;
  for (size_t number : numbers)
    list.push_back(static_cast<int64_t>(number));
  return list;
}

/// Numbers below `end`; nothing where it is something else.
static std::optional<std::vector<size_t>> numbersIn(const json::Value *value, size_t end) {
  const json::Array *list = value ? value->getAsArray() : nullptr;
  if (!list)
    return std::nullopt;
  std::vector<size_t> numbers;
  for (const json::Value &entry : *list) {
    const std::optional<uint64_t> number = entry.getAsUINT64();
    if (!number || *number >= end)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

WholePrograms::WholePrograms(std::vector<Unit> units, const std::string &buildDirectory, const Cache &cache,
                             Results &results, const Facts &facts, PrecompiledHeaders &headers)
    : units_(std::move(units)), cache_(cache), results_(results), facts_(facts), headers_(headers) {
  // The same program, in whatever order its sources were named.
  stable_sort(units_, [](const Unit &one, const Unit &other) {
    const Source &first = one.source, &second = other.source;
    return std::tie(first.file, first.arguments) < std::tie(second.file, second.arguments);
  });
  std::vector<std::reference_wrapper<const Source>> sources;
  for (const Unit &unit : units_) {
    objects_.push_back(facts_.of(unit.key));
    sources.push_back(unit.source);
  }
  if (!buildDirectory.empty())
    products_ = productsOf(linkedIn(buildDirectory), sources);
}

std::vector<std::string> WholePrograms::run(unsigned width) {
  findPrograms();
  std::vector<Program *> rest;
  for (Program &program : programs_)
    if (!find(program))
      rest.push_back(&program);
  if (!rest.empty())
    read();
  std::vector<std::string> problems;
  const unsigned outer = std::max(1U, std::min<unsigned>(width, rest.size())), inner = std::max(1U, width / outer);
  size_t largest = 1;
  for (const Program *program : rest)
    largest = std::max(largest, program->units.size());
  runInChildren(
      rest.size(), outer, kLimitOfSource * largest, [&](size_t index) { return lookAt(*rest[index], inner); },
      [&](size_t index, const ChildResult &result) {
        Program &program = *rest[index];
        Expected<json::Value> value = json::parse(result.output);
        const json::Object *answer = result.failure.empty() && value ? value->getAsObject() : nullptr;
        if (answer) {
          json::Path::Root root;
          program.isKnown = fromJSON(*answer->get("outcomes"), program.outcomes, root);
          program.changed = numbersIn(answer->get("changed"), units_.size()).value_or(std::vector<size_t>());
        }
        if (!value)
          consumeError(value.takeError());
        if (!program.isKnown)
          problems.push_back("the program of " + units_[program.units.front()].source.get().file + " and " +
                             std::to_string(program.units.size() - 1) + " other sources could not be looked at: " +
                             (result.failure.empty() ? "no answer" : result.failure) + "; each is judged alone");
      });
  take();
  return problems;
}

void WholePrograms::leaveBehind(std::chrono::system_clock::time_point begin) const {
  constexpr std::chrono::milliseconds tick{10}; // the clock of files goes by these
  const int64_t asOf = std::chrono::duration_cast<std::chrono::nanoseconds>((begin - tick).time_since_epoch()).count();
  // Who is part of a large program is left nothing, and that is not put together first: it would be all sources of it
  // for each of them.
  std::vector<char> hasMany(units_.size(), 0);
  std::vector<std::set<size_t>> others(units_.size());
  for (const Program &program : programs_)
    for (size_t unit : program.units)
      if (program.units.size() > tidy::LeftByCheck::kMost)
        hasMany[unit] = 1;
      else
        others[unit].insert(program.units.begin(), program.units.end());
  std::vector<std::string> digests(units_.size());
  for (size_t unit = 0; unit < units_.size(); ++unit) {
    if (!isAsked(unit))
      continue;
    tidy::LeftByCheck left{asOf, {}};
    const std::string &source = units_[unit].source.get().file;
    if (!hasMany[unit] && others[unit].size() <= tidy::LeftByCheck::kMost)
      for (size_t other : others[unit]) {
        const std::string &file = units_[other].source.get().file;
        if (file == source)
          continue;
        if (digests[other].empty())
          digests[other] = tidy::LeftByCheck::digestOf(objects_[other]);
        left.objects.push_back({Facts::entryName(units_[other].key), digests[other], file});
      }
    cache_.keep(tidy::LeftByCheck::entryFor(source), [&](raw_ostream &out) { left.print(out); });
  }
}

void WholePrograms::read() {
  if (!read_.empty())
    return;
  for (const std::string &object : objects_) {
    std::string fault;
    std::optional<facts::Program> unit = facts::read(object, fault);
    const bool isOne = unit && !unit->files.empty();
    read_.push_back(isOne ? std::make_shared<const facts::Program>(std::move(*unit)) : nullptr);
  }
}

/// Those with several sources, one of which is asked for.
void WholePrograms::findPrograms() {
  std::vector<std::string> parts = {buildIdentity()}, digests;
  for (const std::string &object : objects_)
    digests.push_back(digestOf({object}));
  append_range(parts, digests);
  for (const facts::Product &product : products_)
    for (const std::vector<size_t> *list : {&product.own, &product.linked})
      for (size_t unit : *list)
        parts.push_back(std::to_string(unit) + (product.isLinked ? "linked" : ""));
  const std::string entry = digestOf(parts) + ".programs.json";
  std::vector<std::vector<size_t>> lists;
  const std::optional<json::Value> known = cache_.read(entry);
  if (const json::Array *same = known ? known->getAsArray() : nullptr) {
    for (const json::Value &list : *same)
      if (std::optional<std::vector<size_t>> units = numbersIn(&list, units_.size()))
        lists.push_back(std::move(*units));
    cache_.touch(entry);
  } else {
    read();
    std::vector<size_t> places, indices(units_.size(), 0);
    std::vector<const facts::Program *> units;
    for (size_t index = 0; index < read_.size(); ++index)
      if (read_[index]) {
        indices[index] = units.size();
        places.push_back(index);
        units.push_back(read_[index].get());
      }
    std::vector<facts::Product> products = products_;
    for (facts::Product &product : products)
      for (std::vector<size_t> *list : {&product.own, &product.linked}) {
        erase_if(*list, [&](size_t unit) { return !read_[unit]; });
        for (size_t &unit : *list)
          unit = indices[unit];
      }
    for (std::vector<size_t> &together : facts::programsAmong(units, products)) {
      for (size_t &unit : together)
        unit = places[unit];
      if (together.size() > 1)
        lists.push_back(std::move(together));
    }
    json::Array kept;
    for (const std::vector<size_t> &list : lists)
      kept.push_back(listOf(list));
    cache_.write(entry, std::move(kept));
  }
  for (std::vector<size_t> &list : lists) {
    if (none_of(list, [this](size_t unit) { return isAsked(unit); }))
      continue;
    std::vector<std::string> own = {buildIdentity()};
    for (size_t unit : list)
      own.push_back(digests[unit]);
    programs_.push_back({std::move(list), digestOf(own), {}, {}, false});
  }
}

std::string WholePrograms::resultKeyOf(size_t unit, const Program &program) const {
  return digestOf({units_[unit].key, program.key});
}

/// What is known of it from before.
bool WholePrograms::find(Program &program) {
  const std::optional<json::Value> known = cache_.read(program.key + ".changed.json");
  const std::optional<std::vector<size_t>> changed = numbersIn(known ? &*known : nullptr, program.units.size());
  if (!changed)
    return false;
  cache_.touch(program.key + ".changed.json");
  for (size_t place : *changed) {
    const size_t unit = program.units[place];
    program.changed.push_back(unit);
    if (!isAsked(unit))
      continue;
    std::optional<Outcome> outcome = results_.find(resultKeyOf(unit, program), units_[unit].source);
    if (!outcome) {
      program.changed.clear();
      program.outcomes.clear();
      return false;
    }
    program.outcomes.push_back(std::move(*outcome));
  }
  return program.isKnown = true;
}

/// In a child: links it and analyses it, once; then each source in which that shows something else is told of by who
/// has its text.
std::string WholePrograms::lookAt(const Program &program, unsigned width) {
  std::vector<const facts::Program *> units;
  std::vector<facts::SourceId> sourcesBefore;
  facts::SourceId sources = 0;
  for (size_t unit : program.units) {
    units.push_back(read_[unit].get());
    sourcesBefore.push_back(sources);
    sources += static_cast<facts::SourceId>(read_[unit]->sources.size()) - 1;
  }
  const facts::Program linked = facts::link(units);
  const analysis::Result result =
      analysis::analyze(linked, analysis::Limits::ofFiles(units.size()), /*withWitnesses=*/true);
  Signs whole = signsOf(linked, result);
  std::vector<size_t> places, changed, asked;
  for (size_t place = 0; place < program.units.size(); ++place) {
    Signs alone = facts_.signsOf(units_[program.units[place]].key);
    if (none_of(units[place]->files, [&](const std::string &file) { return whole[file] != alone[file]; }))
      continue;
    places.push_back(place);
    changed.push_back(program.units[place]);
    if (isAsked(program.units[place]))
      asked.push_back(place);
  }
  cache_.write(program.key + ".changed.json", listOf(places));
  std::vector<Outcome> outcomes(asked.size());
  runInChildren(
      asked.size(), width, kLimitOfSource,
      [&](size_t index) {
        const size_t place = asked[index], unit = program.units[place];
        tidy::OtherUnits &known = tidy::OtherUnits::ofThisProcess();
        known.whole = tidy::Whole{&linked, &result, sourcesBefore[place], objects_[unit]};
        for (size_t other : program.units)
          if (other != unit)
            known.units.push_back(read_[other]);
        Analysis analysis = analyze(units_[unit].source, *units_[unit].options, &headers_);
        return results_.keep(resultKeyOf(unit, program), units_[unit].source, std::move(analysis));
      },
      [&](size_t index, const ChildResult &result) {
        // What is known of the source alone is better than nothing.
        outcomes[index] = outcomeOf(result);
        if (!outcomes[index].notAnalyzed.empty())
          outcomes[index] = *units_[program.units[asked[index]]].outcome;
      });
  std::string text;
  raw_string_ostream(text) << json::Value(json::Object{{"changed", listOf(changed)}, {"outcomes", outcomes}});
  return text;
}

/// A source that several programs share shows what it shows in any of them.
void WholePrograms::take() {
  for (size_t unit = 0; unit < units_.size(); ++unit) {
    if (!isAsked(unit))
      continue;
    std::vector<const Outcome *> shown;
    for (const Program &program : programs_) {
      if (!program.isKnown || !is_contained(program.units, unit))
        continue;
      if (!is_contained(program.changed, unit)) {
        shown.push_back(units_[unit].outcome);
        continue;
      }
      size_t place = 0;
      for (size_t changed : program.changed)
        if (changed == unit)
          shown.push_back(&program.outcomes[place]);
        else
          place += isAsked(changed);
    }
    if (shown.empty())
      continue;
    Outcome all = *shown.front();
    for (const Outcome *more : shown)
      for (const Finding &finding : more->findings)
        if (none_of(all.findings,
                    [&](const Finding &told) { return told.at == finding.at && told.check == finding.check; }))
          all.findings.push_back(finding);
    *units_[unit].outcome = std::move(all);
  }
}

} // namespace samedevice::check
