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

/// Loaded once, before any child: that takes longer than most witnesses.
void *library() {
  static void *const handle = [] {
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("GLOG_minloglevel", "2", 1);
    return dlopen(libraryPath().c_str(), RTLD_NOW);
  }();
  return handle;
}

/// The machine starts in the child, when it is first used.
void wantDevices(int devices) { setenv("SAMEDEVICE_DEVICES", std::to_string(devices).c_str(), 1); }

} // namespace

Stage torchStage(int devices) {
  if (access(libraryPath().c_str(), F_OK) != 0)
    return {"torch", "", 0, "this build found no libtorch", false};
  if (!library())
    return {"torch", "", 0, "libtorch cannot be loaded: " + std::string(dlerror()), false};
  const auto ask = [devices] {
    wantDevices(devices);
    using Describe = const char *(int *);
    int there = 0;
    if (auto *describe = reinterpret_cast<Describe *>(dlsym(library(), "samedeviceTorchDescription"))) {
      const std::string text = describe(&there);
      reportFromChild(std::to_string(there) + " " + text);
    }
    _exit(0);
  };
  const std::string answer = runInChild(ask, 60, false).text;
  using IsReal = bool();
  auto *isReal = reinterpret_cast<IsReal *>(dlsym(library(), "samedeviceTorchIsReal"));
  return stageOf("torch", answer, isReal && isReal());
}

namespace {

using Place = const char *(const void *);
Place *placeInTorch = nullptr;
std::string describeInTorch(const void *address) { return placeInTorch ? placeInTorch(address) : ""; }

} // namespace

void playOnTorch(int devices, ReportFault report, const std::function<void(Interpreter &)> &play) {
  wantDevices(devices);
  placeInTorch = reinterpret_cast<Place *>(dlsym(library(), "samedeviceTorchPlace"));
  using Make = Interpreter *();
  if (auto *make = reinterpret_cast<Make *>(dlsym(library(), "samedeviceTorchInterpreter"))) {
    Interpreter *interpreter = make();
    installFaultReport(describeInTorch, report);
    play(*interpreter);
  }
  _exit(0);
}

} // namespace samedevice::runtime
