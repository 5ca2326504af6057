// Optimizers: which parameters they took, and what was put in the place of those.
#pragma once

#include "Context.h"

namespace samedevice::analysis {

/// What a leaf's `number` says: parameters learn until they are told not to.
enum Learning : std::int64_t { kParameter, kBuffer, kFrozen };
/// `p.set_requires_grad(learns)`, of what is kept in this leaf.
void noteLearns(Context &context, ObjectId leaf, const Value &learns);
/// `copy` is one of `original`: which of the two is learning from now on, those tell that are computed with.
void noteCopied(State &state, ObjectId original, ObjectId copy);
void noteComputedWith(State &state, ObjectId parameter);
/// What a successor's `number` says: whether the one before it is still known to somebody.
enum Succession : std::int64_t { kInItsPlace, kBesideOriginal };
void noteSuccessor(Context &context, ObjectId replaced, ObjectId successor, const Event *registered,
                   const std::string &name, Succession succession = kInItsPlace);
void noteReplaced(Context &context, const Instruction &instruction, Place variable, const Value &assigned);
void takeParameters(Context &context, const Instruction &instruction);
void buildOptimizer(Context &context, const Instruction &instruction);
void noteMovedAway(Context &context, const Instruction &instruction, const Value &before, const Value &assigned);
bool isOptimizer(const State &state, const Value &value);
void addToOptimizer(Context &context, const Instruction &instruction);
void optimizerStep(Context &context, const Instruction &instruction);

} // namespace samedevice::analysis
