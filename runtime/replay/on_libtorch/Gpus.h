// The GPUs below libtorch, for what programs do to them without it: streams, launches, copies.
#pragma once

#include "gpu/Backend.h"

#include <string>

namespace samedevice::runtime {

extern const bool kGpusAreReal;
/// Started when first asked for.
Backend &gpus();
/// Whether libtorch has any; otherwise `problem` says why not.
bool haveGpus(std::string &problem);

/// "memory of cuda:0"; empty where the host may read.
std::string describeFault(const void *address);
/// "libtorch 2.6.0, NVIDIA H200".
std::string describeLibtorch();

} // namespace samedevice::runtime
