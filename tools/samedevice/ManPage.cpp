#include "Manual.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace samedevice {

/// What roff would take for its own.
static std::string roff(StringRef text) {
  std::string result;
  for (char c : text)
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  return StringRef(result).starts_with(".") || StringRef(result).starts_with("'") ? "\\&" + result : result;
}

static void printOption(const Described &option, raw_ostream &out) {
  out << ".TP\n\\fB" << roff(option.dashed()) << "\\fR";
  if (option.choices.empty()) {
    if (!option.value.empty())
      out << (option.name.size() == 1 ? " " : "=") << "\\fI" << roff(option.value) << "\\fR";
  } else {
    std::vector<std::string> values;
    for (const Choice &choice : option.choices)
      if (!choice.value.empty())
        values.push_back("\\fB" + roff(choice.value) + "\\fR");
    out << (option.needsValue ? "=" : "[=") << join(values, "|") << (option.needsValue ? "" : "]");
  }
  out << '\n' << roff(option.about) << '\n';
  for (const Choice &choice : option.choices)
    if (!choice.value.empty())
      out << ".br\n\\fB" << roff(choice.value) << "\\fR: " << roff(choice.about) << '\n';
}

void printManPage(const std::vector<DescribedCommand> &commands, raw_ostream &out) {
  out << ".TH SAMEDEVICE 1 \"\" \"samedevice " SAMEDEVICE_VERSION "\"\n"
         ".SH NAME\nsamedevice \\- finds device mistakes in C++ and CUDA code that uses PyTorch\n.SH SYNOPSIS\n";
  for (const DescribedCommand &command : commands)
    out << ".B samedevice " << command.name << "\n[\\fIoptions\\fR] " << roff(command.positional) << "\n.br\n";
  out << ".SH DESCRIPTION\n"
         "Follows tensors and modules through the code, and tells where one of them will be on another device than "
         "those that\n"
         "it meets. Works with a compile database and without one; \\fI.clang\\-tidy\\fR and \\fBNOLINT\\fR mean what "
         "they mean\n"
         "to clang\\-tidy.\n.SH COMMANDS\n";
  for (const DescribedCommand &command : commands) {
    out << ".SS \"" << command.name << ": " << roff(command.about) << "\"\n";
    for (const Described &option : command.options)
      printOption(option, out);
  }
  out << ".SS \"all commands\"\n.TP\n\\fB\\-\\-help\\fR\nWhat the command takes\n"
         ".TP\n\\fB\\-\\-version\\fR\nThe version, its LLVM, and the versions of PyTorch that it knows\n"
         ".SH EXIT STATUS\n"
         ".TP\n0\nclean\n.TP\n1\nfindings\n.TP\n2\nthe command line, or a file that it names, cannot be used\n"
         ".TP\n3\nno findings, but something could not be analysed, or only in part\n"
         ".SH EXAMPLES\n.TP\nsamedevice check .\nthe whole project\n"
         ".TP\nsamedevice check \\-\\-diff origin/main\nwhat a branch changes\n"
         ".TP\nsamedevice check \\-p build \\-\\-html report.html\nwhat a build compiles, as a page for a browser\n"
         ".SH SEE ALSO\n.BR clang\\-tidy (1)\n";
}

} // namespace samedevice
