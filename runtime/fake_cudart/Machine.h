// The simulated GPUs of a whole program.
#pragma once

#include "gpu/simulated/SimBackend.h"

namespace samedevice::runtime {

/// Two of them, or as many as SAMEDEVICE_DEVICES says. The first call also makes faults on their memory tell whose it
/// is.
SimBackend &machine();

/// What cudaGetLastError last gave this thread. Programs take an error and then have it looked into.
Error &lastTakenError();

} // namespace samedevice::runtime
