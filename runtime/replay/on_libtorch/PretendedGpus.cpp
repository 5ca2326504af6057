// A CPU-only libtorch, and the GPUs that it is made to believe in.
#include "Gpus.h"

#include "pretend_cuda/Pretend.h"

#include <torch/version.h>

namespace samedevice::runtime {

const bool kGpusAreReal = false;
Backend &gpus() { return machine(); }
bool haveGpus(std::string &) { return true; }
std::string describeFault(const void *address) { return machine().describeFault(address); }
std::string describeLibtorch() { return "libtorch " TORCH_VERSION ", pretended CUDA device"; }

} // namespace samedevice::runtime
