#include "TorchStage.h"

#include "ChildProcess.h"

#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>

#include <cstdlib>

namespace samedevice::runtime {

namespace {

/// Beside the program: bin/samedevice-replay, lib/libsamedevice-torch-stage.so.
std::string libraryPath() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  const std::string program(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  const std::size_t folder = program.rfind('/', program.rfind('/') - 1);
  return program.substr(0, folder) + "/lib/libsamedevice-torch-stage.so";
}

void *load(int devices) {
  setenv("SAMEDEVICE_DEVICES", std::to_string(devices).c_str(), 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  return dlopen(libraryPath().c_str(), RTLD_NOW);
}

} // namespace

Stage torchStage(int devices) {
  const auto ask = [devices] {
    if (void *library = load(devices)) {
      using Describe = const char *();
      if (auto *describe = reinterpret_cast<Describe *>(dlsym(library, "samedeviceTorchDescription")))
        reportFromChild(describe());
    }
    _exit(0);
  };
  const std::string answer = runInChild(ask, 60, false).text;
  if (answer.empty())
    return {"torch", "", 0, "there is no libtorch beside this build"};
  return {"torch", answer, devices, ""};
}

namespace {

using Place = const char *(const void *);
Place *placeInTorch = nullptr;
std::string describeInTorch(const void *address) { return placeInTorch ? placeInTorch(address) : ""; }

} // namespace

void playOnTorch(int devices, ReportFault report, const std::function<void(Interpreter &)> &play) {
  void *library = load(devices);
  placeInTorch = library ? reinterpret_cast<Place *>(dlsym(library, "samedeviceTorchPlace")) : nullptr;
  installFaultReport(describeInTorch, report);
  using Make = Interpreter *();
  auto *make = library ? reinterpret_cast<Make *>(dlsym(library, "samedeviceTorchInterpreter")) : nullptr;
  if (make)
    play(*make());
  _exit(0);
}

} // namespace samedevice::runtime
