// Modules: the tree of what is registered, what moves with it, and what is restored from files.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

/// A module that was moved but does not reach a participant, and what it holds that leads there (0: the tensor).
struct Missed {
  ObjectId owner, held;
};

void stepModule(Context &context, const Instruction &instruction);
void moveModule(Context &context, ObjectId module, const Value &to, const Event *trail, int depth = 0);
void saveState(Context &context, const Instruction &instruction);
void loadScript(Context &context, const Instruction &instruction);
void loadState(Context &context, const Instruction &instruction);
/// A script that was loaded: torch::jit::Module goes by this name.
inline constexpr const char *kScript = "script::Module";
bool isScript(const State &state, ObjectId module);
bool differsFrom(const State &state, ObjectId module, DeviceValue device);
bool isContainer(const State &state, ObjectId object);
bool knowsChildren(const State &state, ObjectId container);
std::vector<Value> childrenAt(const State &state, ObjectId container, const Value &position);
bool inTree(const State &state, ObjectId root, ObjectId wanted, bool whereUnknown = true, int depth = 0);
std::optional<Missed> ownerThatMissed(Context &context, const Participant &wanted);

/// Visits what a module's parameters and buffers are kept in: its own, and those of all that is registered in it.
template <typename Visit> void forLeaves(const State &state, ObjectId module, Visit &&visit, int depth = 0) {
  if (depth > Limits::nestedModules || !module) // a child that paths disagree on
    return;
  if (const Value *device = state.find(meta(module, Meta::Device)))
    visit(module, *device);
  for (Part part : {Part::Child, Part::Tensor})
    state.forPart(module, part,
                  [&](std::uint32_t, const Value &child) { forLeaves(state, child.object, visit, depth + 1); });
}

} // namespace samedevice::analysis
