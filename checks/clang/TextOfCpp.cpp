#include "TextOfCpp.h"

#include "StringSwitch.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

namespace samedevice::clangfront {

using namespace clang;
using llvm::StringRef;

std::vector<Piece> wordsOfCpp(StringRef text) {
  LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = options.CUDA = true;
  Lexer lexer(SourceLocation(), options, text.begin(), text.begin(), text.end());
  std::vector<Piece> words;
  Token token;
  bool isDirective = false;
  while (true) {
    lexer.LexFromRawLexer(token);
    if (token.is(tok::eof))
      return words;
    if (token.isAtStartOfLine())
      isDirective = token.is(tok::hash); // the braces in it are not the code's
    if (isDirective)
      continue;
    const StringRef word = text.substr(lexer.getCurrentBufferOffset() - token.getLength(), token.getLength());
    // nvcc takes `kernel << <grid, block >> >(x)`, which is what some formatters make of a launch.
    if (token.is(tok::less) && !words.empty() && words.back().kind == tok::lessless)
      words.back() = {tok::lesslessless,
                      text.substr(words.back().text.data() - text.data(), word.end() - words.back().text.data())};
    else
      words.push_back({token.getKind(), word});
  }
}

const Piece *nameOfBody(Pieces head) {
  for (size_t i = 0; i + 1 < head.size(); ++i) {
    if (head[i].kind == tok::equal)
      return nullptr;
    const bool isAside = StringSwitch<bool>(head[i].text)
                             .Cases({"__attribute__", "__launch_bounds__", "alignas", "decltype", "noexcept"}, true)
                             .Default(false);
    if (head[i].kind == tok::raw_identifier && head[i + 1].kind == tok::l_paren && !isAside)
      return &head[i];
  }
  return nullptr;
}

bool setsDevice(StringRef name) {
  const std::string lower = name.lower();
  const StringRef word = lower;
  return word.ends_with("setdevice") || word.ends_with("set_device") || word.ends_with("exchangedevice") ||
         word.ends_with("exchange_device") || word == "setdeviceindex";
}

bool isGuardName(StringRef name) {
  const std::string lower = name.lower();
  const StringRef word = lower;
  const bool isGuard = word.contains("guard") && (word.contains("cuda") || word.contains("device") ||
                                                  word.contains("gpu") || word.contains("stream"));
  return isGuard || setsDevice(name);
}

} // namespace samedevice::clangfront
