#include "Machine.h"

#include "gpu/simulated/FaultReport.h"

#include <cstdlib>

namespace samedevice::runtime {

namespace {

int devicesWanted() {
  const char *text = std::getenv("SAMEDEVICE_DEVICES");
  const int devices = text ? std::atoi(text) : 2;
  return devices >= 0 && devices <= SimBackend::kMaxDevices ? devices : 2;
}

std::string describe(const void *address) { return machine().describeFault(address); }

SimBackend *start() {
  installFaultReport(describe);
  installTerminateReport();
  // Never destroyed: tensors in globals outlive everything that could be.
  return new SimBackend(devicesWanted());
}

} // namespace

SimBackend &machine() {
  static SimBackend *gpus = start();
  return *gpus;
}

Error &lastTakenError() {
  static thread_local Error error = Error::None;
  return error;
}

} // namespace samedevice::runtime
