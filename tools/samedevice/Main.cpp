// The `samedevice` command: one subcommand per job.
#include "CompdbCommand.h"
#include "Options.h"
#include "Version.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;
using namespace samedevice;

/// What stands behind --. CMake hands over the whole command, as clang-tidy takes it: the compiler as well.
static void addFlags(check::Request &request, const char **dashes, const char **end) {
  request.hasFlags = dashes != end;
  const char **flags = std::min(dashes + 1, end);
  if (flags != end && !StringRef(*flags).starts_with("-"))
    ++flags;
  request.flags.insert(request.flags.end(), flags, end);
}

int main(int argc, const char **argv) {
  InitLLVM init(argc, argv);
  cl::SetVersionPrinter([](raw_ostream &out) { out << check::versionText(); });
  // What is behind -- is for the compiler.
  const char **end = argv + argc;
  const char **dashes = std::find(argv, end, StringRef("--"));
  if (!cl::ParseCommandLineOptions(static_cast<int>(dashes - argv), argv,
                                   "samedevice: device mismatches in code that uses PyTorch\n", &errs()))
    return check::Usage;
  const std::string executable = sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&main));
  if (compdbCommand) {
    const CompdbOptions options = compdbOptions();
    return compdb::runCompdb(options.directory, options.output, executable);
  }
  if (mergeCommand || confirmCommand) {
    check::MergeOptions options = mergeOptions();
    options.executable = executable;
    return check::runMerge(options);
  }
  if (linkCommand)
    return check::runLink(linkOptions());
  if (factsCommand) {
    check::FactsOptions options = factsOptions();
    options.request.executable = executable;
    addFlags(options.request, dashes, end);
    return check::runFacts(options);
  }
  if (checkCommand || baselineCommand) {
    check::CheckOptions options = checkOptions();
    options.request.executable = executable;
    addFlags(options.request, dashes, end);
    return check::runCheck(std::move(options));
  }
  cl::PrintHelpMessage();
  return check::Usage;
}
