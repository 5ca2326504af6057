#include "NvccOptions.h"
#include "Command.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace samedevice::compdb {

namespace {

constexpr auto Flag = NvccForm::Flag;
constexpr auto Value = NvccForm::Value;
constexpr auto List = NvccForm::List;
constexpr auto Pass = NvccMeaning::Pass;

// `nvcc --help` of CUDA 11 to 13, and the few that it does not mention (--cudafe-options, --fatbin-options).
const NvccOption optionTable[] = {
    // Understood.
    {"--define-macro", "-D", List, Pass, "-D"},
    {"--undefine-macro", "-U", List, Pass, "-U"},
    {"--include-path", "-I", List, Pass, "-I"},
    {"--system-include", "-isystem", List, Pass, "-isystem "},
    {"--pre-include", "-include", List, Pass, "-include "},
    {"--std", "-std", Value, Pass, "-std="},
    {"--optimize", "-O", Value, Pass, "-O"},
    {"--debug", "-g", Flag, Pass, "-g"},
    {"--compile", "-c", Flag, Pass, "-c"},
    {"--output-file", "-o", Value, Pass, "-o "},
    {"--machine", "-m", Value, Pass, "-m"},
    {"--m64", "-m64", Flag, Pass, "-m64"},
    {"--disable-warnings", "-w", Flag, Pass, "-w"},
    {"--no-exceptions", "-noeh", Flag, Pass, "-fno-exceptions"},
    {"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", Value, Pass, "-ftemplate-backtrace-limit="},
    {"--ftemplate-depth", "-ftemplate-depth", Value, Pass, "-ftemplate-depth="},
    {"--Wreorder", "-Wreorder", Flag, Pass, "-Wreorder"},
    {"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", Flag, Pass, "-Wno-deprecated-declarations"},
    {"--compiler-options", "-Xcompiler", List, NvccMeaning::Host},
    {"--x", "-x", Value, NvccMeaning::Language},
    {"--compiler-bindir", "-ccbin", Value, NvccMeaning::HostCompiler},
    {"--relocatable-device-code", "-rdc", Value, NvccMeaning::RelocatableDeviceCode},
    {"--device-c", "-dc", Flag, NvccMeaning::RelocatableDeviceCode},
    {"--default-stream", "-default-stream", Value, NvccMeaning::DefaultStream},
    // Phases.
    {"--cuda", "-cuda"},
    {"--cubin", "-cubin"},
    {"--fatbin", "-fatbin"},
    {"--ptx", "-ptx"},
    {"--optix-ir", "-optix-ir"},
    {"--ltoir", "-ltoir"},
    {"--preprocess", "-E"},
    {"--device-w", "-dw"},
    {"--device-link", "-dlink"},
    {"--link", "-link"},
    {"--lib", "-lib"},
    {"--run", "-run"},
    {"--run-args", "-run-args", List},
    {"--fdevice-syntax-only", "-fdevice-syntax-only"},
    {"--fdevice-time-trace", "-fdevice-time-trace", Value},
    // Dependency files.
    {"--generate-dependencies", "-M"},
    {"--generate-nonsystem-dependencies", "-MM"},
    {"--generate-dependencies-with-compile", "-MD"},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD"},
    {"--dependency-output", "-MF", Value},
    {"--generate-dependency-targets", "-MP"},
    {"--dependency-target-name", "-MT", Value},
    // Linking.
    {"--library", "-l", List},
    {"--library-path", "-L", List},
    {"--linker-options", "-Xlinker", List},
    {"--archive-options", "-Xarchive", List},
    {"--archiver-binary", "-arbin", Value},
    {"--nvlink-options", "-Xnvlink", List},
    {"--cudart", "-cudart", Value},
    {"--cudadevrt", "-cudadevrt", Value},
    {"--shared", "-shared"},
    {"--dlink-time-opt", "-dlto"},
    {"--lto", "-lto"},
    {"--gen-opt-lto", "-gen-opt-lto"},
    {"--no-device-link", "-nodlink"},
    {"--host-linker-script", "-hls", Value},
    {"--augment-host-linker-script", "-aug-hls"},
    {"--relocatable-link", "-r"},
    {"--relocatable-ptx", "-reloc-ptx"},
    {"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker"},
    // Device code.
    {"--gpu-architecture", "-arch", Value},
    {"--gpu-code", "-code", List},
    {"--generate-code", "-gencode", List},
    {"--entries", "-e", List},
    {"--maxrregcount", "-maxrregcount", Value},
    {"--use_fast_math", "-use_fast_math"},
    {"--ftz", "-ftz", Value},
    {"--prec-div", "-prec-div", Value},
    {"--prec-sqrt", "-prec-sqrt", Value},
    {"--fmad", "-fmad", Value},
    {"--extra-device-vectorization", "-extra-device-vectorization"},
    {"--ptxas-options", "-Xptxas", List},
    {"--cudafe-options", "-Xcudafe", List},
    {"--fatbin-options", "-Xfatbin", List},
    {"--nvvm-options", "-Xcicc", List},
    {"--device-debug", "-G"},
    {"--generate-line-info", "-lineinfo"},
    {"--optimization-info", "-opt-info", List},
    {"--Ofast-compile", "-Ofc", Value},
    {"--dopt", "-dopt", Value},
    {"--resource-usage", "-res-usage"},
    {"--extensible-whole-program", "-ewp"},
    {"--no-compress", "-no-compress"},
    {"--compress-mode", "-compress-mode", Value},
    {"--keep-device-functions", "-keep-device-functions"},
    {"--source-in-ptx", "-src-in-ptx"},
    {"--restrict", "-restrict"},
    {"--jump-table-density", "-jtd", Value},
    {"--device-stack-protector", "-device-stack-protector", Value},
    {"--static-global-template-stub", "-static-global-template-stub", Value},
    {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", Value},
    {"--sanitize", "-sanitize", Value},
    {"--split-compile", "-split-compile", Value},
    {"--split-compile-extended", "-split-compile-extended", Value},
    {"--libdevice-directory", "-ldir", Value},
    {"--target-directory", "-target-dir", Value},
    // Language extensions that clang always allows.
    {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr"},
    {"--expt-extended-lambda", "-expt-extended-lambda"},
    {"--extended-lambda", "-extended-lambda"},
    {"--no-host-device-initializer-list", "-nohdinitlist"},
    {"--no-host-device-move-forward", "-nohdmoveforward"},
    // nvcc's own warnings, and what turns warnings into errors: clang's warnings are not the build's.
    {"--Werror", "-Werror", List},
    {"--Wdefault-stream-launch", "-Wdefault-stream-launch"},
    {"--Wmissing-launch-bounds", "-Wmissing-launch-bounds"},
    {"--Wext-lambda-captures-this", "-Wext-lambda-captures-this"},
    {"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets"},
    {"--display-error-number", "-err-no"},
    {"--no-display-error-number", "-no-err-no"},
    {"--diag-error", "-diag-error", List},
    {"--diag-suppress", "-diag-suppress", List},
    {"--diag-warn", "-diag-warn", List},
    {"--brief-diagnostics", "-brief-diag", Value},
    // How nvcc runs.
    {"--allow-unsupported-compiler", "-allow-unsupported-compiler"},
    {"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler"},
    {"--forward-unknown-opts", "-forward-unknown-opts"},
    {"--output-directory", "-odir", Value},
    {"--objdir-as-tempdir", "-objtemp"},
    {"--use-local-env", "-use-local-env"},
    {"--force-cl-env-setup", "-force-cl-env-setup"},
    {"--input-drive-prefix", "-idp", Value},
    {"--dependency-drive-prefix", "-ddp", Value},
    {"--drive-prefix", "-dp", Value},
    {"--profile", "-pg"},
    {"--dont-use-profile", "-noprof"},
    {"--dryrun", "-dryrun"},
    {"--verbose", "-v"},
    {"--threads", "-t", Value},
    {"--jobserver", "-jobserver"},
    {"--keep", "-keep"},
    {"--keep-dir", "-keep-dir", Value},
    {"--save-temps", "-save-temps"},
    {"--clean-targets", "-clean"},
    {"--time", "-time", Value},
    {"--frandom-seed", "-frandom-seed", Value},
    {"--qpp-config", "-qpp-config", Value},
    {"--compile-as-tools-patch", "-astoolspatch"},
    {"--no-align-double", "--no-align-double"},
};

const NvccOption *findOption(StringRef name) {
  static const StringMap<const NvccOption *> byName = [] {
    StringMap<const NvccOption *> map;
    for (const NvccOption &option : optionTable) {
      map[option.longName] = &option;
      map[option.shortName] = &option;
    }
    return map;
  }();
  return byName.lookup(name);
}

/// The options whose value may follow without a space: -Idir, -O3.
bool joinsItsValue(StringRef shortName) {
  return StringSwitch<bool>(shortName)
      .Cases("-D", "-U", "-I", "-L", "-l", true)
      .Cases("-O", "-m", "-t", true)
      .Default(false);
}

class Parser {
public:
  explicit Parser(FileReader readFile) : readFile_(readFile) {}

  void parse(ArrayRef<std::string> arguments, int depth) {
    for (size_t index = 0; index < arguments.size(); ++index) {
      StringRef argument = arguments[index];
      auto [name, inlineValue] = argument.split('=');
      bool hasInlineValue = name.size() != argument.size();
      auto value = [&, inlineValue = inlineValue] {
        bool takesNext = !hasInlineValue && index + 1 < arguments.size();
        return takesNext ? StringRef(arguments[++index]) : inlineValue;
      };
      const NvccOption *whole = findOption(argument), *named = findOption(name);
      if (name == "--options-file" || name == "-optf") {
        for (const std::string &file : splitNvccList(value()))
          parseFile(file, "--options-file " + file, depth);
      } else if (argument.starts_with("@")) {
        parseFile(argument.drop_front(), argument.str(), depth);
      } else if (whole && (whole->form == NvccForm::Flag || lacksItsList(argument, arguments, index))) {
        result.push_back({whole, argument.str(), {}});
      } else if (named && named->form != NvccForm::Flag) {
        addValue(*named, name, value());
      } else if (joinsItsValue(argument.take_front(2))) {
        addValue(*findOption(argument.take_front(2)), argument.take_front(2), argument.drop_front(2));
      } else {
        result.push_back({nullptr, argument.str(), {}});
      }
    }
  }

  std::vector<NvccArgument> result;

private:
  /// nvcc's -Werror wants a list, but people write it as gcc's.
  static bool lacksItsList(StringRef argument, ArrayRef<std::string> arguments, size_t index) {
    bool isLast = index + 1 == arguments.size();
    return argument.ends_with("-Werror") && (isLast || StringRef(arguments[index + 1]).starts_with("-"));
  }

  void addValue(const NvccOption &option, StringRef name, StringRef value) {
    std::vector<std::string> values;
    if (option.form == NvccForm::List)
      values = splitNvccList(value);
    else
      values.push_back(value.str());
    result.push_back({&option, name.str(), std::move(values)});
  }

  void parseFile(StringRef path, std::string asWritten, int depth) {
    constexpr int deepest = 16; // a file that includes itself must end
    std::optional<std::string> text = depth < deepest ? readFile_(path) : std::nullopt;
    if (text)
      parse(splitShellWords(*text), depth + 1);
    else
      result.push_back({nullptr, std::move(asWritten), {}});
  }

  FileReader readFile_;
};

} // namespace

std::vector<NvccArgument> parseNvccArguments(ArrayRef<std::string> arguments, FileReader readFile) {
  Parser parser(readFile);
  parser.parse(arguments, 0);
  return std::move(parser.result);
}

std::vector<std::string> splitNvccList(StringRef list) {
  std::vector<std::string> pieces(1);
  bool quoted = false;
  for (size_t index = 0; index < list.size(); ++index) {
    char c = list[index];
    if (c == '\\' && index + 1 < list.size() && list[index + 1] == ',') {
      pieces.back() += ',';
      ++index;
    } else if (c == ',' && !quoted) {
      pieces.emplace_back();
    } else {
      quoted ^= c == '"';
      pieces.back() += c;
    }
  }
  erase_if(pieces, [](const std::string &piece) { return piece.empty(); });
  return pieces;
}

} // namespace samedevice::compdb
