#include "Translator.h"
#include "HostFlags.h"
#include "NvccOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
namespace path = llvm::sys::path;

namespace samedevice::compdb {

namespace {

enum class Compiler : std::uint8_t { Nvcc, Gcc, Other };

Compiler compilerKind(StringRef program) {
  StringRef name = path::filename(program);
  name.consume_back(".exe");
  if (name == "nvcc")
    return Compiler::Nvcc;
  StringRef unversioned = name.rtrim("0123456789.").rtrim('-');
  bool isGcc =
      unversioned.ends_with("g++") || unversioned.ends_with("gcc") || unversioned == "c++" || unversioned == "cc";
  return isGcc && !name.contains("clang") ? Compiler::Gcc : Compiler::Other;
}

/// Past launchers such as ccache, and past `env NAME=value`.
size_t findCompiler(const std::vector<std::string> &arguments) {
  for (size_t index = 0; index < arguments.size() && !StringRef(arguments[index]).starts_with("-"); ++index)
    if (compilerKind(arguments[index]) != Compiler::Other)
      return index;
  return 0;
}

/// Torch shows in the directories that its packages, pip's or a distribution's, put on the include path, and in
/// the macros that its BuildExtension defines.
bool mentionsTorch(ArrayRef<std::string> flags) {
  return any_of(flags, [](StringRef flag) {
    if (flag.contains("TORCH_EXTENSION_NAME") || flag.contains("TORCH_API_INCLUDE_EXTENSION_H"))
      return true;
    return any_of(make_range(path::begin(flag), path::end(flag)),
                  [](StringRef part) { return part == "torch" || part == "libtorch"; });
  });
}

// After twenty errors, a missing header is enough, clang gives up on templates: whatever calls one would be left out.
const char *const everyError = "-ferror-limit=0";

// What BuildExtension gives every nvcc command. Without them clang finds __half's conversions ambiguous beside
// those of c10::Half.
const char *const torchDefines[] = {"-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__",
                                    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__", "-D__CUDA_NO_HALF2_OPERATORS__"};

} // namespace

/// What a command of nvcc's says, sorted by what clang's command needs.
struct Translator::NvccCommand {
  std::vector<std::string> flags;
  std::vector<std::string> inputs;
  std::string language;
  std::string hostCompiler;
  bool relocatableDeviceCode = false;
  bool perThreadStream = false;

  /// A header's commands are not the build's own: Clang's tools infer them, and say `cuda`.
  bool isCuda(StringRef file) const {
    return language.empty() ? path::extension(file) == ".cu" || path::extension(file) == ".cuh"
                            : language == "cu" || language == "cuda";
  }

  void add(const NvccArgument &argument);
  void pass(StringRef clang, ArrayRef<std::string> values);
};

void Translator::NvccCommand::pass(StringRef clang, ArrayRef<std::string> values) {
  if (values.empty())
    flags.push_back(clang.str());
  for (const std::string &value : values) {
    if (clang.ends_with(" ")) {
      flags.push_back(clang.drop_back().str());
      flags.push_back(value);
    } else {
      flags.push_back((clang + value).str());
    }
  }
}

void Translator::NvccCommand::add(const NvccArgument &argument) {
  if (!argument.option) {
    if (argument.text == "--") // Clang's tools put it before a file whose command they infer
      return;
    (StringRef(argument.text).starts_with("-") ? flags : inputs).push_back(argument.text);
    return;
  }
  StringRef value = argument.values.empty() ? StringRef() : StringRef(argument.values.front());
  switch (argument.option->meaning) {
  case NvccMeaning::Ignore:
    return;
  case NvccMeaning::Pass:
    return pass(argument.option->clang, argument.values);
  case NvccMeaning::Host:
    // nvcc pastes the pieces into a shell command: quotes and blanks inside them count.
    append_range(flags, splitShellWords(join(argument.values, " ")));
    return;
  case NvccMeaning::Language:
    language = value.str();
    return;
  case NvccMeaning::HostCompiler:
    hostCompiler = value.str();
    return;
  case NvccMeaning::RelocatableDeviceCode:
    relocatableDeviceCode = value != "false";
    if (argument.values.empty()) // -dc compiles, too
      flags.push_back("-c");
    return;
  case NvccMeaning::DefaultStream:
    perThreadStream = value == "per-thread";
    return;
  }
}

Translator::NvccCommand Translator::readNvcc(const Command &command, size_t compiler) {
  auto readFile = [&](StringRef name) -> std::optional<std::string> {
    SmallString<128> absolute(name);
    sys::fs::make_absolute(command.directory, absolute);
    auto buffer = settings_.files->getBufferForFile(absolute);
    if (!buffer)
      return std::nullopt;
    return (*buffer)->getBuffer().str();
  };
  NvccCommand nvcc;
  for (const NvccArgument &argument :
       parseNvccArguments(ArrayRef(command.arguments).drop_front(compiler + 1), readFile)) {
    StringRef text = argument.text;
    if (!argument.option && (text.starts_with("@") || text.starts_with("--options-file ")))
      remark(text, "cannot be read", command);
    else
      nvcc.add(argument);
  }
  return nvcc;
}

Command Translator::translate(const Command &command) {
  size_t compiler = findCompiler(command.arguments);
  switch (compilerKind(command.arguments[compiler])) {
  case Compiler::Nvcc:
    return translateNvcc(command, compiler);
  case Compiler::Gcc:
    return translateGcc(command, compiler);
  case Compiler::Other:
    return command;
  }
  llvm_unreachable("every kind of compiler is handled");
}

Command Translator::translateNvcc(const Command &command, size_t compiler) {
  NvccCommand nvcc = readNvcc(command, compiler);
  const CudaToolkit &toolkit = toolkitOf(command.arguments[compiler], command.directory);
  std::vector<std::string> kept = keepFlags(nvcc.flags, command);
  bool torch = mentionsTorch(kept);

  Command result = command;
  std::vector<std::string> &out = result.arguments;
  out = {"clang++"};
  if (nvcc.isCuda(command.file)) {
    append_values(out, "-x", "cuda", "--cuda-host-only", "-nocudalib", "-Wno-unknown-cuda-version");
    if (!toolkit.root.empty())
      out.push_back("--cuda-path=" + toolkit.root);
    if (nvcc.relocatableDeviceCode)
      out.push_back("-fgpu-rdc");
    append_values(out, "-include", settings_.shimDirectory + "/samedevice/nvcc_host_overloads.h");
  } else {
    append_values(out, "-x", nvcc.language.empty() ? "c++" : nvcc.language);
    if (!toolkit.root.empty())
      append_values(out, "-isystem", toolkit.root + "/include");
  }
  append_values(out, "-Wno-unknown-warning-option", "-Qunused-arguments", everyError);
  if (std::string gcc = findGccInstallation(nvcc.hostCompiler, *settings_.files); !gcc.empty())
    out.push_back("--gcc-install-dir=" + gcc);
  if (nvcc.perThreadStream)
    out.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  if (torch) // before the command's own, which may take them back with -U
    append_range(out, torchDefines);
  append_range(out, kept);
  for (const std::string &include : toolkit.includeDirectories)
    append_values(out, "-isystem", include);
  // After everything else: where the real header exists, it is the one that counts.
  append_values(out, "-idirafter", settings_.shimDirectory);
  append_range(out, nvcc.inputs);
  return result;
}

Command Translator::translateGcc(const Command &command, size_t compiler) {
  Command result = command;
  ArrayRef<std::string> flags = ArrayRef(command.arguments).drop_front(compiler + 1);
  std::vector<std::string> kept = keepFlags(flags, command);
  result.arguments = {command.arguments[compiler], "-Wno-unknown-warning-option", everyError};
  append_range(result.arguments, kept);
  append_values(result.arguments, "-idirafter", settings_.shimDirectory);
  return result;
}

const CudaToolkit &Translator::toolkitOf(StringRef nvcc, StringRef directory) {
  std::string key = (nvcc + "\n" + (path::is_absolute(nvcc) ? "" : directory)).str();
  auto [it, isNew] = toolkits_.try_emplace(key);
  if (isNew)
    it->second = findCudaToolkit(nvcc, directory, settings_.searchPath, *settings_.files);
  return it->second;
}

std::vector<std::string> Translator::keepFlags(ArrayRef<std::string> flags, const Command &command) {
  return keepClangFlags(flags, [&](StringRef flag) { remark(flag, "clang has no such option", command); });
}

void Translator::remark(StringRef flag, StringRef reason, const Command &command) {
  auto [it, isNew] = remarkOfFlag_.try_emplace(flag, remarks_.size());
  if (isNew)
    remarks_.push_back({flag.str(), reason.str(), command.file, 0});
  ++remarks_[it->second].commands;
}

std::string shimDirectoryOf(StringRef executable) {
  SmallString<128> directory(path::parent_path(path::parent_path(executable)));
  path::append(directory, "share", "samedevice", "cuda-shim");
  return directory.str().str();
}

} // namespace samedevice::compdb
