#include "WholePrograms.h"

#include "Inputs.h"

#include "analysis/Findings.h"
#include "facts/Link.h"
#include "facts/Object.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace samedevice::check {

namespace {

/// A finding, as another analysis of the same place would have it.
using Sign = std::tuple<std::uint32_t, std::uint32_t, analysis::Check, std::string, std::string, std::string>;
using Signs = std::map<std::string, std::set<Sign>>; ///< by file

void addSigns(const facts::Program &program, Signs &signs) {
  const analysis::Result result = analysis::analyze(program);
  auto nameOf = [&](facts::SourceId id) {
    return id < program.sources.size() ? program.sources[id].name : std::string();
  };
  for (const std::vector<analysis::Finding> *found : {&result.findings, &result.undecided})
    for (const analysis::Finding &finding : *found) {
      if (finding.at >= program.sources.size() || program.sources[finding.at].file >= program.files.size())
        continue;
      const facts::Source &at = program.sources[finding.at];
      signs[program.files[at.file]].insert({at.line, at.column, finding.check, finding.variant, nameOf(finding.subject),
                                            finding.device.name + finding.otherDevice.name});
    }
}

} // namespace

WholePrograms::WholePrograms(std::vector<std::string> objects) : objects_(std::move(objects)) {
  std::vector<std::string> digests;
  digests.reserve(objects_.size());
  for (const std::string &object : objects_)
    digests.push_back(digestOf({object}));
  digest_ = digestOf(digests);
}

void WholePrograms::read() {
  for (const std::string &object : objects_) {
    std::string fault;
    std::optional<facts::Program> unit = facts::read(object, fault);
    const bool isOne = unit && !unit->files.empty();
    units_.push_back(isOne ? std::make_shared<const facts::Program>(std::move(*unit)) : nullptr);
  }
  objects_.clear();
}

std::vector<std::size_t> WholePrograms::changed() const {
  std::vector<std::size_t> known;
  std::vector<const facts::Program *> units;
  for (std::size_t index = 0; index < units_.size(); ++index)
    if (units_[index]) {
      known.push_back(index);
      units.push_back(units_[index].get());
    }
  std::set<std::size_t> changed;
  std::map<std::size_t, Signs> alone;
  for (const std::vector<std::size_t> &together : facts::programsAmong(units)) {
    if (together.size() < 2)
      continue;
    Signs whole;
    addSigns(facts::link(units, together), whole);
    for (std::size_t unit : together) {
      const bool isNew = !alone.count(unit);
      Signs &byItself = alone[unit];
      if (isNew)
        addSigns(*units[unit], byItself);
      if (std::any_of(units[unit]->files.begin(), units[unit]->files.end(),
                      [&](const std::string &file) { return whole[file] != byItself[file]; }))
        changed.insert(known[unit]);
    }
  }
  return {changed.begin(), changed.end()};
}

void WholePrograms::useAllBut(std::size_t index) const {
  std::vector<tidy::Unit> &others = tidy::OtherUnits::ofThisProcess().units;
  for (std::size_t other = 0; other < units_.size(); ++other)
    if (other != index && units_[other])
      others.push_back(units_[other]);
}

} // namespace samedevice::check
