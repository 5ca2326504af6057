// samedevice-manual FOLDER: writes the man page and the completions, when `samedevice` is built.
#include "Manual.h"
#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace samedevice {

static Described described(const cl::Option &option) {
  Described described{option.ArgStr.str(), option.HelpStr.str(), "", true, choicesOf(option.ArgStr)};
  if (option.getValueExpectedFlag() != cl::ValueDisallowed && (!option.ValueStr.empty() || !described.choices.empty()))
    described.value = option.ValueStr.empty() ? "choice" : option.ValueStr.str();
  described.needsValue = option.getValueExpectedFlag() == cl::ValueRequired || !option.ValueStr.empty();
  return described;
}

std::vector<DescribedCommand> describedCommands() {
  std::vector<DescribedCommand> commands;
  for (cl::SubCommand *command :
       {&checkCommand, &baselineCommand, &mergeCommand, &confirmCommand, &factsCommand, &linkCommand, &compdbCommand}) {
    DescribedCommand known{command->getName().str(), command->getDescription().str(), "", {}};
    for (const auto &entry : command->OptionsMap)
      // The library's own, as --help-hidden, are said once for all.
      if (const cl::Option &option = *entry.second;
          !option.Subs.contains(&cl::SubCommand::getAll()) && option.getOptionHiddenFlag() == cl::NotHidden)
        known.options.push_back(described(option));
    sort(known.options, [](const Described &one, const Described &other) { return one.name < other.name; });
    for (const cl::Option *positional : command->PositionalOpts)
      known.positional = positional->HelpStr.str();
    commands.push_back(std::move(known));
  }
  return commands;
}

} // namespace samedevice

int main(int, const char **argv) {
  const std::pair<const char *, void (*)(const std::vector<samedevice::DescribedCommand> &, raw_ostream &)> files[] = {
      {"samedevice.1", samedevice::printManPage},
      {"samedevice.bash", samedevice::printBashCompletion},
      {"_samedevice", samedevice::printZshCompletion},
      {"samedevice.fish", samedevice::printFishCompletion}};
  const std::vector<samedevice::DescribedCommand> commands = samedevice::describedCommands();
  for (const auto &[name, print] : files) {
    Error error = writeToOutput(std::string(argv[1]) + "/" + name, [&, print = print](raw_ostream &out) {
      print(commands, out);
      return Error::success();
    });
    if (error) {
      WithColor::error(errs(), "samedevice-manual") << toString(std::move(error)) << '\n';
      return 1;
    }
  }
  return 0;
}
