// Code as it looks while it is being typed: a text with something missing.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace samedevice::mutants {

/// A text without [begin, end).
struct Mutant {
  const char *kind;
  unsigned begin, end;

  std::string of(llvm::StringRef text) const { return text.take_front(begin).str() + text.drop_front(end).str(); }
};

/// At most `count` of all there are: without a token, a line, a brace, an include, with a header's name cut short, or
/// cut off behind a statement. The same ones each time for the same `seed`; 0: all. `kind`: only these, where one is
/// named.
std::vector<Mutant> mutantsOf(llvm::StringRef text, unsigned count, unsigned seed, llvm::StringRef kind);

} // namespace samedevice::mutants
