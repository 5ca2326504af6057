#include "Names.h"

namespace samedevice::report {

const facts::Source &NamesOfFacts::at(facts::SourceId id) const {
  static const facts::Source nowhere;
  return id < program_.sources.size() ? program_.sources[id] : nowhere;
}

bool NamesOfFacts::isSeenFrom(facts::SourceId named, facts::SourceId line) const {
  const facts::Source &there = at(named), &here = at(line);
  if (here.function == facts::kNone)
    return false;
  const facts::ClassId cls = program_.functions[here.function].cls;
  return there.function == here.function ||
         (there.member != facts::kNone && cls != facts::kNone && program_.derivesFrom(cls, there.member));
}

} // namespace samedevice::report
