// The plugin, for any clang-tidy: it loads the checks that were built for the LLVM that it finds itself in, or says in
// a line that there are none. Nothing of LLVM is needed for that: loaded into the wrong version, its symbols would not
// be found.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <unistd.h>

namespace {

/// "19"; empty where this is no Clang at all.
std::string clangVersion() {
  // clang::getClangFullVersion(): "Debian clang version 19.1.7 (3~deb12u1)".
  auto *symbol = dlsym(RTLD_DEFAULT, "_ZN5clang19getClangFullVersionB5cxx11Ev");
  if (!symbol)
    return {};
  const std::string text = reinterpret_cast<std::string (*)()>(symbol)(), word = "version ";
  const size_t at = text.find(word);
  return at == std::string::npos ? std::string() : std::to_string(std::atoi(text.c_str() + at + word.size()));
}

std::string ownFolder() {
  static const char here = 0;
  Dl_info own;
  if (!dladdr(&here, &own))
    return ".";
  const std::string path = own.dli_fname;
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

struct Loader {
  Loader() {
    const std::string version = clangVersion(), checks = ownFolder() + "/samedevice-checks-" + version + ".so";
    if (access(checks.c_str(), R_OK))
      std::fprintf(stderr,
                   "samedevice: this is clang-tidy %s, and the checks were built for clang-tidy " SAMEDEVICE_LLVM "\n",
                   version.c_str());
    else if (!dlopen(checks.c_str(), RTLD_NOW | RTLD_GLOBAL))
      std::fprintf(stderr, "samedevice: %s\n", dlerror());
  }
};

const Loader loader;

} // namespace
