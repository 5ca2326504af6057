// Stands in for the CUDA backend where there is no CUDA toolkit to build it with.
#include "../device/Backend.h"

namespace samedevice::runtime {

std::unique_ptr<Backend> makeCudaBackend() { return nullptr; }

} // namespace samedevice::runtime
