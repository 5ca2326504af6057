// A libtorch with CUDA, and the GPUs that both it and we use through the CUDA runtime.
#include "Gpus.h"

#include <torch/cuda.h>
#include <torch/version.h>

#include <memory>

namespace samedevice::runtime {

namespace {

Backend *start(std::string &problem) {
  static const std::unique_ptr<Backend> backend = makeCudaBackend(problem);
  return backend.get();
}

} // namespace

const bool kGpusAreReal = true;

Backend &gpus() {
  std::string problem;
  return *start(problem);
}

bool haveGpus(std::string &problem) {
  if (!start(problem))
    return false;
  if (!torch::cuda::is_available())
    problem = "libtorch " TORCH_VERSION " has no CUDA";
  return problem.empty();
}

std::string describeFault(const void *address) {
  const Placement placement = gpus().placementOf(address);
  return placement.memory == Memory::Device ? "memory of cuda:" + std::to_string(placement.device) : "";
}

std::string describeLibtorch() { return "libtorch " TORCH_VERSION ", " + gpus().deviceName(0); }

} // namespace samedevice::runtime
