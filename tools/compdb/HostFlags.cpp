#include "HostFlags.h"

#include "clang/Driver/Options.h"
#include "llvm/Option/Arg.h"
#include "llvm/Option/ArgList.h"

using namespace llvm;
using namespace clang::driver;

namespace samedevice::compdb {

static bool isOfNoUse(const opt::Arg &argument) {
  const opt::Option &option = argument.getOption();
  if (option.matches(options::OPT_W_Joined))
    return StringRef(argument.getValue()).starts_with("error");
  for (unsigned id : {options::OPT_M_Group, options::OPT_pedantic_errors, options::OPT_Wa_COMMA, options::OPT_Wl_COMMA,
                      options::OPT_Xassembler, options::OPT_Xlinker})
    if (option.matches(id))
      return true;
  return false;
}

static bool isRejected(const opt::Option &option) {
  return option.matches(options::OPT_UNKNOWN) || option.hasFlag(options::Unsupported);
}

std::vector<std::string> keepClangFlags(ArrayRef<std::string> flags, function_ref<void(StringRef)> onRejected) {
  std::vector<const char *> pointers;
  for (const std::string &flag : flags)
    pointers.push_back(flag.c_str());
  unsigned missingIndex = 0, missingCount = 0;
  opt::InputArgList parsed =
      getDriverOptTable().ParseArgs(pointers, missingIndex, missingCount, opt::Visibility(options::ClangOption));
  size_t parsedEnd = missingCount ? missingIndex : flags.size();
  std::vector<opt::Arg *> ordered(parsed.begin(), parsed.end());
  std::vector<std::string> kept;
  for (size_t position = 0; position < ordered.size(); ++position) {
    // As they were written: rendering would split -DX into two.
    size_t begin = ordered[position]->getIndex();
    size_t end = position + 1 < ordered.size() ? ordered[position + 1]->getIndex() : parsedEnd;
    if (isRejected(ordered[position]->getOption()))
      onRejected(flags[begin]);
    else if (!isOfNoUse(*ordered[position]))
      kept.insert(kept.end(), flags.begin() + begin, flags.begin() + end);
  }
  if (missingCount)
    onRejected(flags[missingIndex]);
  return kept;
}

} // namespace samedevice::compdb
