// Where this build has no CUDA.
#include "Backend.h"

namespace samedevice::runtime {

#ifndef SAMEDEVICE_HAS_CUDA
std::unique_ptr<Backend> makeCudaBackend() { return nullptr; }
#endif

} // namespace samedevice::runtime
