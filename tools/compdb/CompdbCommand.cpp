#include "CompdbCommand.h"
#include "Translator.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
namespace path = llvm::sys::path;
namespace fs = llvm::sys::fs;

namespace samedevice::compdb {

static int fail(const Twine &message) {
  WithColor::error(errs(), "samedevice compdb") << message << '\n';
  return 1;
}

static Error writeDatabase(const std::vector<Command> &commands, StringRef file) {
  if (file.empty() || file == "-") {
    printDatabase(commands, outs());
    return Error::success();
  }
  StringRef parent = path::parent_path(file);
  if (std::error_code error = parent.empty() ? std::error_code() : fs::create_directories(parent))
    return errorCodeToError(error);
  // Written beside and renamed, so that a clangd at work never reads half of it.
  return writeToOutput(file, [&](raw_ostream &out) {
    printDatabase(commands, out);
    return Error::success();
  });
}

static void printRemarks(const std::vector<Remark> &remarks) {
  for (const Remark &remark : remarks) {
    const char *others = remark.commands == 1 ? " command, " : " commands, first ";
    WithColor::remark(errs(), "samedevice compdb") << "left out " << remark.flag << ": " << remark.reason << " ("
                                                   << remark.commands << others << remark.firstFile << ")\n";
  }
}

int runCompdb(StringRef directory, StringRef outputFile, StringRef executable) {
  SmallString<128> input(directory);
  if (directory.empty())
    input = fs::current_path(input) ? std::string() : findDatabase(input);
  else
    path::append(input, "compile_commands.json");
  if (input.empty())
    return fail("found no compile_commands.json here or above; name its directory with -p");
  if (fs::equivalent(input, outputFile))
    return fail(input + " would be overwritten; write to another directory");

  auto buffer = MemoryBuffer::getFile(input);
  if (!buffer)
    return fail(input + ": " + buffer.getError().message());
  Expected<std::vector<Command>> commands = parseDatabase((*buffer)->getBuffer());
  if (!commands)
    return fail(input + ": " + toString(commands.takeError()));

  Settings settings;
  settings.shimDirectory = shimDirectoryOf(executable);
  settings.searchPath = sys::Process::GetEnv("PATH").value_or("");
  Translator translator(std::move(settings));
  for (Command &command : *commands)
    command = translator.translate(command);

  if (Error error = writeDatabase(*commands, outputFile))
    return fail(outputFile + ": " + toString(std::move(error)));
  printRemarks(translator.remarks());
  return 0;
}

} // namespace samedevice::compdb
