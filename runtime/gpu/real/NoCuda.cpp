// Stands in for the CUDA backend where there is no CUDA toolkit to build it with.
#include "gpu/Backend.h"

namespace samedevice::runtime {

std::unique_ptr<Backend> makeCudaBackend(std::string &problem) {
  problem = "this build has no CUDA: nvcc was not found when it was configured";
  return nullptr;
}

} // namespace samedevice::runtime
