#include "Backward.h"

#include "StringSwitch.h"
#include "Surroundings.h"
#include "TextOfCpp.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace samedevice::clangfront {

using namespace clang;
using llvm::StringRef;

namespace {

bool isString(tok::TokenKind kind) { return kind == tok::string_literal || kind == tok::utf8_string_literal; }

/// The text that stands in the same call before the function: `m.def("name", &function)`.
std::vector<std::string> textBefore(Pieces words, size_t at) {
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

/// What follows a name that is not called where it stands, but is the whole of a value.
bool isKept(StringRef rest) {
  rest = rest.ltrim();
  return rest.empty() || rest.starts_with("if ") || rest.starts_with("else ") || rest.starts_with("#");
}

/// Whether the line calls the name, or keeps it for a later call (`f = ops.swish if is_half else ops.swish_fp32`); in
/// an import, a definition or a text it is only named. `isOwn`: it may be a method of the class that the line belongs
/// to.
enum class Mention { None, Kept, Called };
Mention mentionInPython(StringRef line, StringRef name, bool isOwn) {
  Mention mention = Mention::None;
  if (line.starts_with("import ") || line.starts_with("from ") || line.starts_with("def ") || line.starts_with("#"))
    return mention;
  for (size_t at = line.find(name); at != StringRef::npos; at = line.find(name, at + 1)) {
    const char before = at ? line[at - 1] : ' ';
    StringRef rest = line.drop_front(at + name.size());
    rest.consume_front(".default");
    const StringRef object = line.take_front(at);
    const bool isOwnMethod = object.ends_with("self.") || object.ends_with(").");
    if (isWordCharacter(before) || before == '"' || before == '\'' || before == ':' || (isOwnMethod && !isOwn))
      continue;
    if (rest.ltrim().starts_with("("))
      return Mention::Called;
    if (before == '.' && isKept(rest))
      mention = Mention::Kept;
  }
  return mention;
}

/// The name, and those under which the file imports it: `from .ops import swish as swish_cuda`. Nothing else that
/// Python calls `as` can follow a function's name.
llvm::SmallVector<StringRef> namesInPython(llvm::ArrayRef<StringRef> lines, StringRef name) {
  llvm::SmallVector<StringRef> names{name};
  for (StringRef line : lines)
    for (size_t at = line.find(name); at != StringRef::npos; at = line.find(name, at + 1)) {
      StringRef rest = line.drop_front(at + name.size());
      const bool isWhole = (at == 0 || !isWordCharacter(line[at - 1])) && rest.consume_front(" as ");
      if (isWhole && !line.take_front(at).contains('#'))
        names.push_back(rest.ltrim().take_while(isWordCharacter));
    }
  llvm::erase_if(names, [](StringRef found) { return found.empty(); });
  return names;
}

bool isGuardInPython(StringRef line) {
  return line.starts_with("with ") &&
         (line.contains("cuda.device") || line.contains("device_guard") || line.contains("DeviceGuard"));
}

/// What sets the device does so for what follows beside it, and if it stands under an `if` (of a rank that may be
/// unknown: then one GPU is all there is), for the rest of the function.
void setForRestOf(std::vector<Line> &around) {
  for (Line &outer : llvm::reverse(around)) {
    outer.makesCurrent = true;
    if (!outer.text.starts_with("if ") && !outer.text.starts_with("else"))
      return;
  }
}

StringRef nameOfDefinition(StringRef line) {
  line.consume_front("async ");
  return line.consume_front("def ") ? line.take_while(isWordCharacter) : StringRef();
}

/// A backward is given gradients: `def check_backward():` is somebody who tries it out.
bool takesNothing(StringRef definition) { return definition.contains("()"); }
bool takesNothing(const Piece *named, const Piece *end) {
  return end - named > 2 && (named + 1)->kind == tok::l_paren && (named + 2)->kind == tok::r_paren;
}

} // namespace

namespace {

/// `workers.emplace_back([&] {`, `std::async(std::launch::async, [=] {`: what begins here runs in a thread of its own,
/// where the device is not the one that is current here.
bool startsThread(Pieces head, bool hasThreads) {
  const auto isWord = [](StringRef text) { return [text](const Piece &word) { return word.text == text; }; };
  if (llvm::none_of(head, [](const Piece &word) { return word.kind == tok::l_square; }))
    return false;
  return llvm::any_of(head, isWord("thread")) || llvm::any_of(head, isWord("async")) ||
         (hasThreads && (llvm::any_of(head, isWord("emplace_back")) || llvm::any_of(head, isWord("push_back"))));
}

} // namespace

std::vector<CallerInText> callersInCpp(StringRef text, StringRef name, bool mayBeDefined) {
  std::vector<CallerInText> callers;
  if (!text.contains(name))
    return callers;
  const std::vector<Piece> words = wordsOfCpp(text);
  const bool hasThreads = text.contains("vector<std::thread>");
  struct Scope {
    size_t head;            ///< where the words begin that stand before its next brace
    bool isGuarded = false; ///< a device was made current in it
    bool isThread = false;  ///< what was current around it does not count
  };
  std::vector<Scope> scopes{{0}};
  StringRef body; // the function that we are in
  bool isBackward = false;
  size_t bodyDepth = 0;
  auto isGuarded = [&] {
    for (size_t n = scopes.size(); n > bodyDepth; --n)
      if (scopes[n - 1].isGuarded)
        return true;
      else if (scopes[n - 1].isThread)
        return false;
    return false;
  };
  for (size_t i = 0; i < words.size(); ++i) {
    const Piece &word = words[i];
    if (word.kind == tok::l_brace) {
      const Pieces head = Pieces(words).slice(scopes.back().head, i - scopes.back().head);
      const bool isThread = !body.empty() && startsThread(head, hasThreads);
      if (body.empty()) {
        const Piece *named = nameOfBody(head);
        body = named ? named->text : StringRef();
        isBackward = named && isNameOfBackward(body) && !takesNothing(named, head.end());
        bodyDepth = scopes.size();
        if (body == name && !mayBeDefined)
          return {};
      }
      scopes.push_back({i + 1, false, isThread});
    } else if (word.kind == tok::r_brace) {
      if (scopes.size() > 1)
        scopes.pop_back();
      scopes.back().head = i + 1;
      if (scopes.size() == bodyDepth)
        body = {};
    } else if (word.kind == tok::semi) {
      scopes.back().head = i + 1;
    } else if (word.kind == tok::raw_identifier && !body.empty()) {
      size_t lasting = scopes.size() - 1; // a guard ends with its block, what sets the device does not
      while (setsDevice(word.text) && lasting > bodyDepth && !scopes[lasting].isThread)
        --lasting;
      scopes[lasting].isGuarded |= isGuardName(word.text);
      if (word.text != name || body == name)
        continue;
      const tok::TokenKind next = i + 1 < words.size() ? words[i + 1].kind : tok::eof;
      const bool isCall = next == tok::l_paren || next == tok::less;
      callers.push_back(
          {body.str(), isGuarded(), isCall && isBackward, isCall ? std::vector<std::string>() : textBefore(words, i)});
    }
  }
  return callers;
}

std::vector<CallerInText> callersInPython(StringRef text, StringRef name, bool mayBeDefined) {
  std::vector<CallerInText> callers;
  if (!text.contains(name))
    return callers;
  std::vector<Line> around; // the lines that the present one is indented under
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  const llvm::SmallVector<StringRef> names = namesInPython(lines, name);
  const bool isOwn = mayBeDefined && text.contains(("def " + name + "(self").str());
  for (StringRef whole : lines) {
    const StringRef line = whole.trim();
    // Of a definition: what follows stands under that. But `) = f(x)` ends a list of what is assigned to.
    const bool endsParameters = line.starts_with(")") && line.ends_with(":");
    if (line.empty() || line.starts_with("#") || endsParameters)
      continue;
    const size_t indent = whole.size() - whole.ltrim().size();
    while (!around.empty() && around.back().indent >= indent)
      around.pop_back();
    if (line.contains("cuda.set_device("))
      setForRestOf(around);
    around.push_back({indent, line, isGuardInPython(line)});
    Mention mention = Mention::None;
    for (StringRef known : names)
      mention = std::max(mention, mentionInPython(line, known, isOwn));
    if (mention == Mention::None)
      continue;
    CallerInText caller;
    for (const Line &outer : around) {
      caller.isGuarded |= outer.makesCurrent;
      if (StringRef definition = nameOfDefinition(outer.text); !definition.empty()) {
        caller.by = definition.str();
        caller.isBackward |= isNameOfBackward(definition) && !takesNothing(outer.text);
      }
    }
    if (mention == Mention::Called || !caller.by.empty()) // a table of functions calls none of them
      callers.push_back(std::move(caller));
  }
  return callers;
}

} // namespace samedevice::clangfront
