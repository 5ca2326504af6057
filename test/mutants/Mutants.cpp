#include "Mutants.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <random>

using namespace llvm;
using namespace clang;

namespace samedevice::mutants {

std::vector<Mutant> mutantsOf(StringRef text, unsigned count, unsigned seed, StringRef only) {
  const auto size = static_cast<unsigned>(text.size());
  std::vector<Mutant> tokens, lines, braces, includes, headers, cuts;
  LangOptions language;
  language.CPlusPlus = language.CPlusPlus17 = true;
  const std::string terminated = text.str();
  Lexer lexer(SourceLocation::getFromRawEncoding(1), language, terminated.c_str(), terminated.c_str(),
              terminated.c_str() + terminated.size());
  for (Token token; !lexer.LexFromRawLexer(token);) {
    const unsigned begin = token.getLocation().getRawEncoding() - 1, end = begin + token.getLength();
    const bool isBrace = token.isOneOf(tok::l_brace, tok::r_brace, tok::l_paren, tok::r_paren);
    (isBrace ? braces : tokens).push_back({isBrace ? "brace" : "token", begin, end});
    if (token.isOneOf(tok::semi, tok::l_brace, tok::r_brace))
      cuts.push_back({"cut", end, size});
  }
  for (unsigned begin = 0; begin < size;) {
    const auto end = static_cast<unsigned>(std::min<size_t>(text.find('\n', begin), size - 1)) + 1;
    const StringRef line = text.slice(begin, end).trim();
    if (line.starts_with("#include")) {
      includes.push_back({"include", begin, end});
      if (const size_t last = text.slice(0, end).find_last_of(">\""); last != StringRef::npos && last > begin)
        headers.push_back({"header", static_cast<unsigned>(last) - 1, static_cast<unsigned>(last)});
    } else if (!line.empty() && !line.starts_with("//")) {
      lines.push_back({"line", begin, end});
    }
    begin = end;
  }
  std::mt19937 random(seed);
  std::vector<Mutant> chosen;
  std::vector<std::vector<Mutant> *> kinds = {&lines, &cuts, &tokens, &braces, &includes, &headers};
  llvm::erase_if(kinds, [&](const std::vector<Mutant> *kind) {
    return kind->empty() || (!only.empty() && kind->front().kind != only);
  });
  for (std::vector<Mutant> *kind : kinds)
    std::shuffle(kind->begin(), kind->end(), random);
  // A bit of each, round and round.
  for (bool isAny = true; isAny && (!count || chosen.size() < count);) {
    isAny = false;
    for (std::vector<Mutant> *kind : kinds)
      if (!kind->empty() && (!count || chosen.size() < count)) {
        chosen.push_back(kind->back());
        kind->pop_back();
        isAny = true;
      }
  }
  return chosen;
}

} // namespace samedevice::mutants
