#include "FunctionTables.h"

#include "ElementKey.h"
#include "Values.h"

namespace samedevice::analysis {

bool holdsFunctions(const State &state, ObjectId list) {
  bool isEmpty = true, areAll = true;
  state.forPart(list, Part::Element, [&](std::uint32_t key, const Value &member) {
    const Value held = follow(state, member);
    const facts::ClassId cls = held.kind == Value::Object ? classOf(state, held.object) : facts::kNone;
    isEmpty = false;
    areAll &= isDeviceKey(key) && cls < state.program().classes.size() && state.program().classes[cls].isLambda;
  });
  return areAll && !isEmpty;
}

Outcomes functionsFor(Context &context, ObjectId list, DeviceValue device) {
  Outcomes outcomes;
  context.state.forPart(list, Part::Element, [&](std::uint32_t key, const Value &) {
    const DeviceValue::Kind kind = deviceKindOf(key);
    State state = context.state;
    const DeviceValue known = state.resolve(device);
    if (known.kind == DeviceValue::Symbol && (kind == DeviceValue::Cpu || kind == DeviceValue::Cuda))
      state.assumeCuda(known.symbol, kind == DeviceValue::Cuda);
    else if (known.known() && known.kind != kind)
      return;
    if (!state.infeasible)
      outcomes.push_back({std::move(state), referenceTo(place(list, Part::Element, key))});
  });
  if (outcomes.empty())
    outcomes.push_back({context.state, {}});
  return outcomes;
}

} // namespace samedevice::analysis
