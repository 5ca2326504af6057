// Commands as `samedevice check` has them: nvcc's translated, and worked out where no database says any.
#include "Clangd.h"
#include "Project.h"
#include "Saves.h"
#include "Translator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

#include <chrono>
#include <map>
#include <mutex>

using namespace llvm;
using clang::tooling::CompileCommand;

namespace samedevice::clangd {

namespace {

compdb::Settings settings() {
  compdb::Settings settings;
  settings.shimDirectory = compdb::shimDirectoryOf(sys::fs::getMainExecutable(nullptr, nullptr));
  settings.searchPath = sys::Process::GetEnv("PATH").value_or("");
  return settings;
}

/// clangd asks from several threads, and each time a file has changed.
class Commands {
public:
  void prepare(CompileCommand &command, StringRef file) {
    if (command.CommandLine.empty())
      return;
    std::lock_guard<std::mutex> lock(mutex_);
    if (command.Heuristic == "clangd fallback")
      workOut(command, file);
    compdb::Command ours{command.Directory, file.str(), command.Output, command.CommandLine};
    command.CommandLine = translator_.translate(ours).arguments;
  }

private:
  struct Known {
    check::Project project;
    std::chrono::steady_clock::time_point at;
  };

  void workOut(CompileCommand &command, StringRef file) {
    compdb::Command worked = check::commandFor(file, projectOf(file), machine());
    // What the user wants to have added (fallbackFlags) is behind the file's name.
    const auto name = find(command.CommandLine, file);
    if (name != command.CommandLine.end())
      worked.arguments.insert(worked.arguments.end() - 1, name + 1, command.CommandLine.end());
    command.Directory = worked.directory;
    command.CommandLine = std::move(worked.arguments);
  }

  const check::Machine &machine() {
    if (!machine_)
      machine_ = check::lookAround();
    return *machine_;
  }

  /// Headers come and go, but not between two keys.
  const check::Project &projectOf(StringRef file) {
    constexpr std::chrono::seconds kFresh{60};
    const auto now = std::chrono::steady_clock::now();
    const std::string root = check::projectRoot(file);
    auto known = projects_.find(root);
    if (known == projects_.end() || now - known->second.at > kFresh)
      known = projects_.insert_or_assign(root, Known{check::readProject(file), now}).first;
    return known->second.project;
  }

  std::mutex mutex_;
  compdb::Translator translator_{settings()};
  std::optional<check::Machine> machine_;
  std::map<std::string, Known> projects_;
};

} // namespace

} // namespace samedevice::clangd

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the linker's name
extern "C" void __wrap__ZNK5clang6clangd14CommandManglerclERNS_7tooling14CompileCommandEN4llvm9StringRefE(
    const clang::clangd::CommandMangler *mangler, CompileCommand &command, StringRef file) {
  static samedevice::clangd::Commands commands;
  commands.prepare(command, file);
  __real__ZNK5clang6clangd14CommandManglerclERNS_7tooling14CompileCommandEN4llvm9StringRefE(mangler, command, file);
  command.Output += samedevice::clangd::stateOfOthers(file);
}
