// Functions that are kept by device: `table[x.device().type()](x, out)`.
#include "Interpreter.h"

namespace samedevice::analysis {

/// Whether it holds nothing but functions, each for a kind of device.
bool Interpreter::holdsFunctions(const State &state, ObjectId list) const {
  bool isEmpty = true, areAll = true;
  state.forPart(list, Part::Element, [&](std::uint32_t key, const Value &member) {
    const Value held = follow(state, member);
    const facts::ClassId cls = held.kind == Value::Object ? classOf(state, held.object) : facts::kNone;
    isEmpty = false;
    areAll &= (key & kDeviceKey) && cls < program_.classes.size() && program_.classes[cls].isLambda;
  });
  return areAll && !isEmpty;
}

/// The one that is run is the one for where the tensor is: each by itself, and only there.
Outcomes Interpreter::functionsFor(Context &context, ObjectId list, DeviceValue device) {
  Outcomes outcomes;
  context.state.forPart(list, Part::Element, [&](std::uint32_t key, const Value &) {
    const auto kind = static_cast<DeviceValue::Kind>(key >> 20 & 0xf);
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
