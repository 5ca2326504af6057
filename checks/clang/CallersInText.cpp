#include "Backward.h"
#include "Surroundings.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace samedevice::clangfront {

using namespace clang;
using llvm::StringRef;

namespace {

/// `const at::cuda::OptionalCUDAGuard`, `cudaSetDevice`, `MY_DEVICE_GUARD`, `torch.cuda.device`: by their names alone.
bool isGuardName(StringRef name) {
  const std::string lower = name.lower();
  const StringRef word = lower;
  const bool isGuard = word.contains("guard") && (word.contains("cuda") || word.contains("device") ||
                                                  word.contains("gpu") || word.contains("stream"));
  return isGuard || word.ends_with("setdevice") || word.ends_with("set_device") || word.ends_with("exchangedevice") ||
         word.ends_with("exchange_device") || word == "setdeviceindex";
}

struct Piece {
  tok::TokenKind kind;
  StringRef text;
};

std::vector<Piece> wordsOfCpp(StringRef text) {
  LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = true;
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
    if (!isDirective)
      words.push_back(
          {token.getKind(), text.substr(lexer.getCurrentBufferOffset() - token.getLength(), token.getLength())});
  }
}

/// What a body is written under: `f` of `template <class T> void A::f(int) const`; empty where it is no function's.
StringRef nameOfBody(llvm::ArrayRef<Piece> head) {
  for (size_t i = 0; i + 1 < head.size(); ++i) {
    if (head[i].kind == tok::equal)
      return {};
    const bool isAside = llvm::StringSwitch<bool>(head[i].text)
                             .Cases("__attribute__", "__launch_bounds__", "alignas", "decltype", "noexcept", true)
                             .Default(false);
    if (head[i].kind == tok::raw_identifier && head[i + 1].kind == tok::l_paren && !isAside)
      return head[i].text;
  }
  return {};
}

bool isString(tok::TokenKind kind) { return kind == tok::string_literal || kind == tok::utf8_string_literal; }

/// The text that stands in the same call before the function: `m.def("name", &function)`.
std::vector<std::string> textBefore(llvm::ArrayRef<Piece> words, size_t at) {
  while (at > 0) {
    const Piece &word = words[--at];
    if (isString(word.kind))
      return {nameInSchema(word.text.trim('"')).str()};
    if (word.kind == tok::semi || word.kind == tok::l_brace || word.kind == tok::r_brace)
      break;
  }
  return {};
}

/// Python's lines, as far as they matter.
struct Line {
  size_t indent;
  StringRef text;
  bool makesCurrent; ///< a device, for what is indented under it
};

bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Whether the line calls the name, or hands it on; in an import, a definition or a text it is only named.
bool mentionsInPython(StringRef line, StringRef name) {
  if (line.starts_with("import ") || line.starts_with("from ") || line.starts_with("def ") || line.starts_with("#"))
    return false;
  for (size_t at = line.find(name); at != StringRef::npos; at = line.find(name, at + 1)) {
    const char before = at ? line[at - 1] : ' ';
    StringRef rest = line.drop_front(at + name.size());
    rest.consume_front(".default");
    const StringRef object = line.take_front(at);
    const bool isOwnMethod = object.ends_with("self.") || object.ends_with(").");
    if (!isWordCharacter(before) && before != '"' && before != '\'' && before != ':' && !isOwnMethod &&
        rest.ltrim().starts_with("("))
      return true;
  }
  return false;
}

bool isGuardInPython(StringRef line) {
  return line.starts_with("with ") &&
         (line.contains("cuda.device") || line.contains("device_guard") || line.contains("DeviceGuard"));
}

StringRef nameOfDefinition(StringRef line) {
  line.consume_front("async ");
  return line.consume_front("def ") ? line.take_while(isWordCharacter) : StringRef();
}

} // namespace

std::vector<CallerInText> callersInCpp(StringRef text, StringRef name, bool mayBeDefined) {
  std::vector<CallerInText> callers;
  if (!text.contains(name))
    return callers;
  const std::vector<Piece> words = wordsOfCpp(text);
  std::vector<size_t> headOfScope{0}; // where the words begin that stand before the next brace of each scope
  StringRef body;                     // the function that we are in
  size_t bodyDepth = 0;
  bool isGuarded = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const Piece &word = words[i];
    if (word.kind == tok::l_brace) {
      if (body.empty()) {
        body = nameOfBody(llvm::ArrayRef(words).slice(headOfScope.back(), i - headOfScope.back()));
        bodyDepth = headOfScope.size();
        isGuarded = false;
        if (body == name && !mayBeDefined)
          return {};
      }
      headOfScope.push_back(i + 1);
    } else if (word.kind == tok::r_brace) {
      if (headOfScope.size() > 1)
        headOfScope.pop_back();
      headOfScope.back() = i + 1;
      if (headOfScope.size() == bodyDepth)
        body = {};
    } else if (word.kind == tok::semi) {
      headOfScope.back() = i + 1;
    } else if (word.kind == tok::raw_identifier && !body.empty()) {
      isGuarded |= isGuardName(word.text);
      if (word.text != name || body == name)
        continue;
      const tok::TokenKind next = i + 1 < words.size() ? words[i + 1].kind : tok::eof;
      const bool isCall = next == tok::l_paren || next == tok::less;
      callers.push_back({body.str(), isGuarded, isCall && isNameOfBackward(body),
                         isCall ? std::vector<std::string>() : textBefore(words, i)});
    }
  }
  return callers;
}

std::vector<CallerInText> callersInPython(StringRef text, StringRef name) {
  std::vector<CallerInText> callers;
  if (!text.contains(name))
    return callers;
  std::vector<Line> around; // the lines that the present one is indented under
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef whole : lines) {
    const StringRef line = whole.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    const size_t indent = whole.size() - whole.ltrim().size();
    while (!around.empty() && around.back().indent >= indent)
      around.pop_back();
    if (line.contains("cuda.set_device(") && !around.empty())
      around.back().makesCurrent = true; // for what follows beside it
    around.push_back({indent, line, isGuardInPython(line)});
    if (!mentionsInPython(line, name))
      continue;
    CallerInText caller;
    for (const Line &outer : around) {
      caller.isGuarded |= outer.makesCurrent;
      if (StringRef definition = nameOfDefinition(outer.text); !definition.empty()) {
        caller.by = definition.str();
        caller.isBackward |= isNameOfBackward(definition);
      }
    }
    callers.push_back(std::move(caller));
  }
  return callers;
}

} // namespace samedevice::clangfront
