// Moves that nobody sees: a copy is moved and not looked at again, so the original stays where it was.
#pragma once

#include "../facts/Program.h"

#include <unordered_set>

namespace samedevice::analysis {

/// The assignments `copy = copy.to(device)` whose result is never read: a by-value parameter that is not returned, a
/// loop variable taken by value, a member captured by copy.
std::unordered_set<const facts::Instruction *> deadMoves(const facts::Program &program);

} // namespace samedevice::analysis
