// What is made up where nobody saw it made, and what unseen code may have changed.
#pragma once

#include "Values.h"

namespace samedevice::analysis {

/// What the parameter of a function that nobody in sight calls goes by.
std::string keyOfParameter(const facts::Function &code, facts::FunctionId function, facts::Slot parameter);
Value symbolic(State &state, const facts::SlotInfo &slot, const std::string &key, const std::string &name,
               bool fromCaller);
/// Of what is kept in a list that nobody saw filled, by a program that makes such objects itself: where its members are
/// is for that to say, and not whatever a caller picks.
void markMadeElsewhere(State &state, ObjectId object);
Value fieldPlace(Context &context, const Value &base, const std::string &name, const facts::SlotInfo &slot,
                 const Instruction &instruction);
/// Unseen code may have changed whatever can be reached from it.
void havoc(State &state, const Value &value, int depth = 0);
void havocBy(State &state, ObjectId object, facts::ClassId knower);
Value someInt(Context &context, SourceId source);
/// A text that nobody can read, but the same one until it is made again.
Value someText(Context &context, SourceId source);
Value anything(Context &context, const Instruction &instruction);

} // namespace samedevice::analysis
