// samedevice-clangd: clangd, its options and all, with our checks in it.
#include "Analysis.h"
#include "Clangd.h"
#include "Saves.h"

#include "tidy/DeviceCheck.h"
#include "tidy/OtherUnits.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

int main(int argc, char **argv) {
  // What is found in code that is being typed is not to be kept.
  unsetenv("SAMEDEVICE_FINDINGS");
  samedevice::tidy::OtherUnits::ofThisProcess().remembersFiles = true;
  samedevice::tidy::DeviceCheck::isInClangd = true;
  samedevice::clangd::watchSaves();
  // clangd looks for Clang's own headers beside itself, where nobody has installed any.
  std::vector<char *> arguments(argv, argv + argc);
  std::string resources = "--resource-dir=" + samedevice::check::clangResources();
  if (llvm::none_of(arguments, [](llvm::StringRef argument) { return argument.contains("-resource-dir"); }))
    arguments.insert(arguments.begin() + 1, resources.data());
  arguments.push_back(nullptr);
  return clang::clangd::clangdMain(static_cast<int>(arguments.size()) - 1, arguments.data());
}
