// Why a guard that a function has does not help where something is launched, as far as its text shows.
#pragma once

#include "../facts/Program.h"

namespace samedevice::analysis {

enum class Lapse {
  Scope,     ///< its block has ended, or it comes too late
  Temporary, ///< it ends with its own statement
  OneWay,    ///< one that lives on, but is set on some of the ways only
  None,      ///< it is in force, and for another device
};

Lapse lapseOf(const facts::Function &code, facts::SourceId guard, facts::SourceId use);

/// Whether one comes to what stands at `use` before any guard is set.
bool isBeforeGuards(const facts::Function &code, facts::SourceId use);

/// The guard of a helper that ends with it, and under which it does nothing; 0: there is none, or it is good for
/// something.
facts::SourceId idleGuard(const facts::Function &code);

/// Whether it makes a device current, anywhere, for as long as an object of its lives.
bool hasGuard(const facts::Function &code);
/// The same, or something in it cannot be read.
bool mayHaveGuard(const facts::Function &code);

} // namespace samedevice::analysis
