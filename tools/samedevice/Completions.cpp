#include "Manual.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace samedevice {

/// In single quotes.
static std::string quoted(StringRef text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

static std::string valuesOf(const Described &option) {
  std::vector<std::string> values;
  for (const Choice &choice : option.choices)
    if (!choice.value.empty())
      values.push_back(choice.value);
  return join(values, " ");
}

void printBashCompletion(const std::vector<DescribedCommand> &commands, raw_ostream &out) {
  out << "# bash completion for samedevice\n_samedevice() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options=\n  COMPREPLY=()\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W '";
  for (const DescribedCommand &command : commands)
    out << command.name << ' ';
  out << "--help --version' -- \"$word\"))\n    return\n  fi\n"
         "  # An = begins a word of its own.\n"
         "  if [ \"$word\" = = ]; then\n    word=\n  elif [ \"$before\" = = ]; then\n    "
         "before=${COMP_WORDS[COMP_CWORD-2]}\n"
         "  fi\n  case ${COMP_WORDS[1]} in\n";
  std::string choices, folders;
  for (const DescribedCommand &command : commands) {
    out << "  " << command.name << ") options='";
    for (const Described &option : command.options) {
      out << option.dashed() << ' ';
      if (option.takesFolder())
        folders += (folders.empty() ? "" : " | ") + option.dashed();
      if (!option.choices.empty())
        choices +=
            "  " + option.dashed() + ") COMPREPLY=($(compgen -W '" + valuesOf(option) + "' -- \"$word\")); return ;;\n";
    }
    out << "' ;;\n";
  }
  out << "  esac\n  case $before in\n"
      << choices << "  " << folders
      << ") COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n  esac\n"
         "  case $word in\n  -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
         "  *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\ncomplete -o filenames -F _samedevice samedevice\n";
}

/// What _arguments takes: "--name=[about]:value:action".
static std::string zshSpecification(const Described &option) {
  std::string about;
  for (char c : option.about)
    about += StringRef("[]:\\").contains(c) ? std::string("\\") + c : std::string(1, c);
  const std::string name = option.dashed();
  if (option.value.empty())
    return quoted(name + "[" + about + "]");
  const std::string action = !option.choices.empty() ? "(" + valuesOf(option) + ")"
                             : option.takesFolder()  ? "_files -/"
                                                     : "_files";
  return quoted(name +
                (option.name.size() == 1 ? "+"
                 : option.needsValue     ? "="
                                         : "=-") +
                "[" + about + "]" + (option.needsValue ? ":" : "::") + option.value + ":" + action);
}

void printZshCompletion(const std::vector<DescribedCommand> &commands, raw_ostream &out) {
  out << "#compdef samedevice\n_samedevice() {\n  if (( CURRENT == 2 )); then\n    local -a commands=(\n";
  for (const DescribedCommand &command : commands)
    out << "      " << quoted(command.name + ":" + command.about) << '\n';
  out << "    )\n    _describe command commands\n    return\n  fi\n  shift words\n  (( CURRENT-- ))\n  case $words[1] "
         "in\n";
  for (const DescribedCommand &command : commands) {
    out << "  " << command.name << ")\n    _arguments -S";
    for (const Described &option : command.options)
      out << " \\\n      " << zshSpecification(option);
    out << " \\\n      '*:path:_files'\n    ;;\n";
  }
  out << "  esac\n}\n_samedevice \"$@\"\n";
}

void printFishCompletion(const std::vector<DescribedCommand> &commands, raw_ostream &out) {
  out << "# fish completion for samedevice\n";
  for (const DescribedCommand &command : commands)
    out << "complete -c samedevice -f -n __fish_use_subcommand -a " << command.name << " -d " << quoted(command.about)
        << '\n';
  for (const DescribedCommand &command : commands)
    for (const Described &option : command.options) {
      out << "complete -c samedevice -n '__fish_seen_subcommand_from " << command.name << "' "
          << (option.name.size() == 1 ? "-s " : "-l ") << option.name << " -d " << quoted(option.about);
      if (!option.choices.empty())
        out << " -x -a " << quoted(valuesOf(option));
      else if (option.takesFolder())
        out << " -x -a '(__fish_complete_directories)'";
      else if (!option.value.empty())
        out << " -r";
      out << '\n';
    }
}

} // namespace samedevice
