#include "Backend.h"

namespace samedevice::runtime {

const char *errorText(Error error) {
  switch (error) {
  case Error::None:
    return "no error";
  case Error::InvalidValue:
    return "invalid argument";
  case Error::OutOfMemory:
    return "out of memory";
  case Error::InvalidDevice:
    return "invalid device ordinal";
  case Error::InvalidHandle:
    return "invalid resource handle";
  case Error::PeerAlreadyEnabled:
    return "peer access is already enabled";
  case Error::IllegalAddress:
    return "an illegal memory access was encountered";
  case Error::LaunchFailure:
    return "unspecified launch failure";
  case Error::Unknown:
    break;
  }
  return "unknown error";
}

const char *memoryName(Memory memory) {
  switch (memory) {
  case Memory::Unregistered:
    return "host";
  case Memory::Pinned:
    return "pinned";
  case Memory::Managed:
    return "managed";
  case Memory::Device:
    return "device";
  }
  return "host";
}

} // namespace samedevice::runtime
