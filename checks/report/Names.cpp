#include "Names.h"

#include <algorithm>

namespace samedevice::report {

const facts::Source &NamesOfFacts::at(facts::SourceId id) const {
  static const facts::Source nowhere;
  return id < program_.sources.size() ? program_.sources[id] : nowhere;
}

static bool derivesFrom(const facts::Program &program, facts::ClassId cls, facts::ClassId base, int depth = 0) {
  if (cls == base)
    return true;
  if (cls >= program.classes.size() || depth > 8)
    return false;
  const std::vector<facts::ClassId> &bases = program.classes[cls].bases;
  return std::any_of(bases.begin(), bases.end(),
                     [&](facts::ClassId parent) { return derivesFrom(program, parent, base, depth + 1); });
}

bool NamesOfFacts::isSeenFrom(facts::SourceId named, facts::SourceId line) const {
  const facts::Source &there = at(named), &here = at(line);
  if (here.function == facts::kNone)
    return false;
  const facts::ClassId cls = program_.functions[here.function].cls;
  return there.function == here.function ||
         (there.member != facts::kNone && cls != facts::kNone && derivesFrom(program_, cls, there.member));
}

} // namespace samedevice::report
