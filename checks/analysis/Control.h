// The machine: the current device and stream, guards and launches, and what unseen functions may have done.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

void noteDemand(Context &context, const Function &code, const facts::Terminator &end, const Value &condition);
void stepControl(Context &context, const Instruction &instruction);
void callUnseen(Context &context, const Instruction &instruction, facts::ClassId knower);
bool anotherIsOnHost(Context &context);
bool isGuarded(const State &state);
bool isRunByEngine(const Frame &frame);
void guardedForAnother(Context &context, const Instruction &instruction, DeviceValue used);
void requireGuard(Context &context, const Instruction &instruction, const std::string &what);
void madeBeforeGuard(Context &context, const Instruction &instruction, const Value &pointer);
void setStream(Context &context, const Value &stream);
/// The host, or the current stream, has waited for work on another one.
void noteWaited(State &state);
void noteMaybeWaited(Context &context, const Instruction &unseen);
void noteWork(Context &context, const Instruction &instruction);
void requireStream(Context &context, const Instruction &launch);

} // namespace samedevice::analysis
