// Functions that are kept by device: `table[x.device().type()](x, out)`.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

/// Whether it holds nothing but functions, each for a kind of device.
bool holdsFunctions(const State &state, ObjectId list);
/// The one that is run is the one for where the tensor is: each by itself, and only there.
Outcomes functionsFor(Context &context, ObjectId list, DeviceValue device);

} // namespace samedevice::analysis
