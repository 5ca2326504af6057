// What the program keeps from one call to the next: in static variables, and in tables under keys.
#pragma once

#include "Context.h"
#include "Devices.h"
#include "ElementKey.h"
#include "Values.h"

#include <set>
#include <utility>
#include <vector>

namespace samedevice::analysis {

/// Whether what is kept under this key is for one device.
inline bool isKeptByDevice(const State &state, const Evidence &evidence, ObjectId table, std::uint32_t key) {
  if (!isDeviceKey(key) || evidence.byDevice.has(table))
    return evidence.byDevice.has(table);
  Value current = Value::of(Value::Device);
  current.device = {DeviceValue::Cuda, -1, currentAtFirst(state)};
  return key != keyed(current);
}

/// Visits each value with its place and with where one asks for it under a key (0: it is in a variable); not what a
/// device leads to.
template <typename Visit> void forKept(const State &state, const Evidence &evidence, Visit visit) {
  std::set<ObjectId> seen;
  std::vector<std::pair<ObjectId, SourceId>> open{{kGlobals, 0}};
  while (!open.empty()) {
    const auto [object, key] = open.back();
    const SourceId lookup = key ? key : evidence.lookupIn(object);
    open.pop_back();
    if (!object || !seen.insert(object).second)
      continue;
    for (Part part : {Part::Field, Part::Element})
      state.forPart(object, part, [&](std::uint32_t index, const Value &raw) {
        const Value value = follow(state, raw);
        if (part == Part::Element && isKeptByDevice(state, evidence, object, index))
          return;
        if (value.kind == Value::Object && state.resolve(value.device).kind != DeviceValue::Cpu)
          open.push_back({value.object, lookup});
        visit(place(object, part, index), value, lookup);
      });
  }
}

} // namespace samedevice::analysis
