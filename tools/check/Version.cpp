#include "Version.h"

#include "clang/Basic/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace samedevice::check {

std::string versionText() {
  return "samedevice " SAMEDEVICE_VERSION ", with " + clang::getClangFullVersion() +
         " (LLVM " LLVM_VERSION_STRING ")\nThe operators of PyTorch " TORCH_VERSIONS " are known.\n";
}

std::string buildIdentity() {
  static const std::string identity = [] {
    const std::string program = sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&versionText));
    sys::fs::file_status status;
    if (sys::fs::status(program, status))
      return versionText();
    return versionText() + std::to_string(status.getSize()) + " " +
           std::to_string(status.getLastModificationTime().time_since_epoch().count());
  }();
  return identity;
}

} // namespace samedevice::check
