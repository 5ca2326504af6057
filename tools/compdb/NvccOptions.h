// nvcc's command line: how its options are spelled, and which of them mean something to clang's host pass.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace samedevice::compdb {

enum class NvccForm : std::uint8_t { Flag, Value, List };

/// What becomes of an option in clang's host pass.
enum class NvccMeaning : std::uint8_t {
  Ignore, ///< device code, linking, dependency files, nvcc's own business
  Pass,   ///< the same for clang, under the spelling in `clang`
  Host,   ///< flags of the host compiler
  Language,
  HostCompiler,
  RelocatableDeviceCode,
  DefaultStream,
};

struct NvccOption {
  const char *longName;
  const char *shortName;
  NvccForm form = NvccForm::Flag;
  NvccMeaning meaning = NvccMeaning::Ignore;
  /// Pass: clang's spelling. It ends in a space where the value is an argument of its own.
  const char *clang = "";
};

/// One argument of nvcc's: an option of its own with its values, or (without an option) what it hands on to the
/// host compiler, or an input file.
struct NvccArgument {
  const NvccOption *option = nullptr;
  std::string text; ///< as written; the flag or the file where there is no option
  std::vector<std::string> values;
};

using FileReader = llvm::function_ref<std::optional<std::string>(llvm::StringRef path)>;

/// Parses what follows the compiler's name. Option files are read in their place; one that cannot be read stays
/// an argument without an option, as it is written.
std::vector<NvccArgument> parseNvccArguments(llvm::ArrayRef<std::string> arguments, FileReader readFile);

/// nvcc's lists: split at commas, but not at those behind a backslash or inside double quotes.
std::vector<std::string> splitNvccList(llvm::StringRef list);

} // namespace samedevice::compdb
