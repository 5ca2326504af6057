#include "SetupPy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <optional>

using namespace llvm;

namespace samedevice::check {

namespace {

struct Token {
  char kind; ///< 's': a string, 'n': a name; else the character itself
  StringRef text;
};

/// Enough of Python's words to find lists of strings: no prefixes, no escapes.
std::vector<Token> tokenize(StringRef text) {
  std::vector<Token> tokens;
  while (!(text = text.ltrim(" \t\r\n\\")).empty()) {
    const char first = text.front();
    if (first == '#') {
      text = text.drop_until([](char c) { return c == '\n'; });
    } else if (first == '"' || first == '\'') {
      const std::string triple(3, first);
      const StringRef quote = text.starts_with(triple) ? StringRef(triple) : text.take_front(1);
      const size_t end = text.find(quote, quote.size());
      if (end == StringRef::npos)
        return tokens;
      tokens.push_back({'s', text.slice(quote.size(), end)});
      text = text.drop_front(end + quote.size());
    } else if (isAlnum(first) || first == '_') {
      tokens.push_back({'n', text.take_while([](char c) { return isAlnum(c) || c == '_'; })});
      text = text.drop_front(tokens.back().text.size());
    } else {
      tokens.push_back({first, text.take_front(1)});
      text = text.drop_front();
    }
  }
  return tokens;
}

/// Behind `name = [`, `name += [` or `name=[`: up to the bracket that closes.
ArrayRef<Token> listBehind(ArrayRef<Token> tokens) {
  tokens = tokens.drop_while([](const Token &token) { return token.kind == '+' || token.kind == '='; });
  int depth = 0;
  for (size_t end = 0; end < tokens.size(); ++end) {
    depth += StringRef("[({").contains(tokens[end].kind);
    depth -= StringRef("])}").contains(tokens[end].kind);
    if (depth <= 0)
      return tokens.take_front(end);
  }
  return tokens;
}

/// ("NAME", "VALUE") and ("NAME", None).
void readMacros(ArrayRef<Token> list, std::vector<std::string> &flags) {
  for (size_t i = 0; i + 3 < list.size(); ++i) {
    if (list[i].kind != '(' || list[i + 1].kind != 's' || list[i + 2].kind != ',')
      continue;
    const Token &value = list[i + 3];
    if (value.kind == 's' || (value.kind == 'n' && value.text != "None" && isDigit(value.text.front())))
      flags.push_back(("-D" + list[i + 1].text + "=" + value.text).str());
    else if (value.text == "None")
      flags.push_back(("-D" + list[i + 1].text).str());
  }
}

/// A setup.py names these for machines that have AMD's compiler in CUDA's place.
bool isForRocm(StringRef flag) { return flag.contains("ROCM") || flag.contains("HIP"); }

} // namespace

SetupPy readSetupPy(StringRef text) {
  SetupPy setup;
  const std::vector<Token> tokens = tokenize(text);
  for (size_t i = 0; i < tokens.size(); ++i) {
    const StringRef word = tokens[i].text;
    const ArrayRef<Token> rest = ArrayRef(tokens).drop_front(i + 1);
    if (tokens[i].kind == 's' && (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-std=")))
      setup.flags.push_back(word.str());
    if (tokens[i].kind != 'n' || rest.size() < 2)
      continue;
    if ((word == "include_dirs" || word == "include_directories") && (rest[0].kind == '=' || rest[1].kind == '=')) {
      for (const Token &token : listBehind(rest))
        if (token.kind == 's')
          setup.includeDirectories.push_back(token.text.str());
    } else if (word == "define_macros" && (rest[0].kind == '=' || rest[1].kind == '=')) {
      readMacros(listBehind(rest), setup.flags);
    } else if (word.ends_with("Extension") && rest[0].kind == '(') {
      // Its name is the first argument, or the one called so.
      for (const Token &token : listBehind(rest)) {
        if (token.kind != 's')
          continue;
        setup.extensions.push_back(token.text.str());
        break;
      }
    }
  }
  llvm::erase_if(setup.flags, isForRocm);
  return setup;
}

} // namespace samedevice::check
