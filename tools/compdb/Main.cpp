// The `samedevice` command: one subcommand per job.
#include "CompdbCommand.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"

using namespace llvm;

static cl::SubCommand compdbCommand("compdb", "Translate nvcc's compile commands for clang-tidy and clangd");
static cl::opt<std::string> databaseDirectory("p", cl::sub(compdbCommand), cl::value_desc("directory"),
                                              cl::desc("Where compile_commands.json is (default: here or above)"));
static cl::opt<std::string> outputFile("o", cl::sub(compdbCommand), cl::value_desc("file"),
                                       cl::desc("Where to write the translation (default: standard output)"));

int main(int argc, const char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "samedevice: device mismatches in code that uses PyTorch\n");
  if (compdbCommand) {
    std::string executable = sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&main));
    return samedevice::compdb::runCompdb(databaseDirectory, outputFile, executable);
  }
  cl::PrintHelpMessage();
  return 1;
}
