// What the code around a fix can name, and that is where the culprit should have been.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

void noteGiven(Evidence &evidence, const State &state, FunctionId function, Slot slot, const Value &given);
std::vector<Home> homes(const Evidence &evidence, const State &state, const Frame *top, FunctionId place,
                        DeviceValue wanted, ObjectId except = 0);
bool isWhollyAt(const State &state, ObjectId module, DeviceValue wanted);
/// Whether the object whose method `place` is has that device in a member, or in a structure among its members.
bool keepsDevice(const State &state, const Frame *top, FunctionId place, DeviceValue wanted);
std::vector<Home> namesOf(const State &state, const Frame *top, FunctionId place, ObjectId object);
std::vector<SourceId> movesTo(const State &state, DeviceValue wanted, const Event *made);
Value homeOfInputs(Context &context);

} // namespace samedevice::analysis
